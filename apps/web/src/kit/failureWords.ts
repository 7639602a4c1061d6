/** Words for failures, for every screen. An error of the program or the browser is in English: it is never shown. */
const UNKNOWN = 'Неизвестная ошибка'
const PLAIN_FAILURE = 'Не получилось, попробуйте ещё раз'
const ABORTED = 'Запрос прерван, попробуйте ещё раз'

/** @returns Russian words of any exception */
export function failureWords(error: unknown): string {
  if (!(error instanceof Error)) return UNKNOWN
  const { fields } = error as { fields?: readonly { message: string }[] }
  const text = fields?.[0]?.message ?? error.message
  if (/\p{Script=Cyrillic}/u.test(text)) return text
  return error.name === 'AbortError' || error.name === 'TimeoutError' ? ABORTED : PLAIN_FAILURE
}

/** Whether the same call may succeed a little later: no answer, too many calls, a fault of the server. */
export function isPassing(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const { status } = error as { status?: number }
  if (status === undefined) return error instanceof DOMException
  return status === 0 || status === 408 || status === 429 || status >= 500
}
