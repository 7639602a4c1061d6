import type { HubStats } from '@ordinator/model/realtime'
import { z } from 'zod'
import { type Operation, operation } from '../records/operation.ts'

const count = () => z.number().int()

/** What administrators see of the websocket; the figures are those of the process that answers. */
export const realtimeOperations = (stats: () => HubStats): readonly Operation[] => [
  operation({
    method: 'GET',
    path: '/socket/stats',
    summary: 'Показатели сокета: подключения, подписки, события',
    access: 'testSocket',
    answer: z.object({
      clients: count(),
      users: count(),
      listeners: count(),
      sent: count(),
      events: count(),
      queue: count(),
      unread: count(),
      slow: count(),
      reads: count(),
      lastReadMs: z.number(),
      lastReadAt: z.string().nullable(),
      cursor: z.string().nullable(),
    }),
    handler: () => stats(),
  }),
]
