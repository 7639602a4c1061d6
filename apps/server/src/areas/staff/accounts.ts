import { User } from '@ordinator/model/areas/staff/user'
import { z } from 'zod'
import {
  endSession,
  endSessions,
  hashPassword,
  journal,
  journalActor,
  openSessionsOf,
  randomPassword,
  sessionId,
  sessionsAnswer,
  storePassword,
} from '../../auth/index.ts'
import { notFound } from '../../platform/errors.ts'
import { operation } from '../../records/operation.ts'

const idParam = z.object({ id: z.coerce.number().int().positive().max(Number.MAX_SAFE_INTEGER) })
const record = z.record(z.string(), z.unknown())

const resetPassword = operation({
  method: 'POST',
  path: '/users/:id/reset-password',
  summary: 'Новый случайный пароль: показывается один раз, сеансы сотрудника завершаются',
  access: 'editUsers',
  params: idParam,
  answer: z.object({ password: z.string() }),
  async handler({ app, actor, params: { id }, records }) {
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
  },
})

const blocking = (verb: 'block' | 'unblock', summary: string) =>
  operation({
    method: 'POST',
    path: `/users/:id/${verb}`,
    summary,
    access: 'editUsers',
    params: idParam,
    answer: record,
    handler: ({ params: { id }, records }) => records.update(User, id, { isBlocked: verb === 'block' }),
  })

const sessions = operation({
  method: 'GET',
  path: '/users/:id/sessions',
  summary: 'Открытые сеансы сотрудника',
  access: 'editUsers',
  params: idParam,
  answer: sessionsAnswer,
  async handler({ app, actor, params: { id }, records }) {
    await records.row(User, id)
    const open = await openSessionsOf(app.db, id)
    return { items: open.map((session) => ({ ...session, isCurrent: session.id === actor.idSession })) }
  },
})

const closeSession = operation({
  method: 'DELETE',
  path: '/users/:id/sessions/:idSession',
  summary: 'Завершить сеанс сотрудника',
  access: 'editUsers',
  status: 204,
  params: idParam.extend({ idSession: sessionId.shape.id }),
  async handler({ app, actor, params: { id, idSession } }) {
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
  },
})

export const accountsOperations = [
  resetPassword,
  blocking('block', 'Закрыть сотруднику вход'),
  blocking('unblock', 'Открыть сотруднику вход'),
  sessions,
  closeSession,
]
