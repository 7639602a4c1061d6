/**
 * Schematron (ISO/IEC 19757-3, XPath 3.1 by fontoxpath) in a worker: parsing the ministry's rules takes seconds, running
 * them a quarter of a second. Parsed rule sets are cached by their hash.
 */
import { createHash } from 'node:crypto'
import { createHelper, onePerServer } from '../helper.ts'
import type { Logger } from '../log.ts'
import { startThread } from '../runner.ts'

const PROGRAM = new URL('./schematronWorker.ts', import.meta.url)
const WORK_MS = 60_000
const MEMORY_MB = 512
/** XPath creates so many small objects that with the default size four fifths of a check would be garbage collection. */
const YOUNG_MB = 384
/** Parsing the rules again takes seconds: the worker is kept between documents. */
const IDLE_MS = 15 * 60_000
const LIMITS = { running: 1, waiting: 300, person: { running: 1, waiting: 100 }, patienceMs: 120_000 }

/** A violated rule. */
export interface Broken {
  /** `У1-12`; empty: the message has no code. */
  code: string
  message: string
}
export type SchematronJob = { rules: string; key: string; document?: string }
export type SchematronAnswer = { broken: Broken[] } | { count: number } | { failed: string }

export interface Schematron {
  /** @param document well-formed XML, checked before @throws Error when the rules are broken */
  check(document: string, rules: string, who: number | string): Promise<Broken[]>
  /** Number of asserts and reports. @throws Error with a message for people when the rules cannot be parsed */
  count(rules: string, who: number | string): Promise<number>
  close(): Promise<void>
}

export function createSchematron(log: Pick<Logger, 'warn'>): Schematron {
  const helper = createHelper<SchematronJob, SchematronAnswer>({
    name: 'schematron',
    start: () => startThread(PROGRAM, { memoryMb: MEMORY_MB, youngMb: YOUNG_MB }),
    log,
    workMs: WORK_MS,
    idleMs: IDLE_MS,
    limits: LIMITS,
    words: {
      tooHard: () => new Error('Документ слишком велик или сложен для проверки'),
      ownWait: 'Предыдущие документы ещё проверяются. Дождитесь их',
      crowded: 'Сейчас проверяется слишком много документов. Повторите через минуту',
      busy: 'Сервер занят: повторите проверку через минуту',
    },
  })
  const keyOf = (rules: string) => createHash('sha256').update(rules).digest('hex')
  const run = async (job: SchematronJob, who: number | string) => {
    const answer = await helper.run(job, who)
    if ('failed' in answer) throw new Error(answer.failed)
    return answer
  }
  return {
    async check(document, rules, who) {
      const answer = await run({ rules, key: keyOf(rules), document }, who)
      return 'broken' in answer ? answer.broken : []
    },
    async count(rules, who) {
      const answer = await run({ rules, key: keyOf(rules) }, who)
      return 'count' in answer ? answer.count : 0
    },
    close: () => helper.close(),
  }
}

/** The Schematron checker of this server. */
export const schematronOf = onePerServer((log) => createSchematron(log))
