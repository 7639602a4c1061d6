/**
 * The form of a simulator of an outside system: a loopback server with its routes, the faults that every system has, and a
 * page that shows the traffic and breaks it. Its own modes (refusals of content, states of a document) stay in the simulator.
 */
import { createServer, type IncomingMessage, type OutgoingHttpHeaders, ServerResponse } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import type { AddressInfo } from 'node:net'

/**
 * - `refused`: the connection breaks before anything is read. - `silent`: no answer. - `late`: the answer comes after
 * half a second. - `lost`: carried out, the connection breaks before the answer. - `twice`: carried out twice, as by a
 * gateway that repeats. - `html`, `half`, `short`: carried out, the answer is a page, half of its body, or less than its
 * length says. - `fails`: 500 before it is carried out. - `busy`: 429. - `stranger`: 401.
 */
export const faults = {
  refused: 'Обрыв до запроса',
  silent: 'Молчит',
  late: 'Отвечает поздно',
  lost: 'Делает и обрывает связь',
  twice: 'Делает дважды',
  html: 'Делает и отвечает страницей',
  half: 'Отвечает половиной',
  short: 'Отвечает короче обещанного',
  fails: '500, ничего не сделав',
  busy: '429',
  stranger: '401',
} as const
export type Fault = keyof typeof faults

/** Answers one request. */
type Handler = (
  request: IncomingMessage,
  reply: ServerResponse,
  body: string,
  url: URL,
  bytes: Buffer<ArrayBuffer>,
) => unknown

/** The page of a simulator, at `/`. */
interface Page<M extends string> {
  title: string
  /** Its own modes, the first is the usual one; with their words, or without. */
  moods?: readonly M[] | Readonly<Record<M, string>>
  /** What it received, the latest last. */
  lines(): readonly string[]
  state?(): string
  /** Further buttons: name in the URL, label, and what it does. */
  actions?(): readonly (readonly [name: string, label: string, run: (value: string) => unknown])[]
}

interface Form<M extends string> {
  /** 0 or absent: any free port. */
  port?: number
  /** Serves TLS. */
  secure?: { key: string; cert: string }
  /** All requests, or by `METHOD /path`; another path gets 404. */
  routes: Handler | Readonly<Record<string, Handler>>
  page?: Page<M>
}

export interface Simulator<M extends string = string> {
  url: string
  /** Its own mode, for the next requests. */
  mood: M
  /** The common fault of the next requests; undefined: none. */
  fault: Fault | undefined
  close(): Promise<void>
}

const LATE_MS = 500
const TORN_MS = 20

export async function simulator<const M extends string = never>(form: Form<M>): Promise<Simulator<M>> {
  const { routes, page, port = 0, secure } = form
  const moods = page?.moods === undefined ? [] : Array.isArray(page.moods) ? page.moods : Object.keys(page.moods)
  const route: Handler = (request, reply, body, url, bytes) => {
    if (typeof routes === 'function') return routes(request, reply, body, url, bytes)
    const found = routes[`${request.method} ${url.pathname}`]
    return found ? found(request, reply, body, url, bytes) : say(reply, 404, {})
  }

  async function carry(request: IncomingMessage, reply: ServerResponse): Promise<unknown> {
    const url = new URL(request.url ?? '/', 'http://localhost')
    if (page && url.pathname === '/' && request.method === 'GET' && !request.headers.authorization)
      return show(url, reply)
    const { fault } = played
    if (fault === 'refused') return request.socket.destroy()
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const bytes = Buffer.concat(chunks)
    const work = (to: ServerResponse) => route(request, to, bytes.toString(), url, bytes)
    if (fault === undefined) return work(reply)
    if (fault === 'silent') return
    if (fault === 'fails') return reply.writeHead(500).end('Internal error')
    if (fault === 'busy') return reply.writeHead(429, { 'retry-after': '1' }).end('{}')
    if (fault === 'stranger') return reply.writeHead(401).end('{}')
    if (fault === 'twice') await held(request, work)
    const { status, headers, body } = await held(request, work)
    if (fault === 'lost') return request.socket.destroy()
    if (fault === 'html') return reply.writeHead(200, { 'content-type': 'text/html' }).end('<html>Шлюз')
    if (fault === 'late') await new Promise((next) => setTimeout(next, LATE_MS))
    if (fault !== 'half' && fault !== 'short') return reply.writeHead(status, headers).end(body)
    const part = body.subarray(0, Math.floor(body.length / 2))
    reply.writeHead(status, { ...headers, 'content-length': fault === 'half' ? part.length : body.length }).write(part)
    return fault === 'half' ? reply.end() : setTimeout(() => request.socket.destroy(), TORN_MS)
  }

  async function show(url: URL, reply: ServerResponse): Promise<unknown> {
    const { title, lines, state, actions = () => [] } = page as Page<M>
    const [[name = '', value = ''] = []] = [...url.searchParams]
    if ((moods as string[]).includes(name)) played.mood = name as M
    if (name === 'fault') played.fault = value in faults ? (value as Fault) : undefined
    await actions().find(([own]) => own === name)?.[2](value)
    const words = Array.isArray(page?.moods) ? {} : (page?.moods as Readonly<Record<string, string>> | undefined)
    const links = [
      ...moods.map((one) => [one, words?.[one] ?? one, one === played.mood] as const),
      ...actions().map(([one, label]) => [one, label, false] as const),
      ...Object.entries({ '': 'Без сбоя', ...faults }).map(
        ([one, label]) => [`fault=${one}`, label, one === (played.fault ?? '')] as const,
      ),
    ].map(([at, label, isNow]) => (isNow ? `<b aria-current="true">${label}</b>` : `<a href="?${at}">${label}</a>`))
    const items = lines()
      .toReversed()
      .slice(0, MOST_LINES)
      .map((line) => `<li><pre>${safe(line)}</pre></li>`)
    const shownState = state?.()
    return reply.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(
      `<!doctype html><html lang="ru"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${title}</title>
<style>${STYLE}</style><h1>${title}</h1><nav aria-label="Что играть">${links.join('')}</nav>${shownState ? `<p>${safe(shownState)}</p>` : ''}${items.length > 0 ? `<ol>${items.join('')}</ol>` : '<p>Обмена ещё не было: он появится здесь. Обновите страницу.</p>'}`,
    )
  }

  const listener = (request: IncomingMessage, reply: ServerResponse) => {
    void carry(request, reply).catch(() => request.socket.destroy())
  }
  const server = secure ? createSecureServer(secure, listener) : createServer(listener)
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  const played: Simulator<M> = {
    url: `http${secure ? 's' : ''}://127.0.0.1:${(server.address() as AddressInfo).port}`,
    mood: moods[0] as M,
    fault: undefined,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
  return played
}

/** Carries out a request and keeps its answer back. Never resolves if there is none. */
async function held(request: IncomingMessage, work: (reply: ServerResponse) => unknown) {
  const parts: Buffer[] = []
  const kept = { status: 200, headers: {} as OutgoingHttpHeaders, body: Buffer.alloc(0) }
  await new Promise<void>((done, failed) => {
    const reply = new ServerResponse(request)
    const add = (part: unknown) => part !== undefined && parts.push(Buffer.from(part as string))
    Object.assign(reply, {
      writeHead(status: number, headers: OutgoingHttpHeaders = {}) {
        Object.assign(kept, { status, headers })
        return reply
      },
      write: add,
      end(part?: unknown) {
        add(part)
        done()
      },
    })
    Promise.resolve(work(reply)).catch(failed)
  })
  return { ...kept, body: Buffer.concat(parts) }
}

export const say = (reply: ServerResponse, status: number, body: unknown): void =>
  void reply.writeHead(status, { 'content-type': 'application/json; charset=utf-8' }).end(JSON.stringify(body))

const MOST_LINES = 300
const safe = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
const STYLE = `body{font:14px/1.5 system-ui,sans-serif;margin:0;padding:24px;max-width:960px;color:#1a1b1e;background:#f6f7f9}
h1{font-size:20px;margin:0 0 12px}nav{display:flex;flex-wrap:wrap;gap:8px;margin-bottom:16px}
nav a,nav b{padding:4px 10px;border-radius:6px;border:1px solid #ced4da;text-decoration:none;color:inherit;background:#fff}
nav b{background:#1864ab;border-color:#1864ab;color:#fff}ol{list-style:none;margin:0;padding:0;display:grid;gap:8px}
li{background:#fff;border:1px solid #e9ecef;border-radius:6px;padding:8px 12px}pre{margin:0;white-space:pre-wrap;overflow-wrap:anywhere;font:12px/1.5 ui-monospace,monospace}
p{color:#495057}@media(prefers-color-scheme:dark){body{background:#17181b;color:#e9ecef}nav a,li{background:#232428;border-color:#373a40}p{color:#ced4da}}`
