import { BoardMember } from '@ordinator/model/areas/tasks/board'
import { Assigned, Task } from '@ordinator/model/areas/tasks/task'
import type { Create } from '@ordinator/model/entity'
import { useGo } from '#base/address.ts'
import { records } from '#base/client.ts'
import { useActor } from '#base/session.ts'
import { confirm } from '#kit/confirm.ts'

export const CREATE_FAILED = 'Ошибка создания задачи'

/**
 * Creates a task by the member's settings of the workspace: confirmation (`isConfirmCreate`), opening
 * (`openAfterCreate`).
 * @param asked already confirmed in a dialog
 * @returns the task, and whether to open it; undefined when cancelled
 */
export function useMakeTask() {
  const me = useActor().id
  const open = useOpenTask()
  return async (task: Create<typeof Task> & { idColumn: number }, asked = false) => {
    const [member] = (
      await records.list(BoardMember, {
        filter: { idUser: me, 'board.columns.id': task.idColumn },
        fields: ['isConfirmCreate', 'openAfterCreate', 'idBoard'],
        limit: 1,
      })
    ).items
    const question = { message: `Создать задачу «${task.name}»?`, confirm: 'Создать' }
    if (!asked && member?.isConfirmCreate && !(await confirm(question))) return undefined
    const made = await records.create(Task, task)
    const opened = member?.openAfterCreate === true && (await open(made.id, member.idBoard))
    return { ...made, opened }
  }
}

/** Opens the card of a task on its board. @returns false if the user cannot see it */
export function useOpenTask() {
  const go = useGo()
  return async (idTask: number, idBoard: number): Promise<boolean> => {
    const card = await cardOf(idTask)
    if (card) void go({ page: 'tasks', search: { board: idBoard, assignedColumn: card.id } })
    return card !== undefined
  }
}

/** Card of a new task; undefined if its creator cannot see it. */
const cardOf = async (idTask: number) =>
  (await records.list(Assigned, { filter: { idTask }, fields: ['id'], limit: 1 })).items[0]
