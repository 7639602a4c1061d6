/** Reader and writer of ASTM E1394 (CLSI LIS02-A2) records, with the delimiters of H. Pure. */
import { type Asked, type DeviceMessage, type Measurement, type Reported, unitOf } from './message.ts'

interface Delimiters {
  field: string
  repeat: string
  part: string
  sign: string
}

interface AstmRecord {
  type: string
  /** `fields[0]` is the record type: O-3 is `fields[2]`. */
  fields: string[]
}

const usual: Delimiters = { field: '|', repeat: '\\', part: '^', sign: '&' }

/** Decodes bytes: UTF-8 if valid, else windows-1251, which Russian devices use. */
export function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return new TextDecoder('windows-1251').decode(bytes)
  }
}

const delimitersOf = (header: string): Delimiters => {
  const field = header[1] ?? '|'
  const signs = header.slice(2).split(field)[0] ?? ''
  const [repeat = usual.repeat, part = usual.part, sign = usual.sign] = signs
  return { field, repeat, part, sign }
}

/** R-9 of LIS2-A2; every other letter is a final value. I: pending, S: partial. */
const reports: Readonly<Record<string, Reported>> = {
  P: 'preliminary',
  I: 'preliminary',
  S: 'preliminary',
  C: 'corrected',
  X: 'impossible',
}

/** State of the reader at each level of records; a record resets its own level and all under it. */
interface Level {
  /** H-12 Q: the whole message is of controls. */
  isControlMessage: boolean
  tube: string | undefined
  isControl: boolean
}
const nothing: Level = { isControlMessage: false, tube: undefined, isControl: false }

/**
 * Parses device data: each H begins a message. Levels are H, P, O, R: a patient has no tube of the one before, and an
 * order decides anew whether its tube is a control. C and M do not describe values.
 * @returns nothing without an H: it is not ASTM
 */
export function readAstm(
  text: string,
  tubeField: 'auto' | 'O-3' | 'O-4' | 'OBR-2' | 'OBR-3' = 'auto',
): DeviceMessage[] {
  const messages: DeviceMessage[] = []
  let by = usual
  let message: DeviceMessage | undefined
  let level = nothing
  for (const line of text.split(/[\r\n]+/)) {
    if (line === '') continue
    if (line[0] === 'H' && line.length > 1 && !/[\p{L}\d]/u.test(line[1] as string)) {
      by = delimitersOf(line)
      message = { kind: 'results', results: [], queries: [], controls: [] }
      messages.push(message)
      // H-12: P production, Q quality, T training, D debugging.
      level = {
        ...nothing,
        isControlMessage: line
          .split(by.field)
          .slice(9)
          .some((one) => one === 'Q'),
      }
      continue
    }
    if (!message) continue
    const record: AstmRecord = { type: line[0] as string, fields: line.split(by.field) }
    const field = (at: number): string => record.fields[at - 1] ?? ''
    const parts = (at: number): string[] =>
      field(at)
        .split(by.part)
        .map((one) => unescaped(one, by).trim())
    switch (record.type) {
      case 'P':
      case 'L':
        level = { ...nothing, isControlMessage: level.isControlMessage }
        break
      case 'O':
        level = {
          ...level,
          tube: tubeOf(parts, tubeField),
          // O-12: the action code of a control; O-16: the specimen is control material (Yumizen).
          isControl: field(12).trim() === 'Q' || /^(CTRL|QC|CONTROL)$/i.test(parts(16)[0] ?? ''),
        }
        break
      case 'R': {
        const measured: Measurement = {
          tube: level.tube,
          codes: codesOf(parts(3)),
          value: parts(4).filter(Boolean).join(' '),
          ...unitOf(unescaped(field(5), by).trim(), parts(5)[0] ?? ''),
          flags: unescaped(field(7), by).trim() || null,
          at: field(13).trim() || null,
          reported: reports[field(9).trim()] ?? 'final',
        }
        if (level.isControl || level.isControlMessage)
          message.controls.push({ ...measured, lot: null, level: null, name: level.tube ?? null })
        else message.results.push(measured)
        break
      }
      case 'Q':
        for (const asked of field(3).split(by.repeat)) {
          const barcode = asked
            .split(by.part)
            .map((one) => unescaped(one, by).trim())
            .find(Boolean)
          if (barcode) message.queries.push({ barcode, id: null } satisfies Asked)
        }
        break
    }
  }
  for (const one of messages)
    one.kind = one.queries.length ? 'query' : one.controls.length ? 'control' : one.results.length ? 'results' : 'other'
  return messages
}

function tubeOf(parts: (at: number) => string[], tubeField: string): string | undefined {
  const specimen = parts(3)[0]
  const instrument = () => {
    const parts3 = parts(4)
    // Sysmex: rack, position, number, attribute.
    return parts3[2] || parts3.find(Boolean)
  }
  const found = tubeField === 'O-4' ? instrument() : tubeField === 'O-3' ? specimen : specimen || instrument()
  return found || undefined
}

/**
 * Names of a test: the whole, and the maker's code alone at its standard position (R-3, the fourth part; the fifth for
 * Sysmex). Other parts make it another measurement, as those of a GeneXpert.
 */
function codesOf(parts: readonly string[]): string[] {
  const whole = parts.join('^').replace(/^\^+|\^+$/g, '')
  const first = parts.findIndex(Boolean)
  return [...new Set([whole, ...(first >= 3 ? [parts[first] as string] : [])])].filter(Boolean)
}

function unescaped(text: string, { sign, field, repeat, part }: Delimiters): string {
  if (sign === '' || !text.includes(sign)) return text
  const signs: Record<string, string> = { F: field, S: part, R: repeat, E: sign }
  const at = sign.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')
  return text.replace(new RegExp(`${at}([FSRE])${at}`, 'g'), (_, sign: string) => signs[sign] as string)
}

const escaped = (text: string): string =>
  [...text.replace(/[\r\n\t]/g, ' ')]
    .map((char) => ({ '&': '&E&', '|': '&F&', '^': '&S&', '\\': '&R&' })[char] ?? char)
    .join('')

export interface Worklist {
  barcode: string
  patient: { name: string; birthday: string | null; sex: string | null }
  codes: readonly string[]
  cito: boolean
}

/** `YYYYMMDDHHMMSS`, UTC. */
const stamp = (now: number): string => new Date(now).toISOString().replace(/[-:T]/g, '').slice(0, 14)

/**
 * The reply to a query: the work of each tube; for an unknown one, that there is nothing (L-3 `I`).
 * @returns records, each with its CR, in UTF-8
 */
export function writeAstm(orders: readonly Worklist[], now: number): Uint8Array[] {
  const lines = [`H|\\^&|||LIS|||||||P|LIS2-A2|${stamp(now)}`]
  for (const [at, { barcode, patient, codes, cito }] of orders.entries()) {
    lines.push(
      `P|${at + 1}|||||${escaped(patient.name).replaceAll(' ', '^')}||${patient.birthday?.replaceAll('-', '') ?? ''}|${patient.sex ?? 'U'}`,
    )
    const tests = codes.map((code) => `^^^${escaped(code)}`).join('\\')
    lines.push(`O|1|${escaped(barcode)}||${tests}|${cito ? 'S' : 'R'}||||||A||||||||||||||Q`)
  }
  lines.push(`L|1|${orders.length ? 'N' : 'I'}`)
  return lines.map((line) => new TextEncoder().encode(`${line}\r`))
}
