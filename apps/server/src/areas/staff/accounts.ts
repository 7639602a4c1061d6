import { staffCalls } from '@ordinator/model/areas/staff/calls'
import { User } from '@ordinator/model/areas/staff/user'
import {
  endSession,
  endSessions,
  hashPassword,
  journal,
  journalActor,
  openSessionsOf,
  randomPassword,
  storePassword,
} from '#auth/index.ts'
import { notFound } from '#platform/errors.ts'
import { operation } from '#records/operation.ts'

const resetPassword = operation(staffCalls.resetPassword, async ({ app, actor, params: { id }, records }) => {
  await records.row(User, id)
  const password = randomPassword()
  const passwordHash = await hashPassword(password)
  await app.db.tx(async (tx) => {
    await storePassword(tx, id, passwordHash, true)
    await endSessions(tx, id, 'password')
    await journal(tx, {
      ...journalActor(actor),
      action: 'password',
      entityType: 'users',
      idEntity: id,
      basis: 'Пароль выдан администратором',
    })
  })
  return { password }
})

const slips = operation(staffCalls.slips, async ({ app, actor, records, body: { ids } }) => {
  const people = await Promise.all(ids.map((id) => records.row(User, id)))
  const made: {
    id: number
    fio: string
    post: string | null
    login: string
    password: string
    passwordHash: string
  }[] = []
  for (const { id, fio, post, login, lastActive } of people) {
    if (lastActive) continue
    const password = randomPassword()
    // In sequence: a hash takes as much memory as many requests.
    made.push({ id, fio, post, login, password, passwordHash: await hashPassword(password) })
  }
  await app.db.tx(async (tx) => {
    for (const { id, passwordHash } of made) {
      await storePassword(tx, id, passwordHash, true)
      await journal(tx, {
        ...journalActor(actor),
        action: 'password',
        entityType: 'users',
        idEntity: id,
        basis: 'Временный пароль напечатан на листке',
      })
    }
  })
  return {
    slips: made.map(({ passwordHash: _, ...slip }) => slip),
    passed: people.filter(({ id }) => !made.some((one) => one.id === id)).map(({ fio }) => fio),
  }
})

const block = operation(staffCalls.block, ({ params: { id }, records }) =>
  records.update(User, id, { isBlocked: true }),
)

const unblock = operation(staffCalls.unblock, ({ params: { id }, records }) =>
  records.update(User, id, { isBlocked: false }),
)

const sessions = operation(staffCalls.sessions, async ({ app, actor, params: { id }, records }) => {
  await records.row(User, id)
  const open = await openSessionsOf(app.db, id)
  return { items: open.map((session) => ({ ...session, isCurrent: session.id === actor.idSession })) }
})

const closeSession = operation(staffCalls.closeSession, async ({ app, actor, params: { id, idSession } }) => {
  await app.db.tx(async (tx) => {
    if ((await endSession(tx, idSession, 'closed', id)) === undefined) throw notFound('Сеанс уже завершён')
    await journal(tx, {
      ...journalActor(actor),
      action: 'logout',
      entityType: 'users',
      idEntity: id,
      basis: 'Сеанс завершён администратором',
    })
  })
})

export const accountsOperations = [resetPassword, slips, block, unblock, sessions, closeSession]
