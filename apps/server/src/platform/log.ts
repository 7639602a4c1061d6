/**
 * The log: JSON lines on stdout. It never contains bodies, query strings, headers, cookies or tokens; a request is logged
 * by method, route pattern, status, duration and user.
 */
import { type DestinationStream, type Logger, pino } from 'pino'
import type { LogLevel } from './configSchema.ts'

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

/** Drops PostgreSQL's details of an error (`detail`, `where`, parameters): they hold personal data. */
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
