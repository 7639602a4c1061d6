/** Simulator of a browser's push service: accepts, refuses, does not answer, or reports that the device is gone. */
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'

interface Pushed {
  path: string
  headers: IncomingMessage['headers']
  body: string
}

export interface PushSimulator {
  url: string
  pushed: Pushed[]
  /** Its answer, by the path of a device. */
  moods: Map<string, 'gone' | 'refuses' | 'breaks'>
  close(): Promise<unknown>
}

export async function startPushSimulator(): Promise<PushSimulator> {
  const pushed: Pushed[] = []
  const moods: PushSimulator['moods'] = new Map()
  const server = createServer(async (request, response) => {
    const path = request.url ?? ''
    let body = ''
    for await (const piece of request) body += piece
    pushed.push({ path, headers: request.headers, body })
    const mood = moods.get(path)
    if (mood === 'breaks') request.socket.destroy()
    else response.writeHead(mood === 'gone' ? 410 : mood === 'refuses' ? 503 : 201).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return { url, pushed, moods, close: () => new Promise((resolve) => server.close(resolve)) }
}
