import { trainingCalls } from '@ordinator/model/areas/training/calls'
import sql, { raw } from 'sql-template-tag'
import { shortFioSql } from '#areas/staff/index.ts'
import { notFound } from '#platform/errors.ts'
import type { Area } from '#records/area.ts'
import type { AppContext } from '#records/context.ts'
import { type Operation, operation } from '#records/operation.ts'
import { closeToOthers, session, tasks } from './inside.ts'
import { createTraining, type Training } from './process.ts'
import { keepDone, keptDone } from './progress.ts'
import { passOn } from './proxy.ts'
import { trainingSecret, writeTicket } from './ticket.ts'

const trainings = new WeakMap<AppContext, Training>()

/** @throws HttpError 404 inside a training clinic: it has none of its own */
function trainingOf(app: AppContext): Training {
  const training = trainings.get(app)
  if (!training) throw notFound('Это уже учебная клиника')
  return training
}

const look = operation(trainingCalls.look, async ({ app, actor }) => {
  const training = trainingOf(app)
  await keepDone(app.db)
  const done = await keptDone(app.db, [actor.id])
  return { ...training.state(), done: done.map(({ role, task, at }) => ({ role, task, at })) }
})

const enter = operation(trainingCalls.enter, async ({ app, actor, body: { role } }) => {
  const training = trainingOf(app)
  training.touch()
  await training.open()
  const state = training.state()
  if (state.state !== 'ready') return { ...state, ticket: null }
  const person = await app.db.one<{ surname: string | null; name: string | null; middleName: string | null }>(
    sql`select "surname", "name", "middleName" from users where "id" = ${actor.id}`,
  )
  const { surname, name, middleName } = person ?? { surname: null, name: null, middleName: null }
  const trainee = { id: actor.id, surname: surname ?? '', name: name ?? '', middleName: middleName ?? '', role }
  return { ...state, ticket: writeTicket(trainee, trainingSecret(app.config.secret)) }
})

const reset = operation(trainingCalls.reset, async ({ app }) => {
  const training = trainingOf(app)
  await training.reset()
  return training.state()
})

const people = operation(trainingCalls.people, async ({ app }) => {
  trainingOf(app)
  await keepDone(app.db)
  const done = await keptDone(app.db)
  const users = await app.db.query<{ id: number; shortFio: string; post: string | null }>(sql`
    select u."id"::int as id, ${shortFioSql(raw('u'))} as "shortFio", nullif(u."post", '') as post from users u
    where not u."deleted" and not u."isBlocked" order by 2, 1 limit 1000`)
  const items = users.map((user) => ({
    ...user,
    done: done.filter(({ idUser }) => idUser === user.id).map(({ role, task, at }) => ({ role, task, at })),
  }))
  return { items }
})

function start(app: AppContext): void {
  if (app.config.training) {
    closeToOthers(app)
    return
  }
  const training = createTraining({ ...app, beforeDrop: () => keepDone(app.db) })
  trainings.set(app, training)
  passOn(app, training)
  app.onClose(() => training.close())
}

const operations: readonly Operation[] = [look, enter, reset, people, session, tasks]

/** A clinic to learn in, beside the real one: never mixed, marked, made anew by one click. */
export const training: Area = { name: 'training', title: 'Учебная клиника', records: [], operations, start }
