/** The API of МДЛП: a code, a token for its minutes, documents (sections 5 and 6 of its description). */
import { createHash } from 'node:crypto'
import { AdapterFault } from '../../../platform/adapter.ts'
import { Unreached } from '../../../platform/outbound.ts'
import type { AppContext } from '../../../records/context.ts'
import { readCommonSettings, secretOf } from '../../settings/index.ts'
import { signatureForSimulator } from '../../signatures/index.ts'

const TIMEOUT = 15_000
const MAX_ANSWER = 32 * 1024 * 1024
/** A token is asked for anew so long before it ends. */
const EARLY_MS = 60_000

/** МДЛП refuses: it has looked at what was sent. */
export class MdlpRefusal extends Error {
  override name = 'MdlpRefusal'
}

export interface Mdlp {
  /** @returns what they call the document */
  send(xml: string, requestId: string): Promise<string>
  /** What they know by our name of it; undefined: nothing came. */
  byRequest(requestId: string): Promise<string | undefined>
  /** `processing` until they have looked at it. */
  stateOf(documentId: string): Promise<'processing' | 'done'>
  ticket(documentId: string): Promise<string>
  incoming(): Promise<{ documentId: string; schema: string; sender: string }[]>
  download(documentId: string): Promise<string>
  /** States of packs, of those that they know. */
  states(sgtins: readonly string[]): Promise<Map<string, string>>
  check(): Promise<void>
}

interface Token {
  token: string
  until: number
}
const tokens = new WeakMap<AppContext, Map<string, Token>>()

/** Connected as the settings say; undefined: it is off, or has no address. */
export async function mdlpOf(app: AppContext): Promise<Mdlp | undefined> {
  const { mdlpMode, mdlpAddress, mdlpClientId, mdlpUser } = await readCommonSettings(app.db)
  const base = (mdlpAddress || app.config.mdlpUrl)?.replace(/\/+$/, '')
  if (mdlpMode === 'off' || !base) return undefined
  const isNamed = mdlpAddress !== ''
  const secret = (await secretOf(app.db, 'mdlpSecret')) ?? ''

  /** @throws AdapterFault beside the simulator: the clinic's key is with a person, and not on the server */
  function signed(content: Buffer): string {
    if (mdlpMode !== 'simulator')
      throw new AdapterFault('МДЛП ждёт подписи человека: подписание МДЛП через КриптоПро пока не работает')
    return signatureForSimulator(content).toString('base64')
  }

  async function raw(
    method: 'GET' | 'POST',
    path: string,
    body?: unknown,
    token?: string,
  ): Promise<{ status: number; answer: string }> {
    const headers = { 'content-type': 'application/json', ...(token && { authorization: `token ${token}` }) }
    const text = body === undefined ? '' : JSON.stringify(body)
    try {
      if (isNamed)
        return method === 'GET'
          ? await app.outbound.get(`${base}${path}`, { headers, maxAnswer: MAX_ANSWER })
          : await app.outbound.post(`${base}${path}`, text, { headers, maxAnswer: MAX_ANSWER })
      const answer = await fetch(`${base}${path}`, {
        method,
        headers,
        redirect: 'error',
        signal: AbortSignal.timeout(TIMEOUT),
        ...(method === 'POST' && { body: text }),
      })
      return { status: answer.status, answer: await answer.text() }
    } catch (error) {
      if (error instanceof Unreached || !(error instanceof Error) || !('items' in error))
        throw new AdapterFault('МДЛП не отвечает')
      throw error
    }
  }

  async function tokenOf(fresh: boolean): Promise<string> {
    const key = createHash('sha256').update(`${base}\n${mdlpClientId}\n${secret}\n${mdlpUser}`).digest('hex')
    const kept = tokens.get(app) ?? new Map<string, Token>()
    tokens.set(app, kept)
    const known = kept.get(key)
    if (known && !fresh && known.until > Date.now()) return known.token
    const coded = await raw('POST', '/auth', {
      client_id: mdlpClientId,
      client_secret: secret,
      user_id: mdlpUser,
      auth_type: 'SIGNED_CODE',
    })
    const { code } = read(coded) as { code?: string }
    if (!code) throw new AdapterFault('МДЛП не даёт кода входа')
    const given = await raw('POST', '/token', { code, signature: signed(Buffer.from(code)) })
    const { token, life_time } = read(given) as { token?: string; life_time?: number }
    if (!token) throw new AdapterFault('МДЛП не пускает: проверьте client_id, client_secret и пользователя')
    kept.set(key, { token, until: Date.now() + (life_time ?? 30) * 60_000 - EARLY_MS })
    return token
  }

  function read({ status, answer }: { status: number; answer: string }): unknown {
    if (status >= 500 || status === 429) throw new AdapterFault(`МДЛП отвечает ошибкой ${status}`)
    let told: unknown
    try {
      told = JSON.parse(answer)
    } catch {
      told = undefined
    }
    if (status >= 400) {
      const { error_description, message } = (told ?? {}) as { error_description?: string; message?: string }
      throw new MdlpRefusal((error_description ?? message ?? `МДЛП отказывает (${status})`).slice(0, 500))
    }
    return told
  }

  /** A token that has ended early is asked for once more. */
  async function ask(
    method: 'GET' | 'POST',
    path: string,
    body?: unknown,
  ): Promise<{ status: number; answer: string }> {
    const first = await raw(method, path, body, await tokenOf(false))
    return first.status === 401 ? raw(method, path, body, await tokenOf(true)) : first
  }
  const json = async (method: 'GET' | 'POST', path: string, body?: unknown) =>
    read(await ask(method, path, body)) as Record<string, unknown>

  /** XML as it is, or through a link of their own. */
  async function text(path: string): Promise<string> {
    const answer = await ask('GET', path)
    if (answer.status < 400 && answer.answer.trimStart().startsWith('<')) return answer.answer
    const { link } = (read(answer) ?? {}) as { link?: string }
    if (!link?.startsWith(`${base}/`)) throw new AdapterFault('МДЛП не отдаёт документ')
    const file = await ask('GET', link.slice(base?.length))
    if (file.status >= 400) throw new AdapterFault('МДЛП не отдаёт документ')
    return file.answer
  }

  return {
    async send(xml, requestId) {
      const document = Buffer.from(xml).toString('base64')
      const { document_id } = await json('POST', '/documents/send', {
        document,
        sign: signed(Buffer.from(document)),
        request_id: requestId,
      })
      return String(document_id)
    },
    async byRequest(requestId) {
      const { documents } = await json('GET', `/documents/request/${encodeURIComponent(requestId)}`)
      const [first] = (documents ?? []) as { document_id?: string }[]
      return first?.document_id
    },
    async stateOf(documentId) {
      const { doc_status } = await json('GET', `/documents/${encodeURIComponent(documentId)}`)
      return /PROCESSED|FAILED|READY/.test(String(doc_status)) ? 'done' : 'processing'
    },
    ticket: (documentId) => text(`/documents/${encodeURIComponent(documentId)}/ticket`),
    async incoming() {
      const { documents } = await json('POST', '/documents/income', {
        filter: { doc_type: '601' },
        start_from: 0,
        count: 100,
      })
      return ((documents ?? []) as { document_id: string; doc_type: number | string; sender?: string }[]).map(
        (one) => ({
          documentId: String(one.document_id),
          schema: String(one.doc_type),
          sender: String(one.sender ?? ''),
        }),
      )
    },
    download: (documentId) => text(`/documents/download/${encodeURIComponent(documentId)}`),
    async states(sgtins) {
      const { entries } = await json('POST', '/reestr/sgtin/sgtins-by-list', { filter: { sgtins } })
      return new Map(
        ((entries ?? []) as { sgtin: string; status: string }[]).map(({ sgtin, status }) => [sgtin, status]),
      )
    },
    async check() {
      await tokenOf(true)
    },
  }
}
