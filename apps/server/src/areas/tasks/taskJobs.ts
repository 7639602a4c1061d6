/** Scheduled changes of tasks: expiry, and archiving of completed ones. */
import { Assigned, Task } from '@ordinator/model/areas/tasks/task'
import type { Row } from '@ordinator/model/entity'
import sql, { raw, type Sql } from 'sql-template-tag'
import type { JobRun } from '#platform/jobs.ts'
import { systemActor } from '#records/actor.ts'
import type { AppContext } from '#records/context.ts'
import type { Records } from '#records/records.ts'
import { putCards } from './bulk.ts'
import { notifyOfTask } from './notices.ts'

/** Rows per transaction. */
const EXPIRED_AT_ONCE = 50
const ARCHIVED_AT_ONCE = 500

/**
 * The jobs `tasks.expiry` and `tasks.archive`. Safe in any number of concurrent processes: one of them locks a row, and
 * the others skip it.
 */
export function startTaskJobs(app: AppContext): void {
  app.jobs.register('tasks.expiry', { cron: '* * * * *', handler: (_, job) => expire(app, job) })
  app.jobs.register('tasks.archive', { cron: '*/5 * * * *', handler: (_, job) => untilNone(job, () => archive(app)) })
}

async function untilNone({ signal }: JobRun, run: () => Promise<number>): Promise<void> {
  while (!signal.aborted && (await run()) > 0);
}

/**
 * Marks tasks past their end, moves them to the expired columns and notifies. A failing task does not block the others
 * of its batch.
 */
async function expire(app: AppContext, job: JobRun): Promise<void> {
  const failed: number[] = []
  await untilNone(job, async () => {
    try {
      return await expireSome(app, failed, EXPIRED_AT_ONCE)
    } catch {
      for (const { id } of await app.db.query<{ id: number }>(
        sql`select "id" from (${lateRows(failed, EXPIRED_AT_ONCE)}) late`,
      ))
        await expireSome(app, failed, 1, id).catch((error) => {
          app.log.error({ err: error, idTask: id }, 'expiry')
          failed.push(id)
        })
      return 1
    }
  })
}

function expireSome({ engine }: AppContext, but: readonly number[], most: number, id?: number): Promise<number> {
  return engine.for(systemActor).tx(async (records, tx) => {
    const late = await markLate(records, sql`${lateRows(but, most, id)} for update skip locked`)
    await putCards(
      records,
      late.map((task) => task.id),
      raw('b."idColumnExpired"'),
    )
    const context = { actor: systemActor, tx, records }
    for (const task of late)
      await notifyOfTask(context, task, {
        event: 'expired',
        title: 'Срок задачи прошёл',
        to: ['executors', 'responsible'],
      })
    return late.length
  })
}

const lateRows = (but: readonly number[], most: number, id?: number): Sql => sql`select "id" from tasks_management_tasks
  where "dateEnd" < now() and "dateExpired" is null and not "isCompleted" and not "isWaitCheck"
    and not "isArchive" and not "isTemplate" and not "deleted" and "id" <> all(${but}::bigint[])
    and (${id ?? null}::bigint is null or "id" = ${id ?? null}::bigint)
  order by "dateEnd" limit ${most}`

const markLate = (records: Records, rows: Sql): Promise<Pick<Row<typeof Task>, 'id' | 'name'>[]> =>
  records.asSystem.updateWhere(
    Task,
    {
      rows,
    },
    { dateExpired: raw('now()') },
    { fields: ['id', 'name'], pastHooks: 'the job itself moves the cards and notifies the people' },
  )

/**
 * Archives the cards of tasks completed the board's number of days ago, except repeating ones. @returns their number
 */
async function archive({ engine }: AppContext): Promise<number> {
  const archived = await engine.for(systemActor).asSystem.updateWhere(
    Assigned,
    {
      rows: sql`select a."id" from tasks_management_boards b
        join tasks_management_columns c on c."idBoard" = b."id"
        join tasks_management_assigned a on a."idColumn" = c."id" and not a."deleted" and not a."isArchive"
        join tasks_management_tasks t on t."id" = a."idTask" and t."isCompleted" and not t."isArchive" and not t."deleted"
          and not t."isTemplate" and (t."notificationNext" is null or t."notificationType" = 'ONCE')
          and t."dateCompleted" < now() - make_interval(days => b."timeArchiveTaskCompleted")
        where b."timeArchiveTaskCompleted" > 0 and not b."deleted"
        order by a."id" limit ${ARCHIVED_AT_ONCE} for update of a skip locked`,
    },
    { isArchive: true },
    { pastHooks: 'the board says when, and asks nobody' },
  )
  return archived.length
}
