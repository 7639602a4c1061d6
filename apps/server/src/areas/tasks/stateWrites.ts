/** State writes by the server itself, each with the notice mode that the write's hook uses. */
import { type TaskState, type Verb, writesOf } from '@ordinator/model/areas/tasks/states'
import { Task } from '@ordinator/model/areas/tasks/task'
import type { Row, Update } from '@ordinator/model/entity'
import type { Tx } from '#platform/db.ts'
import type { WriteContext } from '#records/define.ts'

type TaskRow = Row<typeof Task>

export interface StateNote {
  /** HTML: an ordinary comment of the actor beside the line. */
  comment?: string | undefined
  /** Replaces the verb's default text. */
  line?: string
}

/** Applies a verb that the rules have allowed. */
export async function changeState(
  context: WriteContext,
  task: TaskRow,
  verb: Verb,
  to: TaskState,
  note: StateNote = {},
): Promise<void> {
  setManner(context.tx, task.id, note)
  await context.records.asSystem.update(Task, task.id, writesOf(verb, to, task, new Date().toISOString()))
  setManner(context.tx, task.id, undefined)
}

/** Restores a state, without notices and without moving cards. */
export async function putState(
  { records, tx }: Pick<WriteContext, 'records' | 'tx'>,
  idTask: number,
  values: Update<typeof Task> & Partial<TaskRow>,
): Promise<void> {
  setManner(tx, idTask, 'silent')
  await records.asSystem.update(Task, idTask, values)
  setManner(tx, idTask, undefined)
}

/** Notice mode of the current write of a task in this transaction: silent, or with this text. */
export const mannerOf = (tx: Tx, idTask: number): 'silent' | StateNote | undefined => manners.get(tx)?.get(idTask)

const manners = new WeakMap<Tx, Map<number, 'silent' | StateNote | undefined>>()

function setManner(tx: Tx, idTask: number, manner: 'silent' | StateNote | undefined): void {
  manners.set(tx, (manners.get(tx) ?? new Map()).set(idTask, manner))
}
