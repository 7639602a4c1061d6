import { CheckListItem } from '@ordinator/model/areas/tasks/checkList'
import { Subtask } from '@ordinator/model/areas/tasks/subtask'
import { Executor, Task } from '@ordinator/model/areas/tasks/task'
import { useQueryClient } from '@tanstack/react-query'
import { errorMessage } from '#base/apiError.ts'
import { records } from '#base/client.ts'
import { notify } from '#kit/notify.tsx'
import { invalidateRecords } from '#records/keys.ts'
import type { BoardData } from '../board/useBoardData.ts'
import type { ItemRow } from './CheckListRow.tsx'
import type { FullCard } from './fullCard.ts'

/** Converts an item of a check list to a subtask on the same board, with due date and executor. */
export function useItemToSubtask(card: FullCard, data: BoardData) {
  const cache = useQueryClient()
  const refresh = () => Promise.all([CheckListItem, Subtask, Task].map(({ path }) => invalidateRecords(cache, path)))
  return async (item: ItemRow): Promise<void> => {
    try {
      const idColumn = data.board.data?.idColumnNew ?? card.idColumn
      const task = await records.create(Task, { name: item.name.slice(0, 255), idColumn, dateEnd: item.dateEnd })
      await records.create(Subtask, { idTask: task.id, idParentTask: card.idTask }).catch(async (error) => {
        await records.remove(Task, task.id)
        throw error
      })
      if (item.idExecutor)
        // Without the right to assign, the subtask is kept.
        await records.create(Executor, { idTask: task.id, idMember: item.idExecutor }).catch(() => {})
      await records.remove(CheckListItem, item.id)
      notify.undo('Пункт стал подзадачей', async () => {
        try {
          await records.restore(CheckListItem, item.id)
          await records.remove(Task, task.id)
        } catch (error) {
          notify.error(errorMessage(error))
        }
        await refresh()
      })
    } catch (error) {
      notify.error(errorMessage(error), { title: 'Ошибка создания задачи' })
    }
    await refresh()
  }
}
