/** Device protocols: small messages with the traits of real ones, and the corpus of dumps if available. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { inputsAt } from '#testing/inputs.ts'
import { Bytes, isTooLong } from './bytes.ts'
import { ACK, type AstmEvent, astmStart, astmStep, astmWaiting, checksum, ENQ, EOT, framesOf, NAK } from './e1381.ts'
import { decode, readAstm, writeAstm } from './e1394.ts'
import { acknowledge, answerQuery, readHl7 } from './hl7.ts'
import { framed, type MllpEvent, mllpStart, mllpStep, mllpWaiting, VT } from './mllp.ts'

const bytes = (text: string) => new TextEncoder().encode(text)
const frame = (number: number, text: string, end = 3): Uint8Array => {
  const inner = [0x30 + number, ...bytes(text), end]
  return Uint8Array.from([2, ...inner, ...bytes(checksum(inner).toString(16).toUpperCase().padStart(2, '0')), 13, 10])
}
const joined = (...parts: readonly Uint8Array[]) => new Uint8Array(Buffer.concat(parts))

/** Feeds the machine as a device does: its replies, and the parsed messages. */
function astm(chunks: readonly Uint8Array[], commits = true) {
  let state = astmStart(0)
  const out: number[] = []
  const events: AstmEvent[] = []
  const take = (first: ReturnType<typeof astmStep>) => {
    // A message stops the machine until it is committed, so that it is the last event of its step.
    for (let made: typeof first | undefined = first; made; ) {
      state = made.state
      out.push(...made.out)
      events.push(...made.events)
      made = made.events.at(-1)?.kind === 'message' ? astmStep(state, { committed: commits }, 0) : undefined
    }
  }
  for (const chunk of chunks) take(astmStep(state, { bytes: chunk }, 0))
  take(astmStep(state, { ended: true }, 0))
  const messages = events.flatMap((event) => (event.kind === 'message' ? [decode(event.bytes)] : []))
  return { out, events, messages, state }
}

function mllp(chunks: readonly Uint8Array[]) {
  let state = mllpStart(0)
  const events: MllpEvent[] = []
  for (const chunk of [...chunks.map((one) => ({ bytes: one })), { ended: true as const }]) {
    const made = mllpStep(state, chunk, 0)
    state = made.state
    events.push(...made.events)
  }
  return { events, messages: events.flatMap((event) => (event.kind === 'message' ? [event.bytes] : [])) }
}

const H = 'H|\\^&|||DEVICE^1|||||||P|1\r'
const whole = `${H}P|1\rO|1|2700000001||^^^WBC\rR|1|^^^WBC|  5.5|10*3/uL||N||F\rL|1|N\r`
const session = joined(Uint8Array.of(ENQ), frame(1, whole), Uint8Array.of(EOT))

describe('the ASTM link', () => {
  it('acknowledges the last frame of a message only after the commit', () => {
    let made = astmStep(astmStart(0), { bytes: joined(Uint8Array.of(ENQ), frame(1, whole)) }, 0)
    expect([...made.out]).toEqual([ACK])
    expect(made.events).toMatchObject([{ kind: 'message', framed: true }])
    made = astmStep(made.state, { committed: true }, 0)
    expect([...made.out]).toEqual([ACK])
    expect([...astm([session], false).out]).toEqual([ACK, NAK])
  })

  it('accepts one record per frame with numbers 7 → 0, a record in two frames, and a repeated frame', () => {
    const records = [
      H,
      'P|1\r',
      'O|1|270||\r',
      ...Array.from({ length: 6 }, (_, at) => `R|${at + 1}|^^^T${at}|1|\r`),
      'L|1|N\r',
    ]
    const frames = records.map((record, at) => frame((at + 1) % 8, record))
    const link = astm([joined(Uint8Array.of(ENQ), ...frames, Uint8Array.of(EOT))])
    expect(link.messages).toEqual([records.join('')])
    const twice = joined(Uint8Array.of(ENQ), frame(1, H), frame(1, H), frame(2, 'L|1|N\r'), Uint8Array.of(EOT))
    expect(astm([twice]).messages).toEqual([`${H}L|1|N\r`])
    const parted = joined(
      Uint8Array.of(ENQ),
      frame(1, `${H}O|1|27`, 0x17),
      frame(2, '0000\rL|1|N\r'),
      Uint8Array.of(EOT),
    )
    expect(astm([parted]).messages).toEqual([`${H}O|1|270000\rL|1|N\r`])
  })

  it('rejects a broken checksum and accepts the corrected frame', () => {
    const broken = frame(1, whole).with(3, 0x58)
    const link = astm([joined(Uint8Array.of(ENQ), broken, frame(1, whole), Uint8Array.of(EOT))])
    expect([...link.out]).toEqual([ACK, NAK, ACK])
    expect(link.messages).toEqual([whole])
  })

  it('parses the same however the bytes are split', () => {
    for (let at = 0; at <= session.length; at++)
      expect(astm([session.subarray(0, at), session.subarray(at)]).messages, `cut at ${at}`).toEqual([whole])
    expect(astm([...session].map((byte) => Uint8Array.of(byte))).messages).toEqual([whole])
    expect(astm([joined(session, session)]).messages).toEqual([whole, whole])
  })

  it('keeps truncated data, and guesses nothing', () => {
    for (let at = 2; at < session.length - 6; at++) {
      const { messages, events } = astm([session.subarray(0, at)])
      expect(messages, `ended at ${at}`).toEqual([])
      expect(
        events.some(({ kind }) => kind === 'unfinished'),
        `ended at ${at}`,
      ).toBe(true)
    }
  })

  it('accepts records without frames, and closes an endless connection', () => {
    expect(astm([bytes(whole)]).messages).toEqual([whole])
    const chunk = new Uint8Array(64 * 1024).fill(0x41)
    let state = astmStart(0)
    let closed = false
    for (let n = 0; n < 160 && !closed; n++) {
      const made = astmStep(state, { bytes: n ? chunk : joined(Uint8Array.of(ENQ, 2), chunk) }, 0)
      state = made.state
      closed = made.events.some(({ kind }) => kind === 'close')
    }
    expect(closed).toBe(true)
    expect(astmWaiting(state)).toBe(0)
  })

  it('sends by ENQ, frame by frame, yields to the device, gives up after six refusals', () => {
    const records = writeAstm(
      [{ barcode: '27', patient: { name: 'Тестов Иван', birthday: null, sex: 'M' }, codes: ['WBC'], cito: false }],
      0,
    )
    let made = astmStep(astmStart(0), { send: records }, 0)
    expect([...made.out]).toEqual([ENQ])
    const sent: number[][] = []
    for (let n = 0; n <= records.length; n++) {
      made = astmStep(made.state, { bytes: Uint8Array.of(ACK) }, 0)
      sent.push([...made.out])
    }
    expect(sent.at(-1)).toEqual([EOT])
    expect(made.events).toEqual([{ kind: 'sent' }])
    // Our own output is parsed again.
    const back = astm([joined(Uint8Array.of(ENQ), ...framesOf(records), Uint8Array.of(EOT))])
    expect(back.messages).toHaveLength(1)
    made = astmStep(astmStart(0), { send: records }, 0)
    made = astmStep(made.state, { bytes: Uint8Array.of(ENQ) }, 0)
    expect(made.state.phase).toBe('idle')
    expect([...astmStep(made.state, { tick: true }, 1_000).out]).toEqual([])
    expect([...astmStep(made.state, { tick: true }, 30_000).out]).toEqual([ENQ])
    made = astmStep(astmStep(astmStart(0), { send: records }, 0).state, { bytes: Uint8Array.of(ACK) }, 0)
    for (let n = 0; n < 6; n++) made = astmStep(made.state, { bytes: Uint8Array.of(NAK) }, 0)
    expect(made.events).toEqual([{ kind: 'unsent' }])
  })
})

it('collects a message in linear cost, whatever the chunks', () => {
  const size = 1_000_000
  const cost = (run: () => void) => {
    const before = Bytes.copied
    run()
    return Bytes.copied - before
  }
  const singly = (begin: Uint8Array, step: (bytes: Uint8Array) => unknown) => () => {
    step(begin)
    const byte = Uint8Array.of(0x41)
    for (let n = 0; n < size; n++) step(byte)
  }
  const hl7 = mllpStart(0)
  expect(cost(singly(Uint8Array.of(VT), (one) => mllpStep(hl7, { bytes: one }, 0)))).toBeLessThan(3 * size + 1_000)
  expect(mllpWaiting(hl7)).toBe(size)
  const link = astmStart(0)
  expect(cost(singly(Uint8Array.of(ENQ, 2), (one) => astmStep(link, { bytes: one }, 0)))).toBeLessThan(3 * size + 1_000)
  expect(astmWaiting(link)).toBe(size)
  // Short messages that arrive during commits, and frames of a record without an end.
  const short = bytes('H|\rL\r'.repeat(20_000))
  expect(cost(() => expect(astm([short]).messages).toHaveLength(20_000))).toBeLessThan(10 * short.length)
  const parts = joined(...Array.from({ length: 8_000 }, (_, at) => frame((at + 1) % 8, 'A'.repeat(10))))
  expect(cost(() => astm([joined(Uint8Array.of(ENQ), parts)]))).toBeLessThan(10 * parts.length)
})

it('waits a minute for the next byte of a message, and ten minutes for its end', () => {
  const minute = 60_000
  expect([isTooLong(minute, 0, 0), isTooLong(minute + 1, 0, 0)]).toEqual([false, true])
  // A byte each second keeps no connection for ever.
  expect([isTooLong(10 * minute, 0, 10 * minute - 1_000), isTooLong(10 * minute + 1, 0, 10 * minute)]).toEqual([
    ...[false, true],
  ])
})

describe('ASTM records', () => {
  it('uses the delimiters of H', () => {
    const [message] = readAstm(
      'H|@^\\|id||GeneXpert\rO|1|PR25||^^^MTB\rR|1|^MTB^^X|NOT DETECTED^|\rR|2|^MTB^^X^^^rpo^Ct|^0.0|\rL|1|N\r',
    )
    expect(message?.results.map(({ codes, value }) => [codes, value])).toEqual([
      [['MTB^^X'], 'NOT DETECTED'],
      [['MTB^^X^^^rpo^Ct'], '0.0'],
    ])
  })

  it('finds the tube in its parts, and padded in O-4', () => {
    const tube = (o: string) => readAstm(`${H}${o}\rR|1|^^^A|1\rL|1|N\r`)[0]?.results[0]?.tube
    expect(tube('O|1|S1234^00^00')).toBe('S1234')
    expect(tube('O|1||^^                    27^M')).toBe('27')
    expect(tube('O|1||')).toBeUndefined()
  })

  it("keeps values as text and the device's flags", () => {
    const [message] = readAstm(`${H}O|1|27\rR|1|^^^^WBC^1|  5.5|10*3/uL||H~A||F\rR|2|^^^413/|**.*|g/L||W\rL|1|N\r`)
    expect(message?.results).toMatchObject([
      { codes: ['WBC^1', 'WBC'], value: '5.5', unit: '10*3/uL', flags: 'H~A' },
      { codes: ['413/'], value: '**.*', flags: 'W' },
    ])
  })

  it('resets what lies under each record, in every order of records', () => {
    type Step = 'P' | 'O' | 'Q' | 'R' | 'C' | 'M' | 'L'
    const steps = fc.array(fc.constantFrom<Step>('P', 'O', 'Q', 'R', 'C', 'M', 'L'), { maxLength: 30 })
    fc.assert(
      fc.property(steps, (order) => {
        let tube: string | undefined
        let isControl = false
        const wanted: [string | undefined, boolean][] = []
        const lines = order.map((step, at) => {
          if (step === 'P' || step === 'L') [tube, isControl] = [undefined, false]
          if (step === 'O' || step === 'Q') [tube, isControl] = [`T${at}`, step === 'Q']
          if (step === 'R') wanted.push([tube, isControl])
          if (step === 'O') return `O|1|T${at}||^^^A`
          if (step === 'Q') return `O|1|T${at}||^^^A|||||||Q`
          return step === 'R' ? `R|1|^^^A|${at}|g||N||F` : `${step}|1`
        })
        const [message] = readAstm(`${H}${lines.join('\r')}\r`)
        const read = [...(message?.results ?? []), ...(message?.controls ?? [])]
          .toSorted((a, b) => Number(a.value) - Number(b.value))
          .map((one) => [one.tube, 'lot' in one])
        expect(read).toEqual(wanted)
      }),
      { numRuns: 200 },
    )
    const yumizen = `${H}O|3|PX440N||^^^DIF|R|20230329|||||||||CTRL^^CTRL MEDIUM\rR|1|^^^WBC|7|g\rL|1|N\r`
    expect(readAstm(yumizen)[0]?.kind).toBe('control')
  })

  it('reads the status of a value, and a unit with a bare separator in it', () => {
    const reported = (status: string) => readAstm(`${H}O|1|27\rR|1|^^^A|1|10^9/L||N||${status}\r`)[0]?.results[0]
    expect(['F', '', 'P', 'C', 'X', 'R'].map((status) => reported(status)?.reported)).toEqual([
      'final',
      'final',
      'preliminary',
      'corrected',
      'impossible',
      'final',
    ])
    expect(reported('F')).toMatchObject({ unit: '10^9/L', units: ['10^9/L', '10'] })
    const hl7 = (obx11: string, obr25 = '', unit = 'mmol/L^^UCUM') =>
      readHl7(bytes(`${MSH}OBR|1||27|A${'|'.repeat(21)}${obr25}\rOBX|1|NM|A||1|${unit}|||||${obx11}\r`))?.results[0]
    expect([hl7('X'), hl7('P'), hl7('', 'P'), hl7('F', 'X'), hl7('W'), hl7('F')].map((one) => one?.reported)).toEqual([
      'impossible',
      'preliminary',
      'preliminary',
      'impossible',
      'withdrawn',
      'final',
    ])
    expect([hl7('F')?.units, hl7('F', '', '10^9/L')?.units]).toEqual([
      ['mmol/L^^UCUM', 'mmol/L'],
      ['10^9/L', '10'],
    ])
    // A patient after a control, in one frame.
    const both = `${MSH.replace('||||||UNICODE', '||||2')}OBR|1|1|GLU|M\r${MSH}PID|1\rOBR|1||27|A\rOBX|1|NM|A||1|g\r`
    expect(readHl7(bytes(both))).toMatchObject({ controls: [{}], results: [{ tube: '27' }] })
  })

  it('reads several queries, several headers, controls; nothing of other protocols', () => {
    const asked = readAstm(`${H}Q|1|^A1||ALL\rQ|2|A2||ALL\r${H}Q|1|A3||ALL\rL|1|N\r`)
    expect(asked.map(({ queries }) => queries.map(({ barcode }) => barcode))).toEqual([['A1', 'A2'], ['A3']])
    expect(readAstm(`${H}O|1|CTRL|||||||||Q\rR|1|^^^A|1\rL|1|N\r`)[0]?.kind).toBe('control')
    expect(readAstm('mtrsl|pi|ciZ1G021SCR|rtHBCT|qlPositif')).toEqual([])
  })
})

const MSH = 'MSH|^~\\&|BC|M|||20250220||ORU^R01|1|P|2.3.1||||||UNICODE\r'
const oru = `${MSH}OBR|1||2700000001|00001^Count\rOBX|1|NM|6690-2^WBC^LN||6.27|10*9/L|4-10|A|||F\r`

describe('HL7', () => {
  it('accepts frames however they are split', () => {
    const one = framed(oru)
    expect(mllp([joined(one, one)]).messages).toHaveLength(2)
    expect(mllp([...one].map((byte) => Uint8Array.of(byte))).messages).toHaveLength(1)
    for (let at = 0; at <= one.length; at++)
      expect(mllp([one.subarray(0, at), one.subarray(at)]).messages).toHaveLength(1)
    // FS without CR, noise before VT, a restarted message.
    expect(mllp([joined(one.subarray(0, -1), one)]).messages).toHaveLength(2)
    const noisy = mllp([joined(bytes('noise'), one)])
    expect([noisy.messages.length, noisy.events[0]?.kind]).toEqual([1, 'noise'])
    const anew = mllp([joined(one.subarray(0, 40), one)])
    expect([anew.messages.length, anew.events[0]?.kind]).toEqual([1, 'unfinished'])
    const endless = mllp(
      Array.from({ length: 20 }, (_, at) => (at ? new Uint8Array(65_536).fill(65) : Uint8Array.of(0x0b))),
    )
    expect(endless.events.some(({ kind }) => kind === 'close')).toBe(true)
    expect(endless.messages).toEqual([])
  })

  it('reads values, their units or the lack of them, and the text behind UNICODE', () => {
    const read = readHl7(
      bytes(
        `${oru}OBX|2|NM|770-8^NEU%^LN||0.570||\rOBX|3|IS|01002^Группа^99MRC||Взрос.муж||||||F\rOBX|4|ED|1^H||AAAA\r`,
      ),
    )
    expect(read?.results.map(({ codes, value, unit, tube }) => [codes, value, unit, tube])).toEqual([
      [['6690-2', 'WBC'], '6.27', '10*9/L', '2700000001'],
      [['770-8', 'NEU%'], '0.570', '', '2700000001'],
      [['01002', 'Группа'], 'Взрос.муж', '', '2700000001'],
    ])
    expect(readHl7(bytes(`${MSH}OBR|1|T\\F\\1|2\rOBX|1|ST|^pH^M||7.6|\r`))?.results).toMatchObject([
      { tube: 'T|1', codes: ['pH'], value: '7.6' },
    ])
    expect(readHl7(bytes('nothing'))).toBeUndefined()
  })

  it('distinguishes controls and calibrations from patients', () => {
    const qc = readHl7(
      bytes(
        'MSH|^~\\&|M|BS|||2025||ORU^R01|1|P|2.3.1||||2||ASCII\rOBR|1|1|GLU|M||2025|||||||CTRL|LOT-1|2026||M|100.0|3.5|98.2|mg/dL\r',
      ),
    )
    expect(qc).toMatchObject({
      kind: 'control',
      results: [],
      controls: [{ lot: 'LOT-1', level: 'M', value: '98.2', unit: 'mg/dL', name: 'CTRL' }],
    })
    expect(readHl7(bytes('MSH|^~\\&|M|BS|||2025||ORU^R01|1|P|2.3.1||||1\rOBR|1|1|1\rOBX|1|NM|1|K|2\r'))?.kind).toBe(
      'calibration',
    )
  })

  it('replies to queries, and names the message in MSA-2', () => {
    const bc = readHl7(bytes('MSH|^~\\&|BC|M|||2025||ORM^O01|4|P|2.3.1\rORC|RF||2700000001||IP\r'))
    const bs = readHl7(bytes('MSH|^~\\&|M|BS|||2025||QRY^Q02|9|P|2.3.1\rQRD|2025|R|D|1|||RD|2700000001|OTH|||T|\r'))
    expect([bc?.queries, bs?.queries].map((asked) => asked?.[0]?.barcode)).toEqual(['2700000001', '2700000001'])
    if (!bc || !bs) throw new Error('no message')
    expect(answerQuery(bc, undefined, 0)[0]).toContain('MSA|AR|4')
    const order = {
      barcode: '27',
      patient: { name: 'Тестова Анна', birthday: '1990-08-04', sex: 'F' },
      codes: ['1', '2'],
      cito: true,
    }
    expect(answerQuery(bc, order, 0)[0]).toContain('ORC|AF|27')
    const [ack, dsr = ''] = answerQuery(bs, order, 0)
    expect(ack).toMatch(/QCK\^Q02[\s\S]*MSA\|AA\|9/)
    const lines = dsr.split('\r')
    expect(lines.filter((line) => line.startsWith('DSP'))).toHaveLength(30)
    expect(lines).toContain('DSP|29||1^^^|||')
    expect(acknowledge(bc, 'AE', 0)).toContain('MSA|AE|4')
  })
})

/** Sends 10 MB after the data while the connection is open. @returns whether it was closed */
function neverEnds(isHl7: boolean, begun: Uint8Array): boolean {
  const more = new Uint8Array(1024 * 1024).fill(0x41)
  const step = (isHl7 ? mllpStep : astmStep) as (
    state: unknown,
    input: { bytes: Uint8Array },
    at: number,
  ) => {
    state: unknown
    events: { kind: string }[]
  }
  let state: unknown = isHl7 ? mllpStart(0) : astmStart(0)
  for (const chunk of [begun, ...Array.from({ length: 10 }, () => more)]) {
    const made = step(state, { bytes: chunk }, 0)
    if (made.events.some(({ kind }) => kind === 'close')) return true
    ;({ state } = made)
  }
  return false
}

/** Changes the first digit of the first checksum. */
function brokenChecksum(data: Uint8Array): Uint8Array {
  const broken = Uint8Array.from(data)
  const end = broken.findIndex((byte) => byte === 3 || byte === 23)
  broken[end + 1] = broken[end + 1] === 0x30 ? 0x31 : 0x30
  return broken
}

describe('dumps of real devices', () => {
  const root = inputsAt('.')
  const files = root
    ? ['astm', 'hl7'].flatMap((kind) =>
        readdirSync(join(root, kind)).map((name) => ({ kind, name, path: join(root, kind, name) })),
      )
    : []

  it('are parsed however their bytes are split', () => {
    if (!root) {
      console.info('shared/inputs is not here: the dumps of real devices were not read')
      return
    }
    let values = 0
    for (const { kind, name, path } of files) {
      const raw = new Uint8Array(readFileSync(path))
      const isHl7 = kind === 'hl7'
      if (name.endsWith('.csv')) continue
      const send = (chunks: readonly Uint8Array[]) =>
        isHl7 ? mllp(chunks).messages.map(decode) : astm(chunks).messages
      const data = isHl7 ? framed(decode(raw)) : raw
      const once = send([data])
      const read = once.flatMap((text): { results: unknown[] }[] => {
        const one = isHl7 ? readHl7(bytes(text)) : undefined
        return isHl7 ? (one ? [one] : []) : readAstm(text)
      })
      values += read.reduce((sum, { results }) => sum + results.length, 0)
      expect(send([joined(data, data)]).slice(0, once.length), `${name} doubled`).toEqual(once)
      const small = data.subarray(0, 3_000)
      const wanted = send([small])
      expect(send([...small].map((byte) => Uint8Array.of(byte))), `${name} byte by byte`).toEqual(wanted)
      // At every byte of the first kilobyte, and at 150 places of the whole.
      const step = Math.max(1, Math.floor(data.length / 150))
      const whole = (at: number) => at % step === 0
      for (let at = 0; at <= data.length; at++)
        if (at <= 1_000 && at <= small.length)
          expect(send([small.subarray(0, at), small.subarray(at)]), `${name} cut at ${at}`).toEqual(wanted)
        else if (whole(at))
          expect(send([data.subarray(0, at), data.subarray(at)]), `${name} cut at ${at}`).toEqual(once)
      expect(send([joined(data, data)]), `${name} two in one chunk`).toEqual(send([data, data]))
      expect(neverEnds(isHl7, data.subarray(0, -8)), `${name} and 10 MB without an end`).toBe(true)
      if (isHl7) {
        // Without FS it is no message, and is kept.
        const { messages, events } = mllp([data.filter((byte) => byte !== 0x1c)])
        expect([messages.length, events.length > 0], `${name} without an end`).toEqual([0, true])
      } else if (once.length > 0 && data.includes(2)) {
        const { out, events } = astm([brokenChecksum(data)])
        expect([out.includes(NAK), events.some(({ kind }) => kind === 'checksum')], `${name} checksum`).toEqual([
          true,
          true,
        ])
      }
      // No data is lost: it is a message, or is kept as unrecognized.
      const kept = isHl7 ? mllp([data]).events : astm([data]).events
      expect(kept.length, name).toBeGreaterThan(0)
    }
    console.info(`Read ${files.length} dumps of real devices, ${values} values`)
    expect(files.length).toBeGreaterThan(20)
    expect(values).toBeGreaterThan(100)
  })

  it('with changed bytes break nothing', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 400 }), fc.nat(), (noise, at) => {
        const cut = at % session.length
        astm([joined(session.subarray(0, cut), noise, session)])
        mllp([joined(framed(oru).subarray(0, cut % 100), noise, framed(oru))])
        readHl7(noise)
        readAstm(decode(noise))
      }),
      { numRuns: 150 },
    )
  })
})
