import { ONLINE_MS, User } from '@ordinator/model/areas/staff/user'
import { z } from 'zod'
import { markSeen } from '../../auth/index.ts'
import { operation } from '../../records/operation.ts'

const MAX_ASKED = 1_000

/** `GET /users/view?id=5&expand=…`: the older spelling of `GET /users/5`. */
const view = operation({
  method: 'GET',
  path: '/users/view',
  summary: 'Сотрудник по номеру в строке запроса',
  access: 'signed-in',
  query: z.looseObject({ id: z.coerce.number().int().positive().max(Number.MAX_SAFE_INTEGER) }),
  answer: z.record(z.string(), z.unknown()),
  handler({ query: { id, ...params }, records }) {
    return records.view(User, id, params as Record<string, string>)
  },
})

const isOnline = operation({
  method: 'POST',
  path: '/users/is-online',
  summary: 'Кто из сотрудников в сети; спрашивающий отмечается как присутствующий',
  access: 'signed-in',
  bodyType: 'form',
  body: z.object({
    users: z.array(z.coerce.number().int().positive().max(Number.MAX_SAFE_INTEGER)).max(MAX_ASKED).default([]),
  }),
  answer: z.record(z.string(), z.boolean()),
  async handler({ app, actor, body }) {
    await markSeen(app.db, actor.id, actor.idSession)
    const online = await app.db.query<{ id: number }>({
      name: 'online',
      text: `select id from users where id = any($1::bigint[]) and not deleted and not "isBlocked"
        and "lastActive" > now() - make_interval(secs => $2)`,
      values: [body.users, ONLINE_MS / 1000],
    })
    const there = new Set(online.map((user) => user.id))
    return Object.fromEntries(body.users.map((id) => [id, there.has(id)]))
  },
})

const setSipPhone = operation({
  method: 'POST',
  path: '/users/set-sip-phone',
  summary: 'Свой внутренний номер телефона',
  access: 'signed-in',
  bodyType: 'form',
  body: z.object({ sipPhone: z.string().nullable() }),
  answer: z.record(z.string(), z.unknown()),
  handler: ({ actor, body, records }) =>
    records.asSystem
      .update(User, actor.id, { sipPhone: body.sipPhone || null })
      .then(({ id, sipPhone }) => ({ id, sipPhone })),
})

export const presenceOperations = [view, isOnline, setSipPhone]
