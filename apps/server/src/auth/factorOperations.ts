/** Calls of second factors: one's own, and their reset by staff managers. */
import { factorCalls } from '@ordinator/model/areas/auth/factorCalls'
import { User } from '@ordinator/model/areas/staff/user'
import sql from 'sql-template-tag'
import { barsOf, svgOf } from '#platform/barcodes.ts'
import { HttpError, notFound, ValidationError } from '#platform/errors.ts'
import type { ServerActor } from '#records/actor.ts'
import type { AppContext } from '#records/context.ts'
import { journal, journalActor } from '#records/journal.ts'
import { operation } from '#records/operation.ts'
import {
  addPasskey,
  beginPasskey,
  beginTotp,
  confirmTotp,
  factorsOf,
  firstCodes,
  hasFactor,
  MOST_FACTORS,
  removeFactor,
  removeFactors,
  renewCodes,
} from './factors.ts'
import { isPassword } from './passwords.ts'
import { authOf } from './registerAuth.ts'
import { endSessions } from './sessions.ts'
import { signal } from './signals.ts'
import { forgiveAttempt, refuseWaiting, takeAttempt } from './throttle.ts'

const authEntry = (actor: ServerActor, basis: string) =>
  ({ ...journalActor(actor), action: 'update', entityType: 'auth', basis }) as const

async function meOf({ db }: AppContext, { id }: ServerActor): Promise<{ id: number; login: string; fio: string }> {
  const me = await db.kept.one<{ login: string; fio: string }>(sql`
    select login, coalesce(nullif(concat_ws(' ', surname, name), ''), login) as fio from users where id = ${id}`)
  return { id, login: me?.login ?? '', fio: me?.fio ?? '' }
}

async function mustHaveRoom(app: AppContext, idUser: number): Promise<void> {
  const { items } = await factorsOf(app.db.kept, idUser)
  if (items.length >= MOST_FACTORS)
    throw new HttpError(409, `Вторых факторов уже ${items.length}: уберите лишний`, { code: 'many' })
}

const factors = operation(factorCalls.factors, ({ app, actor }) => factorsOf(app.db.kept, actor.id))

const begin = operation(factorCalls.beginTotp, async ({ app, actor }) => {
  await mustHaveRoom(app, actor.id)
  const { login } = await meOf(app, actor)
  const made = await app.db.kept.tx((tx) => beginTotp(tx, actor.id, login))
  const bars = await barsOf('qr', made.uri)
  return { ...made, qr: bars ? svgOf(bars) : '' }
})

const addTotp = operation(factorCalls.addTotp, async ({ app, actor, body }) => {
  const attempt = await takeAttempt(app.db.kept, `second factor ${actor.id}`, actor.ip ?? '')
  await refuseWaiting(app, attempt, authEntry(actor, ''))
  const codes = await app.db.kept.tx(async (tx) => {
    if (!(await confirmTotp(tx, actor.id, body.name, body.code))) return undefined
    await journal(tx, authEntry(actor, 'Подключено приложение с кодами'))
    if (actor.mustAddFactor) await signal(tx, { users: [actor.id] })
    return { codes: await firstCodes(tx, actor.id) }
  })
  if (!codes) throw new ValidationError([{ field: 'code', message: 'Код не подошёл: проверьте часы телефона' }])
  await forgiveAttempt(app.db.kept, attempt)
  return codes
})

const beginKey = operation(factorCalls.beginPasskey, async ({ app, actor }) => {
  await mustHaveRoom(app, actor.id)
  return { ...(await beginPasskey(app.db.kept, app.config, await meOf(app, actor))) }
})

const addKey = operation(factorCalls.addPasskey, async ({ app, actor, body }) => {
  const codes = await app.db.kept.tx(async (tx) => {
    if (!(await addPasskey(tx, app.config, actor.id, body.name, body.response))) return undefined
    await journal(tx, authEntry(actor, 'Добавлен ключ доступа'))
    if (actor.mustAddFactor) await signal(tx, { users: [actor.id] })
    return { codes: await firstCodes(tx, actor.id) }
  })
  if (!codes)
    throw new ValidationError([{ field: 'response', message: 'Ключ доступа не подтверждён: попробуйте ещё раз' }])
  return codes
})

const remove = operation(factorCalls.removeFactor, ({ app, actor, params }) =>
  app.db.kept.tx(async (tx) => {
    if (!(await removeFactor(tx, actor.id, params.id))) throw notFound('Такого фактора нет')
    await journal(tx, authEntry(actor, 'Убран второй фактор'))
    // If a role requires a second factor, the person now has access to nothing until adding one.
    await signal(tx, { users: [actor.id] })
  }),
)

const codes = operation(factorCalls.renewCodes, ({ app, actor }) =>
  app.db.kept.tx(async (tx) => {
    if (!(await hasFactor(tx, actor.id))) throw new HttpError(409, 'Сначала подключите второй фактор', { code: 'none' })
    await journal(tx, authEntry(actor, 'Новые коды восстановления'))
    return { codes: await renewCodes(tx, actor.id) }
  }),
)

const prove = operation(factorCalls.prove, async ({ app, actor, body, request }) => {
  const me = await app.db.kept.one<{ login: string; passwordHash: string | null }>({
    text: 'select u.login, s."passwordHash" from users u left join user_secrets s on s."idUser" = u.id where u.id = $1',
    values: [actor.id],
  })
  const attempt = await takeAttempt(app.db.kept, me?.login ?? '', request.ip, authOf(app).deviceOf(request))
  await refuseWaiting(app, attempt, authEntry(actor, ''))
  if (!(await isPassword(me?.passwordHash, body.password))) {
    await journal(app.db.kept, { ...authEntry(actor, 'Подтверждение: неверный пароль'), action: 'refused' })
    throw new ValidationError([{ field: 'password', message: 'Неверный пароль' }])
  }
  await forgiveAttempt(app.db.kept, attempt)
  await app.db.kept.tx(async (tx) => {
    await tx.query(sql`update sessions set "dateProof" = now() where id = ${actor.idSession ?? null}::uuid`)
    await signal(tx, { users: [actor.id] })
  })
})

const ofUser = operation(factorCalls.factorsOfUser, async ({ app, params, records }) => {
  await records.row(User, params.id)
  return factorsOf(app.db, params.id)
})

const reset = operation(factorCalls.resetFactors, async ({ app, actor, params, records }) => {
  await records.row(User, params.id)
  await app.db.tx(async (tx) => {
    if ((await removeFactors(tx, params.id)) === 0) throw notFound('Вторых факторов у сотрудника нет')
    await endSessions(tx, params.id, 'password')
    await signal(tx, { users: [params.id] })
    await journal(tx, {
      ...journalActor(actor),
      action: 'update',
      entityType: 'users',
      idEntity: params.id,
      basis: 'Вторые факторы сброшены администратором',
    })
  })
})

export const factorOperations = [factors, begin, addTotp, beginKey, addKey, remove, codes, prove, ofUser, reset]
