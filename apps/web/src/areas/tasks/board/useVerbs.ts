import { stateColumns, type TaskState, type Verb, verbs, writesOf } from '@ordinator/model/areas/tasks/states'
import { Assigned, Task } from '@ordinator/model/areas/tasks/task'
import type { Row } from '@ordinator/model/entity'
import { counted } from '@ordinator/model/format'
import { useQueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'
import { api } from '#base/api.ts'
import { recordsWith } from '#base/client.ts'
import { confirm } from '#kit/confirm.ts'
import { notify } from '#kit/notify.tsx'
import { invalidateRecords, recordKeys } from '#records/keys.ts'
import type { Card } from '../cards.ts'
import { type BoardStore, notifyBoardFailure } from './boardStore.ts'
import type { BoardData, BoardRights } from './useBoardData.ts'

/** Sends a verb; `undo` reverts the user's last state change. Returns the task. */
export const sendVerb = (idTask: number, verb: Verb | 'undo', comment?: string): Promise<Row<typeof Task>> =>
  api(
    'POST /tasks-management/tasks/:id/state',
    { params: { id: idTask }, body: { verb, ...(comment ? { comment } : {}) } },
    { forbidden: 'toast' },
  )

/** Applies verbs to cards, optimistically on the board and in the open card, with undo. */
export function useVerbs(store: BoardStore, data: BoardData, rights: BoardRights) {
  const client = useQueryClient()
  const board = data.board.data
  return useMemo(() => {
    const show = (card: Card, task: Partial<Card['task']>, idColumn = card.idColumn) => {
      store.cards.patch(card.id, (now) => ({ ...now, task: { ...now.task, ...task } }))
      client.setQueriesData<Card>({ queryKey: [...recordKeys.views(Assigned.path), card.id] }, (now) =>
        now ? { ...now, idColumn, task: { ...now.task, ...task } } : now,
      )
    }
    const columnOf = (state: TaskState, card: Card): number => {
      const linked = board?.[stateColumns[state]]
      return linked && store.scope.columns.some((column) => column.id === linked) ? linked : card.idColumn
    }
    const settle = (card: Card) => {
      store.refresh([card.id])
      return Promise.all([Task.path, Assigned.path].map((path) => invalidateRecords(client, path)))
    }
    return async (card: Card, verb: Verb, comment?: string): Promise<boolean> => {
      const ruling = rights.verb(verb, card.task)
      if (ruling.refused !== undefined) {
        notify.info(ruling.refused, { id: 'task-verb' })
        return false
      }
      if ((verb === 'handIn' || verb === 'complete') && !(await isMeant(card))) return false
      const idColumn = columnOf(ruling.to, card)
      // Hides the former undo toast: it would revert this change.
      notify.hide(UNDO)
      show(card, writesOf(verb, ruling.to, card.task, new Date().toISOString()), idColumn)
      if (idColumn !== card.idColumn) store.cards.move(card.id, { column: idColumn, at: 'first' })
      try {
        const { isCompleted, isWaitCheck, isNeedChange, dateWorkStart } = await sendVerb(card.idTask, verb, comment)
        show(card, { isCompleted, isWaitCheck, isNeedChange, dateWorkStart }, idColumn)
      } catch (error) {
        if (idColumn !== card.idColumn) store.cards.move(card.id, { column: card.idColumn, at: 'first' })
        show(card, card.task)
        notifyBoardFailure(error)
        await settle(card)
        return false
      }
      void settle(card)
      notify.undo(
        verbs[verb].line,
        async () => {
          await sendVerb(card.idTask, 'undo').catch(notifyBoardFailure)
          await settle(card)
        },
        { id: UNDO },
      )
      return true
    }
  }, [store, client, board, rights])
}

/** Confirms completion with unchecked items of check lists. */
async function isMeant({ idTask }: Card): Promise<boolean> {
  const task = await quiet.view(Task, idTask, { fields: ['checkListCount'] }).catch(() => undefined)
  const { total = 0, complete = 0 } = task?.checkListCount ?? {}
  if (complete >= total) return true
  const left = counted(total - complete, ['пункт чек-листа', 'пункта чек-листа', 'пунктов чек-листа'])
  return confirm({
    title: `Не выполнено: ${left}`,
    message: 'Сдать задачу с невыполненными пунктами?',
    confirm: 'Сдать',
  })
}

const quiet = recordsWith({ forbidden: 'silent' })

export type UseVerb = ReturnType<typeof useVerbs>

const UNDO = 'task-verb-undo'
