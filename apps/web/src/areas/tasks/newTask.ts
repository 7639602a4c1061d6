import { BoardMember } from '@ordinator/model/areas/tasks/board'
import { Assigned, Task } from '@ordinator/model/areas/tasks/task'
import type { Create } from '@ordinator/model/entity'
import { useGo } from '#base/address.ts'
import { records } from '#base/client.ts'
import { useActor } from '#base/session.ts'
import { confirm } from '#kit/confirm.ts'

export const CREATE_FAILED = 'Ошибка создания задачи'

/**
 * Makes a task as the member's own settings of its workspace say: asked about before (`isConfirmCreate`), opened
 * afterwards (`openAfterCreate`).
 * @param asked whoever makes it has just agreed in a dialog
 * @returns the task, and whether it is opened; undefined when the person thought better of it
 */
export function useMakeTask() {
  const me = useActor().id
  const go = useGo()
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
    const opened = member?.openAfterCreate === true && (await cardOf(made.id))
    if (opened) void go({ page: 'tasks', search: { board: member.idBoard, assignedColumn: opened.id } })
    return { ...made, opened: Boolean(opened) }
  }
}

/** The card of a task that was just made; none, when its maker does not see it. */
const cardOf = async (idTask: number) =>
  (await records.list(Assigned, { filter: { idTask }, fields: ['id'], limit: 1 })).items[0]
