/** Which tasks of a first day are done: read of the history of the training clinic. */
import { type TrainingRoleKey, tasksOf, trainingRoleKeys } from '@ordinator/model/areas/training/tasks'
import sql, { join, raw, type Sql } from 'sql-template-tag'
import type { Queryable } from '#platform/db.ts'
import { TRAINING } from '#platform/schema.ts'

/** PostgreSQL: no such table, no such schema. */
const MISSING = new Set(['42P01', '3F000'])

export interface Done {
  role: TrainingRoleKey
  task: string
  at: string
}

const wanted = JSON.stringify(
  trainingRoleKeys.flatMap((role) =>
    tasksOf(role).flatMap(({ key, traces }) => traces.map((trace) => ({ role, task: key, ...trace }))),
  ),
)

/** SQL of tasks done by trainees in their roles. @param schema '' for the current one */
const doneSql = (schema: '' | typeof TRAINING, where: Sql): Sql => {
  const table = (name: string) => raw(`${schema ? `${schema}.` : ''}"${name}"`)
  return sql`select e."idEmployee"::int as "idUser", e."role", w."task", min(h."dateCreate") as at
    from ${table('training_entries')} e
      join jsonb_to_recordset(${wanted}::jsonb) as w("role" text, "task" text, "path" text, "action" text, "field" text, "values" jsonb)
        on w."role" = e."role"
      join ${table('history')} h on h."idUser" = e."idUser" and h."path" = w."path" and h."action" = w."action"
        and h."dateCreate" >= e."at" and (w."field" is null or (h."changes" ? w."field"
          and (w."values" is null or w."values" @> jsonb_build_array(h."changes" -> w."field" -> 1))))
    where ${where} group by 1, 2, 3`
}

/** In the training clinic: tasks that the trainee has done in a role. */
export async function ownDone(db: Queryable, idUser: number, role: TrainingRoleKey): Promise<string[]> {
  const rows = await db.query<{ task: string }>(
    sql`select q."task" from (${doneSql('', sql`e."idUser" = ${idUser} and e."role" = ${role}`)}) q`,
  )
  return rows.map(({ task }) => task)
}

/** In the clinic: stores the tasks done in the training clinic so far. Nothing without one. */
export async function keepDone(db: Queryable): Promise<void> {
  const there = await db.one<{ is: boolean }>(
    sql`select to_regclass(${`${TRAINING}.training_entries`}) is not null and to_regclass(${`${TRAINING}.history`}) is not null as is`,
  )
  if (!there?.is) return
  const kept = db.query(sql`insert into training_done ("idUser", "role", "task", "at")
    select q."idUser", q."role", q."task", q."at" from (${doneSql(TRAINING, sql`true`)}) q
      join users u on u."id" = q."idUser"
    on conflict do nothing`)
  await kept.catch((error: { code?: string }) => {
    // It is being made anew at this moment.
    if (!MISSING.has(error.code ?? '')) throw error
  })
}

/** Tasks done by employees, stored in the clinic. */
export const keptDone = (db: Queryable, ids?: readonly number[]): Promise<(Done & { idUser: number })[]> =>
  db.query(sql`select "idUser"::int as "idUser", "role", "task", "at" from training_done
    where ${ids ? sql`"idUser" = any(${[...ids]}::bigint[])` : sql`true`} and "role" in (${join(trainingRoleKeys.map((role) => sql`${role}`))})
    order by "at"`)
