/** What the simulators of outside systems share: a server on the loopback, its body, and a page to see and break the traffic. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface Played {
  url: string
  close(): Promise<void>
}

/** @param port 0: any that is free */
export async function play(
  port: number,
  answer: (request: IncomingMessage, reply: ServerResponse, body: string, url: URL) => unknown,
): Promise<Played> {
  const server = createServer(async (request, reply) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    await answer(request, reply, Buffer.concat(chunks).toString(), new URL(request.url ?? '/', 'http://localhost'))
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

/** A page of the moods and of what has come, the latest first. */
export function showPage(
  reply: ServerResponse,
  title: string,
  { moods, mood, lines }: { moods: readonly string[]; mood: string; lines: readonly string[] },
): void {
  const links = moods.map((one) => (one === mood ? `<b>${one}</b>` : `<a href="/?${one}">${one}</a>`)).join(' ')
  const items = lines
    .toReversed()
    .slice(0, 300)
    .map((line) => `<li><pre>${safe(line)}</pre></li>`)
    .join('')
  reply.writeHead(200, { 'content-type': 'text/html; charset=utf-8' })
  reply.end(
    `<!doctype html><meta charset="utf-8"><title>${title}</title><h1>${title}</h1><p>${links}</p><ol>${items}</ol>`,
  )
}
