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
} from '../../auth/index.ts'
import { notFound } from '../../platform/errors.ts'
import { operation } from '../../records/operation.ts'

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

export const accountsOperations = [resetPassword, block, unblock, sessions, closeSession]
