/**
 * Simulator of a bank's terminal program on the desk's computer: takes a command and an amount, and writes its answer and
 * the slip to files beside itself, in the bank's encoding. `npm run simulate bank` runs it; its page shows and breaks operations, and
 * the program's path for the settings of a desk.
 */
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import type { ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Simulator, say, simulator } from './simulator.ts'

/**
 * `dies` charges and exits without an answer, `silent` charges and never exits, `nonsense` charges and writes an answer
 * that matches no pattern, `declines` charges nothing.
 */
const moods = ['works', 'declines', 'dies', 'silent', 'nonsense'] as const
export type BankMood = (typeof moods)[number]
/** Encodings used by banks' programs. */
export type BankEncoding = 'ibm866' | 'windows-1251' | 'utf-8'

export interface BankOperation {
  command: string
  kopecks: number
  /** For a refund: the payment. */
  of: string | undefined
  rrn: string
  isDone: boolean
}

export interface BankSimulator extends Simulator<BankMood> {
  encoding: BankEncoding
  operations: BankOperation[]
  /** Path of the program run by the agent. */
  program: string
}

/** Encodes text in the bank's single-byte encoding. */
export function encoded(text: string, encoding: BankEncoding): Buffer {
  if (encoding === 'utf-8') return Buffer.from(text)
  const signs = new TextDecoder(encoding).decode(Uint8Array.from({ length: 256 }, (_, at) => at))
  return Buffer.from([...text].map((sign) => Math.max(0, signs.indexOf(sign)) || 0x3f))
}

/** Source of the program; it asks the simulator for the terminal's answer. */
const PROGRAM = (url: string) => `
import { writeFileSync } from 'node:fs'
const reply = await fetch('${url}/run', { method: 'POST', body: JSON.stringify(process.argv.slice(2)) })
const { code, files } = await reply.json()
for (const [name, bytes] of Object.entries(files)) writeFileSync(name, Buffer.from(bytes, 'base64'))
process.exit(code)
`

/** @param folder of the program and its files */
export async function startBankSimulator(folder: string, port = 0): Promise<BankSimulator> {
  const hung = new Set<() => void>()
  const server = await simulator({
    port,
    page: {
      title: 'Терминал банка',
      moods,
      lines: () => [
        ...bank.operations.map((one) => JSON.stringify(one, null, 1)),
        `Программа для настроек кассы и агента:
${bank.program}`,
      ],
    },
    routes: { 'POST /run': (_request, reply, body) => run(reply, body) },
  })
  async function run(reply: ServerResponse, body: string): Promise<void> {
    const [command = '', kopecks = '0', of] = JSON.parse(body) as string[]
    const operation: BankOperation = {
      ...{ command, kopecks: Number(kopecks), of },
      rrn: String(700_000_000_000 + bank.operations.length + 1),
      isDone: bank.mood !== 'declines',
    }
    bank.operations.push(operation)
    const answer = (code: number, files: Record<string, string>) =>
      say(reply, 200, {
        code,
        files: Object.fromEntries(
          Object.entries(files).map(([name, text]) => [name, encoded(text, bank.encoding).toString('base64')]),
        ),
      })
    switch (bank.mood) {
      case 'declines':
        return answer(0, { e: '4451,НЕДОСТАТОЧНО СРЕДСТВ\r\n', p: 'ОТКАЗАНО\r\n' })
      case 'dies':
        return answer(1, {})
      case 'nonsense':
        return answer(0, { e: 'Ошибка связи с пинпадом\r\n' })
      case 'silent':
        await new Promise<void>((end) => hung.add(end))
        return answer(1, {})
      default:
        return answer(0, {
          e: '0,ОДОБРЕНО\r\n',
          p: `ОПЛАТА ${(operation.kopecks / 100).toFixed(2)} руб.\r\nНомер ссылки: ${operation.rrn}\r\nОДОБРЕНО\r\n`,
        })
    }
  }
  mkdirSync(folder, { recursive: true })
  const script = join(folder, 'terminal.mjs')
  writeFileSync(script, PROGRAM(server.url))
  const isWindows = process.platform === 'win32'
  const program = join(folder, isWindows ? 'terminal.cmd' : 'terminal')
  const line = `"${process.execPath}" "${script}"`
  writeFileSync(program, isWindows ? `@${line} %*\r\n` : `#!/bin/sh\nexec ${line} "$@"\n`)
  chmodSync(program, 0o755)
  const { close } = server
  const bank: BankSimulator = Object.assign(server, {
    encoding: 'ibm866',
    operations: [],
    program,
    close() {
      for (const end of hung) end()
      return close()
    },
  } satisfies Partial<BankSimulator>)
  return bank
}

/** Port of `npm run simulate bank`. */
const PORT = 8103
if (import.meta.main) {
  const { url, program } = await startBankSimulator(join(tmpdir(), 'ordinator-bank'), PORT)
  console.log(`Терминал банка играется здесь: ${url}\nПрограмма: ${program}`)
}
