/** Simulator of a browser's push service: accepts, refuses, does not answer, or reports that the device is gone. */
import type { IncomingMessage } from 'node:http'
import { play } from './simulatorPage.ts'

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
  const { url, close } = await play(0, (request, response, body) => {
    const path = request.url ?? ''
    pushed.push({ path, headers: request.headers, body })
    const mood = moods.get(path)
    if (mood === 'breaks') request.socket.destroy()
    else response.writeHead(mood === 'gone' ? 410 : mood === 'refuses' ? 503 : 201).end()
  })
  return { url, pushed, moods, close }
}
