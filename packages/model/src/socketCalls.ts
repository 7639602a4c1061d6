import { z } from 'zod'
import { call } from './call.ts'

const count = z.int()

/** What administrators see of the websocket; the figures are those of the process that answers. */
export const socketCalls = {
  stats: call({
    method: 'GET',
    path: '/socket/stats',
    summary: 'Показатели сокета: подключения, подписки, события',
    access: 'testSocket',
    answer: z.object({
      clients: count,
      users: count,
      listeners: count,
      /** Messages sent since the start. */
      sent: count,
      /** Events read from the history since the start. */
      events: count,
      /** Listeners' requests that wait their turn. */
      queue: count,
      /** Bytes that clients have not read yet. */
      unread: count,
      /** Clients cut off for not reading. */
      slow: count,
      reads: count,
      /** Milliseconds of the last read that found something, its sending included. */
      lastReadMs: z.number(),
      lastReadAt: z.string().nullable(),
      cursor: z.string().nullable(),
    }),
  }),
}

/** What `GET /socket/stats` answers: the hub of one server process. */
export type HubStats = z.output<(typeof socketCalls)['stats']['answer']>
