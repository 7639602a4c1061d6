import { metrikaCalls } from '@ordinator/model/areas/metrika/calls'
import { MetrikaCounter, MetrikaGoal, MetrikaUpload } from '@ordinator/model/areas/metrika/metrika'
import sql from 'sql-template-tag'
import { AdapterFault } from '#platform/adapter.ts'
import type { Queryable } from '#platform/db.ts'
import { HttpError } from '#platform/errors.ts'
import type { AppContext } from '#records/context.ts'
import { records, type WriteContext } from '#records/define.ts'
import { operation } from '#records/operation.ts'
import { type Metrika, metrikaOf } from './client.ts'

export const counters = records(MetrikaCounter, {
  computed: {
    hasToken: ({ row }) => sql`exists (select from metrika_tokens k where k."idCounter" = ${row}."id")`,
  },
  hooks: {
    afterCreate: ({ tx }, row, value) => keepToken(tx, row.id, value.token),
    async beforeUpdate({ tx }, value, before) {
      // A key belongs to the counter it was given for.
      const isMoved = value.number !== undefined && value.number !== before.number
      if (isMoved && !value.token) await keepToken(tx, before.id, null)
      else if (value.token) await keepToken(tx, before.id, value.token)
    },
  },
})
export const goals = records(MetrikaGoal)
export const uploads = records(MetrikaUpload)

/** Stored apart from the counter, so that no response, export or history contains it. */
async function keepToken(tx: WriteContext['tx'], idCounter: number, token: string | null | undefined): Promise<void> {
  if (token === undefined) return
  await tx.query(
    token
      ? sql`insert into metrika_tokens ("idCounter", "token") 
          values (${idCounter}, ${tx.cipher.encrypt('metrika_tokens.token', idCounter, token)})
          on conflict ("idCounter") do update set "token" = excluded."token"`
      : sql`delete from metrika_tokens where "idCounter" = ${idCounter}`,
  )
}

/** Empty: none is set. */
export async function tokenOf(db: Queryable, idCounter: number): Promise<string> {
  const row = await db.one<{ token: string }>(sql`select "token" from metrika_tokens where "idCounter" = ${idCounter}`)
  return row ? db.cipher.decrypt('metrika_tokens.token', idCounter, row.token) : ''
}

/** The client of the counter. @throws HttpError 409 if it is disabled */
export async function counterAt(app: AppContext, id: number, number: string): Promise<Metrika> {
  const metrika = await metrikaOf(app, number, await tokenOf(app.db, id))
  if (!metrika) throw new HttpError(409, 'Метрика выключена в «Подключениях»', { code: 'off' })
  return metrika
}

export const takeGoals = operation(metrikaCalls.takeGoals, async ({ app, records: all, params }) => {
  const { id, number } = await all.row(MetrikaCounter, params.id)
  const metrika = await counterAt(app, id, number)
  let goals: { goalId: string; name: string }[]
  try {
    goals = await metrika.goals()
  } catch (error) {
    if (!(error instanceof AdapterFault)) throw error
    throw new HttpError(409, error.message, { code: 'metrika' })
  }
  return all.tx(async (inner, tx) => {
    const before = await inner.rows(MetrikaGoal, { 'filter[idCounter]': id, limit: 500 })
    const known = new Map(before.map((goal) => [goal.goalId, goal]))
    // A goal in the trash stays there: a second record of it would send its events again.
    const dropped = await tx.query<{ goalId: string }>(
      sql`select "goalId" from metrika_goals where "idCounter" = ${id} and "deleted"`,
    )
    const isDropped = new Set(dropped.map((goal) => goal.goalId))
    let [added, renamed] = [0, 0]
    for (const { goalId, name } of goals.slice(0, 500)) {
      const goal = known.get(goalId)
      if (!goal && isDropped.has(goalId)) continue
      if (!goal) {
        await inner.create(MetrikaGoal, { idCounter: id, goalId, name })
        added++
      } else if (goal.name !== name) {
        await inner.update(MetrikaGoal, goal.id, { name })
        renamed++
      }
    }
    return { added, renamed }
  })
})
