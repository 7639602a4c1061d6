import { staffCalls } from '@ordinator/model/areas/staff/calls'
import { ONLINE_MS, User } from '@ordinator/model/areas/staff/user'
import { markActive } from '#auth/index.ts'
import { operation } from '#records/operation.ts'

/** `GET /users/view?id=5&expand=…`: the older form of `GET /users/5`. */
const view = operation(staffCalls.view, ({ query: { id, ...params }, records }) => {
  return records.view(User, id, params as Record<string, string>)
})

const isOnline = operation(staffCalls.isOnline, async ({ app, actor, body }) => {
  await markActive(app.db, actor.id, actor.idSession)
  const online = await app.db.query<{ id: number }>({
    name: 'online',
    text: `select id from users where id = any($1::bigint[]) and not deleted and not "isBlocked"
        and "lastActive" > now() - make_interval(secs => $2)`,
    values: [body.users, ONLINE_MS / 1000],
  })
  const there = new Set(online.map((user) => user.id))
  return Object.fromEntries(body.users.map((id) => [id, there.has(id)]))
})

const setSipPhone = operation(staffCalls.setSipPhone, ({ actor, body, records }) =>
  records.asSystem
    .update(User, actor.id, { sipPhone: body.sipPhone || null })
    .then(({ id, sipPhone }) => ({ id, sipPhone })),
)

const setContacts = operation(staffCalls.setContacts, async ({ actor, body, records }) => {
  const given = Object.fromEntries(Object.entries(body).map(([name, value]) => [name, value?.trim() || null]))
  const { id, phone, email } = await records.asSystem.update(User, actor.id, given)
  return { id, phone, email }
})

export const presenceOperations = [view, isOnline, setSipPhone, setContacts]
