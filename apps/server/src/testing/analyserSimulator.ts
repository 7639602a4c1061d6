/**
 * `npm run simulate analyser`: simulates an ASTM and an HL7 analyser beside a running server. For each bar code it queries the order,
 * sends a burst of values, repeats itself, breaks a checksum, and stops answering.
 *
 * npm run simulate analyser -- 2700000757 2700000776 [--host 127.0.0.1] [--astm 5102] [--hl7 5101]
 */
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { ACK, ENQ, EOT, framesOf } from '#areas/laboratory/wire/e1381.ts'
import { framed } from '#areas/laboratory/wire/mllp.ts'

const { values: options, positionals: barcodes } = parseArgs({
  allowPositionals: true,
  options: {
    host: { type: 'string', default: '127.0.0.1' },
    astm: { type: 'string', default: '5102' },
    hl7: { type: 'string', default: '5101' },
  },
})
if (barcodes.length === 0) {
  console.error('Назовите пробирки: npm run simulate analyser -- 2700000757 2700000776')
  process.exit(1)
}

const say = (words: string) => console.info(`${new Date().toISOString().slice(11, 19)}  ${words}`)
const some = (low: number, high: number, digits: number) => (low + Math.random() * (high - low)).toFixed(digits)
const PAUSE_MS = 400

/** Sends chunks sequentially, each after the answer to the previous one. */
async function speak(port: number, pieces: readonly (Uint8Array | Buffer)[]): Promise<void> {
  const socket = connect(port, options.host)
  await new Promise((resolve, reject) => socket.once('connect', resolve).once('error', reject))
  for (const piece of pieces) {
    socket.write(piece)
    const reply = await Promise.race([
      new Promise<Buffer>((resolve) => socket.once('data', resolve)),
      sleep(PAUSE_MS * 5).then(() => Buffer.alloc(0)),
    ])
    if (reply.length)
      say(
        reply[0] === ACK
          ? '  ACK'
          : `  ${reply
              .toString()
              .replace(/[^\p{L}\p{N}\p{P}\p{S} ]/gu, ' ')
              .slice(0, 90)}`,
      )
  }
  socket.end()
}

const records = (...lines: string[]) => framesOf(lines.map((line) => Buffer.from(`${line}\r`)))
const head = 'H|\\^&|||c311^1|||||host|RSUPL^REAL|P|1'

for (const barcode of barcodes) {
  say(`ASTM: вопрос о ${barcode}`)
  await speak(Number(options.astm), [
    Buffer.of(ENQ),
    ...records('H|\\^&|||c311^1', `Q|1|^${barcode}||ALL`, 'L|1|N'),
    Buffer.of(EOT),
  ])
  const burst = records(
    head,
    'P|1',
    `O|1|${barcode}^^1||^^^767/\\^^^685/\\^^^690/|R`,
    `R|1|^^^767/|${some(4, 7, 2)}|mmol/l||N||F`,
    `R|2|^^^685/|${some(12, 60, 0)}|U/l||N||F`,
    `R|3|^^^690/|${some(55, 110, 0)}|umol/l||N||F`,
    'L|1|N',
  )
  say(`ASTM: значения ${barcode}, первый кадр с ошибкой`)
  const broken = Uint8Array.from(burst[0] as Uint8Array)
  broken[3] = 0x58
  await speak(Number(options.astm), [Buffer.of(ENQ), broken, ...burst, Buffer.of(EOT)])
  say(`ASTM: повтор ${barcode}`)
  await speak(Number(options.astm), [Buffer.of(ENQ), ...burst, Buffer.of(EOT)])
  const oru = [
    'MSH|^~\\&|BC-6800|Mindray|||20261127||ORU^R01|1|P|2.3.1||||||UNICODE',
    'PID|1||x^^^^MR',
    `OBR|1||${barcode}|00001^Automated Count^99MRC`,
    `OBX|1|NM|6690-2^WBC^LN||${some(4, 9, 2)}|10*9/L|4.00-10.00|N|||F`,
    `OBX|2|NM|718-7^HGB^LN||${some(118, 165, 0)}|g/L|110-160|N|||F`,
    `OBX|3|NM|777-3^PLT^LN||${some(150, 380, 0)}|10*9/L|100-300|N|||F`,
    '',
  ].join('\r')
  say(`HL7: значения ${barcode}, дважды`)
  await speak(Number(options.hl7), [framed(oru), framed(oru)])
}
say('Замолчал посреди сообщения: лампа покажет байты без конца')
const silent = connect(Number(options.astm), options.host)
silent.write(Buffer.concat([Buffer.of(ENQ, 2), Buffer.from(`1${head}`)]))
await sleep(20_000)
silent.destroy()
