/**
 * Errors of the HTTP contract. Any other exception becomes a 500 without details.
 * Messages are shown to people, so they are Russian.
 */
import { formatDay } from '@ordinator/model/format'
import { messages } from '@ordinator/model/messages'
import { plusDays } from '@ordinator/model/zone'

export interface FieldError {
  field: string
  message: string
}

export interface HttpErrorOptions {
  /** A machine-readable code, stable between versions: `stale`, `sessionWarning` … */
  code?: string
  headers?: Record<string, string>
  /** Replaces the standard error body, e.g. the current record of a 409. */
  body?: unknown
}

export class HttpError extends Error {
  readonly status: number
  readonly code: string | undefined
  readonly headers: Record<string, string> | undefined
  readonly body: unknown

  constructor(status: number, message: string, options: HttpErrorOptions = {}) {
    super(message)
    this.name = 'HttpError'
    this.status = status
    this.code = options.code
    this.headers = options.headers
    this.body = options.body
  }
}

/** 422: the body is an array of `{ field, message }`. */
export class ValidationError extends HttpError {
  readonly items: FieldError[]

  constructor(items: FieldError[]) {
    super(422, items[0]?.message ?? 'Данные заполнены неверно', { body: items })
    this.name = 'ValidationError'
    this.items = items
  }
}

export const badRequest = (message: string, code?: string): HttpError =>
  new HttpError(400, message, code === undefined ? {} : { code })

export const unauthorized = (message = 'Необходимо войти в систему', code?: string): HttpError =>
  new HttpError(401, message, code === undefined ? {} : { code })

export const forbidden = (message = 'Вам не разрешено выполнять данное действие', code?: string): HttpError =>
  new HttpError(403, message, code === undefined ? {} : { code })

export const notFound = (message = 'Запись не найдена'): HttpError => new HttpError(404, message)

/** 409 with the current record: an object, or JSON text from PostgreSQL, sent as it is. */
export const conflict = (current: unknown): HttpError =>
  new HttpError(409, 'Запись изменена другим пользователем', { code: 'stale', body: current })

export const tooMany = (seconds: number, message = 'Слишком много запросов, повторите позже'): HttpError =>
  new HttpError(429, message, { headers: { 'retry-after': String(Math.max(1, Math.ceil(seconds))) } })

interface PgError extends Error {
  code: string
  column?: string
  constraint?: string
  detail?: string
  table?: string
}

function isPgError(error: unknown): error is PgError {
  return (
    error instanceof Error &&
    'severity' in error &&
    'code' in error &&
    typeof error.code === 'string' &&
    error.code.length === 5
  )
}

/**
 * Converts PostgreSQL errors caused by the data sent into an answer that a person can act on.
 * Undefined: not such an error; the caller treats it as a fault of the server.
 */
export function fromPgError(error: unknown): HttpError | undefined {
  if (!isPgError(error)) return undefined
  const field = error.column ?? keyColumn(error.detail) ?? ''
  const invalid = (message: string): ValidationError => new ValidationError([{ field, message }])
  switch (error.code) {
    case '23505':
      return invalid('Такое значение уже есть')
    case '23503':
      return error.detail?.includes('still referenced')
        ? new HttpError(409, 'Запись используется в других записях', { code: 'referenced' })
        : invalid('Связанная запись не найдена')
    case '23502':
      return invalid('Обязательное поле')
    case '23514':
      return invalid(messages.unfit)
    case '23P01':
      return new ValidationError([overlapOf(error.detail)])
    case '22003':
      return invalid('Число вне допустимого диапазона')
    case '22001':
      return invalid('Слишком длинное значение')
    case '22007':
    case '22008':
      return invalid('Не корректный формат даты')
    case '22021':
    case '22P02':
    case '22P03':
    case '22P05':
      return invalid(messages.unfit)
    case '40001':
    case '40P01':
      return new HttpError(409, 'Запись одновременно меняют другие, повторите', { code: 'retry' })
    case '55P03':
      return new HttpError(409, 'Запись занята другой операцией, повторите', { code: 'locked' })
    case '57014':
      return new HttpError(503, 'Запрос выполнялся слишком долго и был остановлен', {
        code: 'timeout',
        headers: { 'retry-after': '5' },
      })
    case '53100':
      return noSpace()
    // Out of memory or connections, a server that starts, stops or is a standby now, an I/O error.
    case '53200':
    case '53300':
    case '57P01':
    case '57P02':
    case '57P03':
    case '57P05':
    case '25006':
    case '25P03':
    case '58030':
      return databaseAway()
    default:
      // Class 08: the connection.
      return error.code.startsWith('08') ? databaseAway() : undefined
  }
}

/** Error for overlapping periods: at the field of the first day, with the days of the other period. */
function overlapOf(detail = '') {
  const field = /daterange\("?([^",]+)"?/.exec(detail)?.[1] ?? ''
  const [, since, before] = /existing key .*[[(](\d{4}-\d\d-\d\d),(\d{4}-\d\d-\d\d)?\)\)\.?$/.exec(detail) ?? []
  if (!since) return { field, message: 'Период пересекается с другим' }
  const until = before ? ` по ${formatDay(plusDays(before, -1))}` : ''
  return { field, message: `На эти дни уже есть запись: с ${formatDay(since)}${until}` }
}

/** The database is unreachable; the request was not executed, or its result is unknown. */
export const databaseAway = (): HttpError =>
  new HttpError(503, 'База данных временно недоступна, повторите', {
    code: 'database',
    headers: { 'retry-after': '2' },
  })

/** The disk of the database or of the files is full. */
export const noSpace = (): HttpError =>
  new HttpError(507, 'На диске сервера не осталось места: сообщите администратору', {
    code: 'disk',
    headers: { 'retry-after': '60' },
  })

/**
 * The column of `Key (email)=(…) already exists.`; of several columns the last, which is the one entered within the
 * others: `("idTask", "idMember")`, `("idUser", lower(name))`. The values are ignored.
 */
function keyColumn(detail: string | undefined): string | undefined {
  const columns = detail?.match(/^Key \((.*?)\)=\(/)?.[1]
  return columns?.match(/(\w+)[")]*(?:::\w+\)*)?$/)?.[1]
}
