/**
 * A bank's terminal driven by the bank's program on the desk's computer: the agent runs it once for each operation, and
 * its output is parsed by patterns from the clinic's settings. A person decides when no pattern matches.
 */
import { type DeskDevices, DeviceError, type Terminal, type TerminalAnswer } from './devices.ts'

export type CommandOfDesk = Pick<
  DeskDevices,
  | 'terminalProgram'
  | 'terminalPay'
  | 'terminalRefund'
  | 'terminalFiles'
  | 'terminalEncoding'
  | 'terminalApproved'
  | 'terminalDeclined'
  | 'terminalRrn'
>

export interface BankTask {
  program: string
  args: string[]
  files: string[]
  encoding: string
}

/** Output of the program: its text and its files. */
export interface BankAnswer {
  text: string
  files?: readonly string[]
}

/** Connection to the program: runs a named operation once, and reports its outcome. @throws DeviceError */
export interface BankWire {
  run(operation: string, task: BankTask): Promise<BankAnswer>
  fate(operation: string): Promise<BankAnswer | undefined>
}

const MAX_LINE = 400
const MAX_LINES = 400
const MAX_RRN = 32

/**
 * Matches a line with a pattern: `*` is any run of characters, `?` any single one, `{rrn}` a run of digits and Latin
 * letters.
 * @returns the text at `{rrn}`, '' if the pattern has none, undefined if the line does not match
 */
export function fits(line: string, pattern: string): string | undefined {
  const [before = '', after] = pattern.split('{rrn}')
  if (after === undefined) return matches(line, before) ? '' : undefined
  for (const found of line.matchAll(/[0-9A-Za-z]+/g)) {
    if (found[0].length > MAX_RRN) continue
    if (matches(line.slice(0, found.index), before) && matches(line.slice(found.index + found[0].length), after || '*'))
      return found[0]
  }
  return undefined
}

/** Glob of `*` and `?` over a whole line; takes time proportional to the product of both lengths. */
function matches(line: string, pattern: string): boolean {
  let [at, of, star, from] = [0, 0, -1, 0]
  while (at < line.length) {
    if (of < pattern.length && pattern[of] === '*') {
      star = of++
      from = at
    } else if (of < pattern.length && (pattern[of] === '?' || pattern[of] === line[at])) {
      at++
      of++
    } else if (star >= 0) {
      of = star + 1
      at = ++from
    } else return false
  }
  while (pattern[of] === '*') of++
  return of === pattern.length
}

/** Parses the program's output by the patterns of the desk. @throws DeviceError if no pattern matches */
export function readBank({ text, files = [] }: BankAnswer, desk: CommandOfDesk): TerminalAnswer {
  const lines = [...files, text]
    .join('\n')
    .split(/\r?\n/)
    .slice(0, MAX_LINES)
    .map((line) => line.trim().slice(0, MAX_LINE))
  const found = (pattern: string | null) =>
    pattern ? lines.find((line) => line !== '' && fits(line, pattern) !== undefined) : undefined
  const rrn = desk.terminalRrn
    ? lines.map((line) => fits(line, desk.terminalRrn as string)).find((one) => one)
    : undefined
  if (found(desk.terminalApproved)) return { isApproved: true, ...(rrn && { rrn }) }
  const refusal = found(desk.terminalDeclined)
  if (refusal) return { isApproved: false, message: refusal.slice(0, 200) }
  throw new DeviceError('Программа банка ответила непонятно: посмотрите на терминал и подтвердите сами', {
    isCertain: false,
  })
}

/** The arguments of a command: split by spaces, with the placeholders in braces filled in. */
export const argsOf = (template: string, values: Readonly<Record<string, string>>): string[] =>
  template
    .split(/\s+/)
    .filter(Boolean)
    .map((word) => word.replace(/\{([^{}]+)\}/g, (whole, name: string) => values[name] ?? whole))

export function bankTerminal(wire: BankWire, desk: CommandOfDesk): Terminal {
  const task = (template: string | null, kopecks: number, operation: string, rrn = ''): BankTask => {
    if (!desk.terminalProgram || !template)
      throw new DeviceError('Программа банка не указана в настройках кассы', { isCertain: true })
    return {
      program: desk.terminalProgram,
      args: argsOf(template, { копейки: String(kopecks), операция: operation, rrn }),
      files: (desk.terminalFiles ?? '').split(/\s+/).filter(Boolean),
      encoding: desk.terminalEncoding,
    }
  }
  return {
    pay: async (operation, kopecks) =>
      readBank(await wire.run(operation, task(desk.terminalPay, kopecks, operation)), desk),
    refund: async (operation, kopecks, paid) =>
      readBank(await wire.run(operation, task(desk.terminalRefund, kopecks, operation, paid?.rrn)), desk),
    async ask(operation) {
      const answer = await wire.fate(operation)
      return answer && readBank(answer, desk)
    },
    async total() {
      throw new DeviceError('Программа банка итогов не говорит', { isCertain: true })
    },
  }
}

/** A standalone terminal: a person carries the operation out and enters the outcome. */
export const manualTerminal: Terminal = {
  isManual: true,
  async pay() {
    throw new DeviceError('Проведите сумму на терминале и подтвердите', { isCertain: false })
  },
  async refund() {
    throw new DeviceError('Верните сумму на терминале и подтвердите', { isCertain: false })
  },
  async ask() {
    throw new DeviceError('Этот терминал не подключён: скажите сами, прошла ли операция', { isCertain: false })
  },
  async total() {
    throw new DeviceError('Этот терминал не подключён', { isCertain: true })
  },
}
