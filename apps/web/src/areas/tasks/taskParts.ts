import { Assigned, Executor, Responsible, TaskTag } from '@ordinator/model/areas/tasks/task'
import { useQueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'
import { ApiError } from '#base/apiError.ts'
import { records } from '#base/client.ts'
import { isNamed } from '#kit/isNamed.ts'
import { notify } from '#kit/notify.tsx'
import { invalidateRecords, recordKeys } from '#records/keys.ts'
import type { BoardStore } from './board/boardStore.ts'
import { notifyBoardFailure } from './board/boardStore.ts'
import type { Card } from './cards.ts'
import type { MemberRow } from './people.ts'

export type PeopleKind = 'executors' | 'responsible'

const peopleEntity = { executors: Executor, responsible: Responsible } as const
const peopleError = {
  executors: 'Ошибка добавления исполнителей задачи',
  responsible: 'Ошибка добавления ответственных задачи',
} as const

/** Temporary id of a part until the server assigns one. */
let provisional = -1

/** People and tags of a task, changed optimistically on the board and in the open card. */
export function useTaskParts(store: BoardStore) {
  const client = useQueryClient()
  return useMemo(() => {
    const show = (card: Card, change: (task: Card['task']) => Card['task']) => {
      store.cards.patch(card.id, (c) => ({ ...c, task: change(c.task) }))
      client.setQueriesData<Card>({ queryKey: [...recordKeys.views(Assigned.path), card.id] }, (data) =>
        data ? { ...data, task: change(data.task) } : data,
      )
    }
    const settle = (card: Card, path: string) => {
      store.refreshTasks([card.idTask])
      void invalidateRecords(client, path)
    }
    return {
      async togglePerson(card: Card, kind: PeopleKind, member: MemberRow): Promise<void> {
        const entity = peopleEntity[kind]
        const there = card.task[kind].find((p) => p.idMember === member.id)
        try {
          if (there) {
            show(card, (task) => ({ ...task, [kind]: task[kind].filter((p) => p.idMember !== member.id) }))
            if (there.id > 0) await records.remove(entity, there.id)
          } else {
            const added = {
              id: provisional--,
              idMember: member.id,
              member: { id: member.id, idUser: member.idUser, user: member.user },
            }
            show(card, (task) => ({ ...task, [kind]: [...task[kind], added] }))
            await records.create(entity, { idTask: card.idTask, idMember: member.id })
          }
        } catch (error) {
          if (!there && !(error instanceof ApiError && (error.status === 403 || error.status === 0)))
            notify.error(peopleError[kind])
          else notifyBoardFailure(error)
        }
        settle(card, entity.path)
      },

      async toggleTag(card: Card, tag: { name: string; color: string; icon: string | null }): Promise<void> {
        const there = card.task.tags.find(isNamed(tag.name))
        try {
          if (there) {
            show(card, (task) => ({ ...task, tags: task.tags.filter((t) => t !== there && t.id !== there.id) }))
            if (there.id > 0) await records.remove(TaskTag, there.id)
          } else {
            show(card, (task) => ({ ...task, tags: [...task.tags, { id: provisional--, _version: 0, ...tag }] }))
            await records.create(TaskTag, { idTask: card.idTask, ...tag })
          }
        } catch (error) {
          notifyBoardFailure(error)
        }
        settle(card, TaskTag.path)
      },
    }
  }, [store, client])
}

export type TaskParts = ReturnType<typeof useTaskParts>
