/** Simulator of a browser's push service: accepts, refuses, does not answer, or reports that the device is gone. */
import type { IncomingMessage } from 'node:http'
import { type Simulator, simulator } from './simulator.ts'

interface Pushed {
  path: string
  headers: IncomingMessage['headers']
  body: string
}

export interface PushSimulator extends Simulator {
  pushed: Pushed[]
  /** Its answer, by the path of a device. */
  moods: Map<string, 'gone' | 'refuses' | 'breaks'>
}

export async function startPushSimulator(): Promise<PushSimulator> {
  const pushed: Pushed[] = []
  const moods: PushSimulator['moods'] = new Map()
  const server = await simulator({
    routes(request, response, body) {
      const path = request.url ?? ''
      pushed.push({ path, headers: request.headers, body })
      const mood = moods.get(path)
      if (mood === 'breaks') request.socket.destroy()
      else response.writeHead(mood === 'gone' ? 410 : mood === 'refuses' ? 503 : 201).end()
    },
  })
  return Object.assign(server, { pushed, moods })
}
