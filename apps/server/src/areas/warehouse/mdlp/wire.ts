/** The API of МДЛП: a code, a token valid for minutes, documents (sections 5 and 6 of its description). */
import { createHash } from 'node:crypto'
import sql from 'sql-template-tag'
import { readCommonSettings, secretOf } from '#areas/settings/index.ts'
import { clinicTestSignature } from '#areas/signatures/index.ts'
import { AdapterFault } from '#platform/adapter.ts'
import type { Answered } from '#platform/outbound.ts'
import { remote } from '#platform/remote.ts'
import type { AppContext } from '#records/context.ts'

const TIMEOUT = 15_000
const MAX_ANSWER = 32 * 1024 * 1024
/** Seconds before the end of a token at which it is renewed. */
const EARLY_S = 60
const TOKEN_MINUTES = 30
/** Documents per page of a list, and maximum number of pages per read. */
const PAGE = 100
const MAX_PAGES = 50

/** МДЛП has processed the request and refused it. */
export class MdlpRefusal extends Error {
  override name = 'MdlpRefusal'
  readonly code: string
  constructor(message: string, status: number) {
    super(message)
    this.code = String(status)
  }
}

/** No token, and only a person can get one. */
export class SignInNeeded extends AdapterFault {
  override name = 'SignInNeeded'
  constructor() {
    super('Нужен вход в МДЛП: подпишите его на странице «МДЛП»')
  }
}

export interface Listed {
  documentId: string
  schema: string
  sender: string
  isProcessed: boolean
}

export interface Mdlp {
  /** @param signature base64, detached @returns the id of the document at МДЛП */
  send(xml: string, signature: string, requestId: string): Promise<string>
  /** The id at МДЛП by our request id; undefined if nothing arrived. */
  byRequest(requestId: string): Promise<string | undefined>
  /** `processing` until the document is processed. */
  stateOf(documentId: string): Promise<'processing' | 'done'>
  ticket(documentId: string): Promise<string>
  /** Incoming or outgoing documents of one schema. @param since ISO */
  list(which: 'income' | 'outcome', schema: number, since: string): Promise<Listed[]>
  download(documentId: string): Promise<string>
  /** Packs in a box, including nested boxes. */
  packsOf(sscc: string): Promise<string[]>
  /** States of the packs that МДЛП knows. */
  states(sgtins: readonly string[]): Promise<Map<string, string>>
  /** A code to be signed. */
  code(): Promise<string>
  /** Signs in by a signature of the code, base64. @returns ISO */
  signIn(code: string, signature: string): Promise<string>
  check(): Promise<void>
}

/** The client configured by the settings; undefined if disabled or without an address. */
export async function mdlpOf(app: AppContext): Promise<Mdlp | undefined> {
  const { mdlpMode, mdlpAddress, mdlpClientId, mdlpUser } = await readCommonSettings(app.db)
  const base = (mdlpAddress || app.config.mdlpUrl)?.replace(/\/+$/, '')
  if (mdlpMode === 'off' || !base) return undefined
  const [secret = '', password = ''] = await Promise.all([
    secretOf(app.db, 'mdlpSecret'),
    secretOf(app.db, 'mdlpPassword'),
  ])
  const wire = remote(app, {
    adapter: 'mdlp',
    url: base,
    timeout: TIMEOUT,
    maxAnswer: MAX_ANSWER,
    ...(mdlpAddress === '' && { isOwn: true }),
  })
  const session = createHash('sha256').update(`${base}\n${mdlpClientId}\n${secret}\n${mdlpUser}`).digest('hex')

  const raw = (method: 'GET' | 'POST', path: string, body?: unknown, token?: string): Promise<Answered> =>
    wire.quietly({
      method,
      path,
      headers: { 'content-type': 'application/json', ...(token && { authorization: `token ${token}` }) },
      ...(method === 'POST' && { body: JSON.stringify(body ?? {}) }),
    })

  async function code(): Promise<string> {
    const answer = await raw('POST', '/auth', {
      client_id: mdlpClientId,
      client_secret: secret,
      user_id: mdlpUser,
      auth_type: password ? 'PASSWORD' : 'SIGNED_CODE',
    })
    const { code: given } = read(answer) as { code?: string }
    if (!given) throw new AdapterFault('МДЛП не даёт кода входа')
    return given
  }

  /** Stores the token for all processes. */
  async function keep(by: { code: string } & ({ signature: string } | { password: string })) {
    const { token, life_time } = read(await raw('POST', '/token', by)) as { token?: string; life_time?: number }
    if (!token) throw new AdapterFault('МДЛП не пускает: проверьте client_id, client_secret и пользователя')
    const kept = await app.db.one<{ until: string }>(sql`
      insert into mdlp_sessions ("key", "token", "dateUntil")
      values (${session}, ${token}, now() + make_interval(mins => ${life_time ?? TOKEN_MINUTES}))
      on conflict ("key") do update set "token" = excluded."token", "dateUntil" = excluded."dateUntil"
      returning to_json("dateUntil") #>> '{}' as until`)
    return { token, until: kept?.until ?? '' }
  }

  async function tokenOf(fresh: boolean): Promise<string> {
    const known = await app.db.one<{ token: string }>(sql`select "token" from mdlp_sessions
      where "key" = ${session} and "dateUntil" > now() + make_interval(secs => ${EARLY_S})`)
    if (known && !fresh) return known.token
    if (password) return (await keep({ code: await code(), password })).token
    const isSimulated = (await clinicTestSignature(app, Buffer.from(''))) !== undefined
    if (!isSimulated) throw new SignInNeeded()
    const given = await code()
    const signature = (await clinicTestSignature(app, Buffer.from(given))) as Buffer
    return (await keep({ code: given, signature: signature.toString('base64') })).token
  }

  function read({ status, bytes }: Answered): unknown {
    let told: unknown
    try {
      told = JSON.parse(bytes.toString('utf8'))
    } catch {
      told = undefined
    }
    if (status >= 400) {
      const { error_description, message } = (told ?? {}) as { error_description?: string; message?: string }
      const words = (error_description ?? message ?? `МДЛП отказывает (${status})`).slice(0, 500)
      // Without authentication the request was not processed: it is no result for a document.
      throw status === 401 ? new AdapterFault(words) : new MdlpRefusal(words, status)
    }
    return told
  }

  /** Renews a token that has expired early, once. */
  async function ask(method: 'GET' | 'POST', path: string, body?: unknown): Promise<Answered> {
    const first = await raw(method, path, body, await tokenOf(false))
    if (first.status !== 401) return first
    await app.db.query(sql`delete from mdlp_sessions where "key" = ${session}`)
    return raw(method, path, body, await tokenOf(true))
  }
  const json = async (method: 'GET' | 'POST', path: string, body?: unknown) =>
    (read(await ask(method, path, body)) ?? {}) as Record<string, unknown>

  /** XML directly, or through a link of theirs. */
  async function text(path: string): Promise<string> {
    const answer = await ask('GET', path)
    const said = answer.bytes.toString('utf8')
    if (answer.status < 400 && said.trimStart().startsWith('<')) return said
    const { link } = (read(answer) ?? {}) as { link?: string }
    if (!link?.startsWith(`${base}/`)) throw new AdapterFault('МДЛП не отдаёт документ')
    const file = await ask('GET', link.slice(base?.length))
    if (file.status >= 400) throw new AdapterFault('МДЛП не отдаёт документ')
    return file.bytes.toString('utf8')
  }

  return {
    async send(xml, signature, requestId) {
      const { document_id } = await json('POST', '/documents/send', {
        document: Buffer.from(xml).toString('base64'),
        sign: signature,
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
    async list(which, schema, since) {
      const found: Listed[] = []
      for (let page = 0; page < MAX_PAGES; page++) {
        const { documents } = await json('POST', `/documents/${which}`, {
          filter: { doc_type: String(schema), start_date: since },
          start_from: page * PAGE,
          count: PAGE,
        })
        const rows = (documents ?? []) as {
          document_id: string
          doc_type: number | string
          sender?: string
          doc_status?: string
        }[]
        for (const one of rows)
          found.push({
            documentId: String(one.document_id),
            schema: String(one.doc_type),
            sender: String(one.sender ?? ''),
            isProcessed: /PROCESSED|FAILED/.test(one.doc_status ?? ''),
          })
        if (rows.length < PAGE) break
      }
      return found
    },
    download: (documentId) => text(`/documents/download/${encodeURIComponent(documentId)}`),
    async states(sgtins) {
      const { entries } = await json('POST', '/reestr/sgtin/sgtins-by-list', { filter: { sgtins } })
      return new Map(
        ((entries ?? []) as { sgtin: string; status: string }[]).map(({ sgtin, status }) => [sgtin, status]),
      )
    },
    async packsOf(sscc) {
      const told = await json('GET', `/reestr/sscc/${encodeURIComponent(sscc)}/hierarchy`)
      const packs = new Set<string>()
      const boxes = [told]
      for (let box = boxes.pop(); box; box = boxes.pop())
        for (const child of (box.childs ?? box.down ?? []) as Record<string, unknown>[]) {
          if (typeof child.sgtin === 'string') packs.add(child.sgtin)
          boxes.push(child)
        }
      return [...packs]
    },
    code,
    signIn: async (given, signature) => (await keep({ code: given, signature })).until,
    async check() {
      await tokenOf(true)
    },
  }
}
