/** Request to a server with the OpenAI protocol: limited in time and size, with readable errors. */

import { type Outbound, openOutbound } from './outbound.ts'
import { RemoteFault, remote } from './remote.ts'

export interface AiServer {
  /** Without a slash at the end. */
  url: string
  token?: string | undefined
  /** Guard for addresses entered by a user. */
  through?: Outbound
}

export type AiReply =
  /** An answer of any status; `isCut`: longer than the limit, its text was dropped, as that of a failure is. */
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
  const wire = remote(
    { outbound: through ?? openOutbound(), exchanged: async () => {} },
    {
      ...{ adapter: 'llm', url, timeout, maxAnswer },
      // The address of a server setting may be in the internal network.
      ...(!through && { isOwn: true }),
      ...(token && { auth: () => ({ authorization: `Bearer ${token}` }) }),
    },
  )
  try {
    const { status, bytes } = await wire.quietly({
      method: 'POST',
      path,
      headers: { 'content-type': type },
      body: typeof body === 'string' ? body : Buffer.from(body),
    })
    return { is: 'answer', status, text: bytes.toString('utf8'), isCut: false }
  } catch (error) {
    if (!(error instanceof RemoteFault)) throw error
    const { message, code, why } = error
    if (why === 'tooLong') return { is: 'answer', status: 200, text: '', isCut: true }
    if (code !== undefined) return { is: 'answer', status: Number(code), text: '', isCut: false }
    return { is: why === 'barred' ? 'barred' : 'silent', reason: message }
  }
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
