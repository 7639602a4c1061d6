/** Shared parts of the simulators: a loopback server, request bodies, and a page to see and break the traffic. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface Played {
  url: string
  close(): Promise<void>
}

/** @param port 0: any free port */
export async function play(
  port: number,
  answer: (
    request: IncomingMessage,
    reply: ServerResponse,
    body: string,
    url: URL,
    bytes: Buffer<ArrayBuffer>,
  ) => unknown,
): Promise<Played> {
  const server = createServer(async (request, reply) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const bytes = Buffer.concat(chunks)
    await answer(request, reply, bytes.toString(), new URL(request.url ?? '/', 'http://localhost'), bytes)
  })
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

export const say = (reply: ServerResponse, status: number, body: unknown): void =>
  void reply.writeHead(status, { 'content-type': 'application/json; charset=utf-8' }).end(JSON.stringify(body))

const safe = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')

const STYLE = `body{font:14px/1.5 system-ui,sans-serif;margin:0;padding:24px;max-width:960px;color:#1a1b1e;background:#f6f7f9}
h1{font-size:20px;margin:0 0 12px}nav{display:flex;flex-wrap:wrap;gap:8px;margin-bottom:16px}
nav a,nav b{padding:4px 10px;border-radius:6px;border:1px solid #ced4da;text-decoration:none;color:inherit;background:#fff}
nav b{background:#1864ab;border-color:#1864ab;color:#fff}ol{list-style:none;margin:0;padding:0;display:grid;gap:8px}
li{background:#fff;border:1px solid #e9ecef;border-radius:6px;padding:8px 12px}pre{margin:0;white-space:pre-wrap;overflow-wrap:anywhere;font:12px/1.5 ui-monospace,monospace}
p{color:#495057}@media(prefers-color-scheme:dark){body{background:#17181b;color:#e9ecef}nav a,li{background:#232428;border-color:#373a40}p{color:#ced4da}}`

/** A page with the modes and the received requests, latest first. */
export function showPage(
  reply: ServerResponse,
  title: string,
  {
    moods,
    mood,
    lines,
    state,
    actions = [],
  }: {
    moods: readonly string[]
    mood: string
    lines: readonly string[]
    state?: string
    /** Further actions: name in the URL, and label. */
    actions?: readonly (readonly [string, string])[]
  },
): void {
  const links = moods
    .map((one) => (one === mood ? `<b aria-current="true">${one}</b>` : `<a href="?${one}">${one}</a>`))
    .concat(actions.map(([one, label]) => `<a href="?${one}">${label}</a>`))
    .join('')
  const items = lines
    .toReversed()
    .slice(0, 300)
    .map((line) => `<li><pre>${safe(line)}</pre></li>`)
    .join('')
  reply.writeHead(200, { 'content-type': 'text/html; charset=utf-8' })
  reply.end(
    `<!doctype html><html lang="ru"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${title}</title>
<style>${STYLE}</style><h1>${title}</h1><nav aria-label="Что играть">${links}</nav>${state ? `<p>${safe(state)}</p>` : ''}${items ? `<ol>${items}</ol>` : '<p>Обмена ещё не было: он появится здесь. Обновите страницу.</p>'}`,
  )
}
