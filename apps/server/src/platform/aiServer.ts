/** Request to a server with the OpenAI protocol: limited in time and size, with readable errors. */

import { ValidationError } from './errors.ts'
import { type Outbound, Unreached } from './outbound.ts'

export interface AiServer {
  /** Without a slash at the end. */
  url: string
  token?: string | undefined
  /** Guard for addresses entered by a user. */
  through?: Outbound
}

export type AiReply =
  /** An answer of any status; `isCut`: longer than the limit, the rest was dropped. */
  | { is: 'answer'; status: number; text: string; isCut: boolean }
  /** Timeout or refused connection. */
  | { is: 'silent'; reason: string }
  /** The address is not allowed. */
  | { is: 'barred'; reason: string }

interface Asked {
  body: string | Uint8Array<ArrayBuffer>
  type: string
  /** Milliseconds. */
  timeout: number
  /** Bytes. */
  maxAnswer: number
}

export async function askAi({ url, token, through }: AiServer, path: string, asked: Asked): Promise<AiReply> {
  const { body, type, timeout, maxAnswer } = asked
  const headers = { 'content-type': type, ...(token && { authorization: `Bearer ${token}` }) }
  try {
    if (!through) return await plain(`${url}${path}`, headers, asked)
    const { status, answer } = await through.post(`${url}${path}`, body, { headers, timeout, maxAnswer: maxAnswer + 1 })
    return { is: 'answer', status, text: answer, isCut: Buffer.byteLength(answer) > maxAnswer }
  } catch (error) {
    if (error instanceof Unreached) return { is: 'silent', reason: error.items[0]?.message ?? 'Не ответил' }
    if (error instanceof ValidationError) return { is: 'barred', reason: error.items[0]?.message ?? 'Адрес закрыт' }
    const isLate = error instanceof Error && (error.name === 'TimeoutError' || error.name === 'AbortError')
    return { is: 'silent', reason: isLate ? 'Не ответил вовремя' : 'Не удалось соединиться' }
  }
}

/** For the server's own setting, whose address may be in the internal network. */
async function plain(
  url: string,
  headers: Record<string, string>,
  { body, timeout, maxAnswer }: Asked,
): Promise<AiReply> {
  const answer = await fetch(url, {
    method: 'POST',
    headers,
    body,
    redirect: 'error',
    signal: AbortSignal.timeout(timeout),
  })
  const parts: Uint8Array[] = []
  let size = 0
  for await (const part of answer.body ?? []) {
    parts.push(part)
    size += part.length
    if (size > maxAnswer) break
  }
  const text = Buffer.concat(parts).subarray(0, maxAnswer).toString('utf8')
  return { is: 'answer', status: answer.status, text, isCut: size > maxAnswer }
}

/** Russian reason for a failed status. The server's own text may repeat the input and is left out. */
export function refusalWords(status: number): string {
  if (status === 401 || status === 403) return 'Ключ не подошёл'
  if (status === 404) return 'По этому адресу нет такой службы или модели'
  if (status === 413) return 'Слишком большой запрос'
  if (status === 429) return 'Слишком много запросов: повторите позже'
  if (status >= 500) return `Сервер ответил ошибкой ${status}`
  return `Отказ ${status}`
}
