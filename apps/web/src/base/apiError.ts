import { failureWords } from '#kit/failureWords.ts'

export interface FieldError {
  field: string
  message: string
}

/** Thrown by a refused or failed call. `status` is 0 when there was no answer. */
export class ApiError extends Error {
  readonly status: number
  /** The server's error code, if any; 'network' and 'timeout' are set here. */
  readonly code?: string
  /** 422: messages by field, in Russian. */
  readonly fields?: FieldError[]
  /** 409: the current record. */
  readonly current?: unknown
  /** 429: seconds to wait. */
  readonly retryAfter?: number
  readonly requestId?: string
  /** The complete refusal, for callers that use more of it: alternatives to a time that is taken. */
  readonly answer?: Readonly<Record<string, unknown>>
  /** A toast has shown it. */
  isShown = false

  constructor(details: {
    status: number
    name?: string
    message: string
    code?: string
    fields?: FieldError[]
    current?: unknown
    retryAfter?: number
    requestId?: string
    answer?: Record<string, unknown>
  }) {
    super(details.message)
    this.name = details.name ?? 'ApiError'
    this.status = details.status
    this.code = details.code
    this.fields = details.fields
    this.current = details.current
    this.retryAfter = details.retryAfter
    this.requestId = details.requestId
    this.answer = details.answer
  }

  /** Messages by field, the first of each. */
  get byField(): Record<string, string> {
    const found: Record<string, string> = {}
    for (const { field, message } of this.fields ?? []) found[field] ??= message
    return found
  }
}

const PLAIN: Record<number, string> = {
  0: 'Проверьте подключение к Интернету',
  400: 'Неверный запрос',
  401: 'Требуется вход в систему',
  403: 'Вам не разрешено выполнять данное действие',
  404: 'Запись не найдена',
  409: 'Запись уже изменена другим сотрудником',
  413: 'Файл слишком большой',
  422: 'Проверьте заполнение полей',
  429: 'Слишком много запросов, попробуйте позже',
}

export function plainMessage(status: number): string {
  return PLAIN[status] ?? 'Ошибка на сервере, попробуйте ещё раз'
}

/** Converts the server's answer: an array of field errors, the current record (409), or {name, message, status, code?}. */
export function toApiError(status: number, body: unknown, retryAfter?: string | null): ApiError {
  const wait = Number(retryAfter) > 0 ? Number(retryAfter) : undefined
  if (isRecord(body)) return new ApiError({ status, message: plainMessage(status), code: 'stale', current: body })
  if (Array.isArray(body)) {
    const fields = body as FieldError[]
    // From spec §5; users see the messages of the fields.
    return new ApiError({ status, message: 'The model failed validation', fields })
  }
  const answer = (body !== null && typeof body === 'object' ? body : {}) as Record<string, unknown>
  const text = (key: string) => (typeof answer[key] === 'string' && answer[key] ? (answer[key] as string) : undefined)
  return new ApiError({
    status,
    name: text('name'),
    message: text('message') ?? text('errorText') ?? plainMessage(status),
    code: text('code'),
    fields: Array.isArray(answer.fields) ? (answer.fields as FieldError[]) : undefined,
    retryAfter: wait,
    requestId: text('requestId'),
    answer,
  })
}

/** The text to show for any exception: Russian words, never those of the browser. */
export function errorMessage(error: unknown): string {
  if (error instanceof ApiError && error.fields && error.fields.length === 0) return plainMessage(error.status)
  return failureWords(error)
}

/** Every record has both, no error has. */
export const isRecord = (body: unknown): body is { id: number; _version: number } =>
  typeof body === 'object' && body !== null && 'id' in body && '_version' in body
