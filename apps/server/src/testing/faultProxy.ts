/**
 * The faults that every outside system has, in one place: a proxy on loopback in front of a simulator. Its modes of
 * business (refusals of content, states of a document) stay in the simulators.
 */
import { createServer, type IncomingMessage, type ServerResponse, request as send } from 'node:http'
import type { AddressInfo } from 'node:net'

/**
 * - `refused`: the connection breaks before anything is read. - `silent`: nobody answers. - `late`: the answer comes after
 * half a second. - `lost`: carried out, the connection breaks before the answer. - `twice`: carried out twice, as by a
 * gateway that repeats. - `html`, `half`, `short`: carried out, the answer is a page, half of its body, or less than its
 * length says. - `fails`: 500 before it is carried out. - `busy`: 429. - `stranger`: 401.
 */
export const faults = [
  'refused',
  'silent',
  'late',
  'lost',
  'twice',
  'html',
  'half',
  'short',
  'fails',
  'busy',
  'stranger',
] as const
export type Fault = (typeof faults)[number]

export interface FaultProxy {
  url: string
  /** Of the next requests; undefined: none. */
  fault: Fault | undefined
  /** Requests that have reached the simulator. */
  passed: number
  close(): Promise<void>
}

const LATE_MS = 500

/** @param target URL of the simulator, with its base path */
export async function startFaultProxy(target: string): Promise<FaultProxy> {
  const server = createServer((request, reply) => {
    void carry(request, reply).catch(() => request.socket.destroy())
  })

  async function carry(request: IncomingMessage, reply: ServerResponse): Promise<unknown> {
    const { fault } = proxy
    if (fault === 'refused') return request.socket.destroy()
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    if (fault === 'silent') return
    if (fault === 'fails') return reply.writeHead(500).end('Internal error')
    if (fault === 'busy') return reply.writeHead(429, { 'retry-after': '1' }).end('{}')
    if (fault === 'stranger') return reply.writeHead(401).end('{}')
    const body = Buffer.concat(chunks)
    if (fault === 'twice') await pass(request, body)
    const { status, headers, bytes } = await pass(request, body)
    if (fault === 'lost') return request.socket.destroy()
    if (fault === 'html') return reply.writeHead(200, { 'content-type': 'text/html' }).end('<html>Шлюз')
    if (fault === 'late') await new Promise((next) => setTimeout(next, LATE_MS))
    if (fault === 'half' || fault === 'short') {
      const part = bytes.subarray(0, Math.floor(bytes.length / 2))
      reply.writeHead(status, { ...headers, 'content-length': String(fault === 'half' ? part.length : bytes.length) })
      reply.write(part)
      return fault === 'half' ? reply.end() : setTimeout(() => request.socket.destroy(), 20)
    }
    return reply.writeHead(status, headers).end(bytes)
  }

  const pass = (request: IncomingMessage, body: Buffer) =>
    new Promise<{ status: number; headers: Record<string, string>; bytes: Buffer }>((resolve, reject) => {
      proxy.passed++
      const { host: _host, 'content-length': _length, ...headers } = request.headers
      const asked = send(`${target}${request.url}`, { method: request.method ?? 'GET', headers }, async (answer) => {
        const parts: Buffer[] = []
        for await (const part of answer) parts.push(part as Buffer)
        const type = answer.headers['content-type']
        const location = answer.headers.location
        resolve({
          status: answer.statusCode ?? 500,
          headers: { ...(type && { 'content-type': type }), ...(location && { location }) },
          bytes: Buffer.concat(parts),
        })
      })
      asked.on('error', reject)
      asked.end(body)
    })

  const proxy: FaultProxy = {
    url: '',
    fault: undefined,
    passed: 0,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  proxy.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return proxy
}
