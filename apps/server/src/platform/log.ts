/**
 * The log: JSON lines on stdout. It never gets bodies, query strings, headers, cookies or tokens; of a request it
 * gets the method, the pattern of the route, the status, the time and who asked.
 */
import { type DestinationStream, type Logger, pino } from 'pino'
import type { LogLevel } from './config.ts'

export type { Logger } from 'pino'

export function createLog(level: LogLevel, stream?: DestinationStream): Logger {
  const options = {
    level,
    base: undefined,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
    serializers: { err: errorForLog },
  }
  return stream ? pino(options, stream) : pino(options)
}

/** What PostgreSQL adds to an error (`detail`, `where`, parameters) holds people's data and stays out. */
export function errorForLog(error: unknown): unknown {
  if (!(error instanceof Error)) return typeof error === 'string' ? error : typeof error
  const { code, table, column, constraint } = error as unknown as Record<string, unknown>
  return {
    type: error.name,
    message: error.message.slice(0, 500),
    code,
    table,
    column,
    constraint,
    stack: error.stack?.split('\n').slice(1, 12).join('\n'),
    ...(error.cause ? { cause: errorForLog(error.cause) } : {}),
  }
}
