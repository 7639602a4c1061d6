/** Reminders and repeats: their computation at a write, and the job that fires them. */
import { lastOccurrence, nextOccurrence, type Repeat, wrongRepeat } from '@ordinator/model/areas/tasks/repeat'
import { Task } from '@ordinator/model/areas/tasks/task'
import type { Row, Update } from '@ordinator/model/entity'
import sql from 'sql-template-tag'
import { ValidationError } from '#platform/errors.ts'
import { systemActor } from '#records/actor.ts'
import type { AppContext } from '#records/context.ts'
import type { WriteContext } from '#records/define.ts'
import { oneByOne } from '#records/oneByOne.ts'
import { notifyOfTask } from './notices.ts'
import { startAnew } from './repeatTask.ts'

/** Tasks per query; each is fired in a transaction of its own. */
const BATCH = 100

type TaskValue = Update<typeof Task>
type TaskRow = Row<typeof Task>
type Reminder = Pick<
  TaskRow,
  'notificationDate' | 'notificationType' | 'notificationCustomRepeatType' | 'notificationCustomRepeatValue'
>

const fields = [
  'notificationDate',
  'notificationType',
  'notificationCustomRepeatType',
  'notificationCustomRepeatValue',
] as const satisfies (keyof Reminder)[]

/** Whether a new task has a reminder to compute. */
export const hasReminder = (value: TaskValue): boolean => value.notificationDate != null

/** Computes the next reminder of the task, in its author's time zone; called before each write of a task. */
export function keepReminder({ actor }: Pick<WriteContext, 'actor'>, value: TaskValue, before?: TaskRow): void {
  const now = new Date()
  const reminder = Object.fromEntries(
    fields.map((name) => [name, value[name] === undefined ? (before?.[name] ?? null) : value[name]]),
  ) as unknown as Reminder
  const changed = fields.some((name) => !same(name, reminder[name], before?.[name] ?? null))
  if (changed) {
    const errors = wrongRepeat(reminder)
    if (errors.length) throw new ValidationError(errors)
    const repeat = repeatOf(reminder, actor.timeZone)
    Object.assign(value, {
      notificationTimeZone: repeat ? actor.timeZone : null,
      notificationNext: (repeat && nextOccurrence(repeat, now)?.toISOString()) ?? null,
      notificationRound: null,
    })
  } else if (before?.notificationNext && ('dateStart' in value || 'dateEnd' in value)) {
    // Dates set by a person belong to the current occurrence; the next ones are computed from there.
    const repeat = repeatOf(before, before.notificationTimeZone ?? actor.timeZone)
    const round = repeat && repeat.type !== 'ONCE' ? lastOccurrence(repeat, now) : undefined
    if (round) Object.assign(value, { notificationRound: round.toISOString() })
  }
}

/** A moment may be written with any offset. */
const same = (name: string, a: unknown, b: unknown): boolean =>
  a === b || (name === 'notificationDate' && Date.parse(String(a)) === Date.parse(String(b)))

function repeatOf(task: Reminder, timeZone: string): Repeat | undefined {
  if (!task.notificationDate) return undefined
  return {
    type: task.notificationType ?? 'ONCE',
    date: task.notificationDate,
    timeZone,
    unit: task.notificationCustomRepeatType,
    value: task.notificationCustomRepeatValue,
  }
}

/** The job `tasks.reminders`. */
export function startReminders(app: AppContext): void {
  app.jobs.register('tasks.reminders', { cron: '* * * * *', handler: () => fireReminders(app) })
}

/**
 * Fires due reminders. Safe in any number of processes: one of them locks a row, and writes its next occurrence and the
 * notices in one transaction. Missed occurrences fire once.
 */
async function fireReminders(app: AppContext): Promise<void> {
  const now = new Date()
  for (let last = 0; ; ) {
    const due = await app.db.query<{ id: number }>(sql`select "id" from tasks_management_tasks
      where "notificationNext" <= ${now} and not "deleted" and "id" > ${last} order by "id" limit ${BATCH}`)
    await oneByOne(app, 'tasks.reminders', due, ({ id }) => fire(app, id, now))
    last = due.at(-1)?.id ?? last
    if (due.length < BATCH) return
  }
}

type Due = TaskRow & { notificationNext: string; idle: boolean }

function fire(app: AppContext, id: number, now: Date): Promise<void> {
  return app.engine.for(systemActor).tx(async (records, tx) => {
    const task = await tx.one<Due>(sql`
      select t.*, t."isArchive" or t."isTemplate" or not exists (
        select 1 from tasks_management_assigned a
        join tasks_management_columns c on c."id" = a."idColumn" and not c."deleted"
        join tasks_management_boards b on b."id" = c."idBoard" and not b."deleted"
        where a."idTask" = t."id" and not a."deleted" and not a."isArchive") as idle
      from tasks_management_tasks t where t."id" = ${id} and t."notificationNext" <= ${now} and not t."deleted"
      for update of t skip locked`)
    const repeat = task && repeatOf(task, task.notificationTimeZone ?? systemActor.timeZone)
    if (!repeat) return
    const next = nextOccurrence(repeat, now)?.toISOString() ?? null
    const quiet = task.idle || (repeat.type === 'ONCE' && task.isCompleted)
    await records.asSystem.update(Task, id, { notificationNext: next })
    if (quiet) return
    const context: WriteContext = { actor: systemActor, tx, records }
    if (task.isCompleted) {
      const first = nextOccurrence(repeat, new Date(0)) as Date
      const since = task.notificationRound ? new Date(task.notificationRound) : first
      await startAnew(context, id, { since, until: lastOccurrence(repeat, now) ?? since, timeZone: repeat.timeZone })
    }
    await notifyOfTask(context, task, {
      event: 'reminder',
      title: `Напоминание: ${task.name}`,
      text: task.notificationDescription ?? task.name,
      to: ['executors', 'responsible', 'creator', 'watchers'],
    })
  })
}
