/** HL7 v2 of devices: a reader of results, controls and queries, and a writer of replies. Pure. */
import { decode, type Worklist } from './e1394.ts'
import { type DeviceMessage, type Measurement, type Reported, unitOf } from './message.ts'

interface Encoding {
  field: string
  part: string
  repeat: string
  sign: string
  sub: string
}

export interface Hl7 extends DeviceMessage {
  /** MSH-9: `ORU^R01`. */
  type: string
  /** MSH-10, repeated in the reply; it does not identify repeats. */
  id: string
  version: string
}

export interface Segment {
  name: string
  /** OBX-3 is `field(3)`, raw; for MSH the first is the delimiter itself. */
  field(at: number): string
  /** The field as one text, unescaped and trimmed. */
  text(at: number): string
  /** Parts of the field, unescaped and trimmed. */
  parts(at: number): string[]
}

const LAST_FIXED = 28

/** Segments of a message, or of a file of messages, from the first MSH on. @returns undefined without one: it is not HL7 */
export function readSegments(bytes: Uint8Array): Segment[] | undefined {
  const text = decode(bytes)
  const start = text.indexOf('MSH')
  const field = text[start + 3]
  if (start < 0 || field === undefined || /[\p{L}\d\s]/u.test(field)) return undefined
  const [part = '^', repeat = '~', sign = '\\', sub = '&'] = text.slice(start + 4).split(field)[0] ?? ''
  const by: Encoding = { field, part, repeat, sign, sub }
  return text
    .slice(start)
    .split(/[\r\n]+/)
    .filter((line) => line.trim() !== '')
    .map((line) => segmentOf(line, by))
}

/** @returns undefined without an MSH: it is not HL7 */
export function readHl7(
  bytes: Uint8Array,
  tubeField: 'auto' | 'O-3' | 'O-4' | 'OBR-2' | 'OBR-3' = 'auto',
): Hl7 | undefined {
  const segments = readSegments(bytes)
  const [msh] = segments ?? []
  if (!segments || !msh) return undefined
  const [type = '', event = ''] = msh.parts(9)
  const message: Hl7 = {
    kind: 'other',
    type: [type, event].filter(Boolean).join('^'),
    id: msh.field(10),
    version: msh.field(12) || '2.3.1',
    results: [],
    controls: [],
    queries: [],
  }
  if (type === 'ORU') readResults(message, segments, tubeField)
  if (type === 'ORM')
    for (const orc of segments.filter(({ name }) => name === 'ORC')) {
      const barcode = orc.parts(3)[0] || orc.parts(2)[0]
      if (orc.field(1) === 'RF' && barcode) message.queries.push({ barcode, id: message.id })
    }
  if (type === 'QRY')
    for (const qrd of segments.filter(({ name }) => name === 'QRD')) {
      const barcode = qrd.parts(8)[0]
      if (barcode) message.queries.push({ barcode, id: message.id })
    }
  if (type === 'ORU' && modeOf(msh) === '1') message.kind = 'calibration'
  else if (message.queries.length) message.kind = 'query'
  else if (message.controls.length) message.kind = 'control'
  else if (message.results.length) message.kind = 'results'
  return message
}

/** MSH-16 of Mindray BS: 0 result of a sample, 1 calibration, 2 control. */
const modeOf = (msh: Segment): string => msh.field(16).trim()

/** OBX-11 (table 0085), or OBR-25 (0123) where it is empty; every other letter is a final value, N and O have none. */
const reports: Readonly<Record<string, Reported>> = {
  P: 'preliminary',
  I: 'preliminary',
  S: 'preliminary',
  R: 'preliminary',
  A: 'preliminary',
  C: 'corrected',
  X: 'impossible',
  N: 'impossible',
  O: 'impossible',
  D: 'withdrawn',
  W: 'withdrawn',
}

/** Levels are MSH, PID, OBR, OBX: each segment resets its own level and all under it. */
function readResults(message: Hl7, segments: readonly Segment[], tubeField: string): void {
  let mode = ''
  let tube: string | undefined
  let order = ''
  for (const segment of segments) {
    if (segment.name === 'MSH') mode = modeOf(segment)
    if (segment.name === 'MSH' || segment.name === 'PID') {
      tube = undefined
      order = ''
    }
    if (mode === '1') continue
    if (segment.name === 'OBR') {
      tube = tubeOf(segment, tubeField)
      order = segment.field(25).trim()
      if (mode === '2') {
        // The control is in OBR itself: 2 and 3 its test, 13 name, 14 lot, 15 expiry, 17 level, 18 mean, 19 SD, 20
        // value.
        const codes = [segment.parts(2)[0], segment.parts(3)[0]].filter((one): one is string => Boolean(one))
        message.controls.push({
          ...{
            tube: undefined,
            codes,
            value: segment.parts(20)[0] ?? '',
            ...unitOf(segment.text(21), segment.parts(21)[0] ?? ''),
          },
          ...{ flags: null, at: segment.field(7) || null, reported: 'final' as const },
          lot: segment.parts(14)[0] || null,
          level: segment.parts(17)[0] || null,
          name: segment.parts(13)[0] || null,
        })
      }
    }
    if (segment.name !== 'OBX' || mode === '2') continue
    // Encapsulated data: a histogram, a picture.
    if (segment.field(2) === 'ED') continue
    const status = segment.field(11).trim()
    const measured: Measurement = {
      tube,
      // Mindray BS numbers its tests: the name is in OBX-4.
      codes: [...new Set([...segment.parts(3).slice(0, 2), segment.parts(4)[0] ?? ''])].filter(Boolean),
      value: segment.parts(5).filter(Boolean).join(' '),
      ...unitOf(segment.text(6), segment.parts(6)[0] ?? ''),
      flags: segment.field(8).trim() || null,
      at: segment.field(14).trim() || null,
      // An order that was cancelled has no values, whatever its lines have.
      reported: reports[order === 'X' ? order : status || order] ?? 'final',
    }
    if (measured.codes.length || measured.value) message.results.push(measured)
  }
}

function tubeOf(obr: Segment, tubeField: string): string | undefined {
  const [placer, filler] = [obr.parts(2)[0], obr.parts(3)[0]]
  return (tubeField === 'OBR-2' ? placer : tubeField === 'OBR-3' ? filler : placer || filler) || undefined
}

function segmentOf(line: string, by: Encoding): Segment {
  const name = line.slice(0, 3)
  const fields = line.split(by.field)
  // MSH-1 is the delimiter, so its fields are shifted by one.
  const at = (n: number) => (name === 'MSH' ? (n === 1 ? by.field : fields[n - 1]) : fields[n]) ?? ''
  return {
    name,
    field: at,
    text: (n) => unescaped(at(n), by).trim(),
    parts: (n) =>
      at(n)
        .split(by.part)
        .map((one) => unescaped(one, by).trim()),
  }
}

/** `\F\ \S\ \T\ \R\ \E\`, hexadecimal `\Xhh\`, and line breaks. */
function unescaped(text: string, { sign, field, part, repeat, sub }: Encoding): string {
  if (sign === '' || !text.includes(sign)) return text
  const signs: Record<string, string> = { F: field, S: part, T: sub, R: repeat, E: sign, '.br': '\n' }
  const e = sign.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')
  return text.replace(new RegExp(`${e}([^${e}]{1,64})${e}`, 'g'), (whole, sign: string) => {
    if (Object.hasOwn(signs, sign)) return signs[sign] as string
    const hex = /^X((?:[\da-f]{2})+)$/i.exec(sign)?.[1]
    return hex ? decode(Uint8Array.from(hex.match(/../g) as string[], (two) => Number.parseInt(two, 16))) : whole
  })
}

export const escaped = (text: string): string =>
  [...text.replace(/[\r\n]/g, ' ')]
    .map((char) => ({ '\\': '\\E\\', '|': '\\F\\', '^': '\\S\\', '&': '\\T\\', '~': '\\R\\' })[char] ?? char)
    .join('')

export const stamp = (now: number): string => new Date(now).toISOString().replace(/[-:T]/g, '').slice(0, 14)
const head = (type: string, { version }: Pick<Hl7, 'version'>, id: string, now: number): string =>
  `MSH|^~\\&|LIS||||${stamp(now)}||${type}|${id}|P|${escaped(version)}||||||UNICODE`

/** The acknowledgement of a message, identified only by MSA-2. */
export const acknowledge = (message: Hl7, taken: 'AA' | 'AE' | 'AR', now: number, words = ''): string =>
  [
    head(
      message.type.startsWith('QRY') ? 'QCK^Q02' : `ACK^${message.type.split('^')[1] ?? ''}`,
      message,
      message.id || '1',
      now,
    ),
    `MSA|${taken}|${escaped(message.id)}|${escaped(words)}`,
    ...(message.type.startsWith('QRY') ? ['ERR|0', `QAK|SR|${taken === 'AA' ? 'OK' : 'NF'}`] : []),
    '',
  ].join('\r')

const sexes: Readonly<Record<string, string>> = { M: 'Male', F: 'Female' }

/**
 * The reply to a query about a tube: Mindray BC by ORR^O02, BS by DSR^Q03 (display data 1–28 are fixed fields, the
 * tests follow).
 * @param order undefined: the tube is not known
 */
export function answerQuery(message: Hl7, order: Worklist | undefined, now: number): string[] {
  if (message.type.startsWith('QRY')) {
    if (!order) return [acknowledge(message, 'AA', now).replace('QAK|SR|OK', 'QAK|SR|NF')]
    const fixed: Record<number, string> = {
      1: order.barcode,
      3: order.patient.name.replaceAll(' ', '^'),
      4: order.patient.birthday ? `${order.patient.birthday.replaceAll('-', '')}000000` : '',
      5: order.patient.sex ?? 'O',
      21: order.barcode,
      22: order.barcode,
      23: stamp(now),
      24: order.cito ? 'Y' : 'N',
      26: 'serum',
    }
    const places = Array.from(
      { length: LAST_FIXED },
      (_, at) => `DSP|${at + 1}||${fixed[at + 1]?.split('^').map(escaped).join('^') ?? ''}|||`,
    )
    const tests = order.codes.map((code, at) => `DSP|${LAST_FIXED + at + 1}||${escaped(code)}^^^|||`)
    return [
      acknowledge(message, 'AA', now),
      [
        head('DSR^Q03', message, message.id || '1', now),
        `MSA|AA|${escaped(message.id)}|Message accepted|||0|`,
        'ERR|0',
        'QAK|SR|OK',
        `QRD|${stamp(now)}|R|D|1|||RD|${escaped(order.barcode)}|OTH|||T|`,
        `QRF||||||RCT|COR|ALL||`,
        ...places,
        ...tests,
        // Empty: there is no continuation.
        'DSC||',
        '',
      ].join('\r'),
    ]
  }
  const msh = head('ORR^O02', message, message.id || '1', now)
  if (!order) return [[msh, `MSA|AR|${escaped(message.id)}`, ''].join('\r')]
  const { patient, barcode, codes } = order
  return [
    [
      msh,
      `MSA|AA|${escaped(message.id)}`,
      `PID|1||${escaped(barcode)}^^^^MR||${escaped(patient.name).replaceAll(' ', '^')}||${patient.birthday?.replaceAll('-', '') ?? ''}|${sexes[patient.sex ?? ''] ?? ''}`,
      `ORC|AF|${escaped(barcode)}|||`,
      `OBR|1|${escaped(barcode)}||||${stamp(now)}|||||||||||||||||||HM||||||||`,
      ...codes.map((code, at) => `OBX|${at + 1}|IS|${escaped(code)}||T||||||F`),
      '',
    ].join('\r'),
  ]
}
