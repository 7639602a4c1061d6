import { z } from 'zod'
import { call } from './call.ts'

const count = z.int()

/** WebSocket statistics for administrators, of the process that answers. */
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
      /** Subscription requests in the queue. */
      queue: count,
      /** Bytes not yet read by clients. */
      unread: count,
      /** Clients disconnected for not reading. */
      slow: count,
      reads: count,
      /** Milliseconds of the last read with events, including sending. */
      lastReadMs: z.number(),
      lastReadAt: z.string().nullable(),
      cursor: z.string().nullable(),
    }),
  }),
}

/** The answer of `GET /socket/stats`: the hub of one server process. */
export type HubStats = z.output<(typeof socketCalls)['stats']['answer']>
