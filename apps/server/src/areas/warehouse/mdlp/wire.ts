/** The API of МДЛП: a code, a token valid for minutes, documents (sections 5 and 6 of its description). */
import { createHash } from 'node:crypto'
import sql from 'sql-template-tag'
import { readCommonSettings, secretOf } from '#areas/settings/index.ts'
import { clinicTestSignature } from '#areas/signatures/index.ts'
import { AdapterFault } from '#platform/adapter.ts'
import type { Answered } from '#platform/outbound.ts'
import { RemoteFault, type RemoteRequest, remote } from '#platform/remote.ts'
import { SignInRefused, session, type TokenStore } from '#platform/session.ts'
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
  const name = createHash('sha256').update(`${base}\n${mdlpClientId}\n${secret}\n${mdlpUser}`).digest('hex')

  const requestOf = (method: 'GET' | 'POST', path: string, body?: unknown): RemoteRequest => ({
    method,
    path,
    headers: { 'content-type': 'application/json' },
    ...(method === 'POST' && { body: JSON.stringify(body ?? {}) }),
  })
  const signing = (path: string, body: unknown): Promise<Answered> =>
    wire.quietly({ ...requestOf('POST', path, body), isSignIn: true })

  async function code(): Promise<string> {
    const answer = await signing('/auth', {
      client_id: mdlpClientId,
      client_secret: secret,
      user_id: mdlpUser,
      auth_type: password ? 'PASSWORD' : 'SIGNED_CODE',
    })
    const { code: given } = read(answer) as { code?: string }
    if (!given) throw new AdapterFault('МДЛП не даёт кода входа')
    return given
  }

  /** Of all processes. */
  const store: TokenStore & { until(): Promise<string> } = {
    read: async () =>
      (
        await app.db.one<{ token: string }>(sql`select "token" from mdlp_sessions
          where "key" = ${name} and "dateUntil" > now() + make_interval(secs => ${EARLY_S})`)
      )?.token,
    async keep(token, seconds) {
      await app.db.query(sql`insert into mdlp_sessions ("key", "token", "dateUntil")
        values (${name}, ${token}, now() + make_interval(secs => ${seconds}))
        on conflict ("key") do update set "token" = excluded."token", "dateUntil" = excluded."dateUntil"`)
    },
    async drop(token) {
      await app.db.query(sql`delete from mdlp_sessions where "key" = ${name} and "token" = ${token}`)
    },
    until: async () =>
      (
        await app.db.one<{ until: string }>(
          sql`select to_json("dateUntil") #>> '{}' as until from mdlp_sessions where "key" = ${name}`,
        )
      )?.until ?? '',
  }

  async function grantOf(by: { code: string } & ({ signature: string } | { password: string })) {
    const { token, life_time } = read(await signing('/token', by)) as { token?: string; life_time?: number }
    if (!token) throw new AdapterFault('МДЛП не пускает: проверьте client_id, client_secret и пользователя')
    return { token, seconds: (life_time ?? TOKEN_MINUTES) * 60 }
  }

  async function byItself() {
    if (password) return grantOf({ code: await code(), password })
    const isSimulated = (await clinicTestSignature(app, Buffer.from(''))) !== undefined
    if (!isSimulated) throw new SignInNeeded()
    const given = await code()
    const signature = (await clinicTestSignature(app, Buffer.from(given))) as Buffer
    return grantOf({ code: given, signature: signature.toString('base64') })
  }

  const signed = session(wire, {
    key: [name, password],
    store,
    headers: (token) => ({ authorization: `token ${token}` }),
    taken: 'МДЛП не принимает вход: учётной записью, видимо, пользуется ещё одна система',
    // A refused sign-in is no result for the document that needed it.
    signIn: () =>
      byItself().catch((error: unknown) => {
        throw error instanceof MdlpRefusal ? new SignInRefused(`МДЛП не пускает: ${error.message}`) : error
      }),
  })

  /** @throws MdlpRefusal; RemoteFault if the answer cannot be read: it may follow after the work */
  function read({ status, bytes }: Answered): Record<string, unknown> {
    let told: unknown
    try {
      told = JSON.parse(bytes.toString('utf8'))
    } catch {
      told = undefined
    }
    if (status >= 400) {
      const { error_description, message } = (told ?? {}) as { error_description?: string; message?: string }
      const words = (error_description ?? message ?? `МДЛП отказывает (${status})`).slice(0, 500)
      throw new MdlpRefusal(words, status)
    }
    if (typeof told !== 'object' || told === null) throw new RemoteFault('Ответ МДЛП не читается', true, String(status))
    return told as Record<string, unknown>
  }

  const ask = (method: 'GET' | 'POST', path: string, body?: unknown): Promise<Answered> =>
    signed.quietly(requestOf(method, path, body))
  const json = async (method: 'GET' | 'POST', path: string, body?: unknown) => read(await ask(method, path, body))

  /** XML directly, or through a link of theirs. */
  async function text(path: string): Promise<string> {
    const answer = await ask('GET', path)
    const said = answer.bytes.toString('utf8')
    if (answer.status < 400 && said.trimStart().startsWith('<')) return said
    const { link } = read(answer) as { link?: string }
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
      if (typeof document_id !== 'string') throw new RemoteFault('МДЛП не назвал номер документа', true)
      return document_id
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
    async signIn(given, signature) {
      const { token, seconds } = await grantOf({ code: given, signature })
      await store.keep(token, seconds)
      return store.until()
    },
    check: () => signed.renew(),
  }
}
