import { holds } from '@ordinator/model/access'
import { Board, BoardColumn, BoardMember } from '@ordinator/model/areas/tasks/board'
import {
  mayCreateTask,
  mayDeleteBoard,
  mayDrag,
  mayEditBoard,
  mayEditColumns,
  mayWithTask,
  type Standing,
  standing,
  type TaskRight,
} from '@ordinator/model/areas/tasks/rights'
import { type Ruling, rulingOn, type Verb } from '@ordinator/model/areas/tasks/states'
import type { Row } from '@ordinator/model/entity'
import { useMemo } from 'react'
import { useActor } from '#base/session.ts'
import { useList, useRecord } from '#records/reads.ts'
import type { Card } from '../cards.ts'

/** Limits of columns and members; the engine allows 500. */
const MAX_COLUMNS = 100
const MAX_MEMBERS = 500

export type BoardRow = Row<typeof Board>
export type ColumnRow = Row<typeof BoardColumn>

export interface BoardRights {
  on: Standing
  editBoard: boolean
  deleteBoard: boolean
  editColumns: boolean
  createTask: boolean
  drag: boolean
  /** True when the right covers this card's task. */
  task: (right: TaskRight, task: TaskPeople) => boolean
  /** Result of a verb on it. The server decides finally: it knows the task's other workspaces. */
  verb: (verb: Verb, task: Card['task']) => Ruling
}

/** A workspace with columns, members and the user's rights. */
export function useBoardData(id: number) {
  const actor = useActor()
  const board = useRecord(Board, id, {}, { forbidden: 'silent' })
  const columns = useList(
    BoardColumn,
    { filter: { idBoard: id }, sort: 'order', limit: MAX_COLUMNS },
    { forbidden: 'silent' },
  )
  const people = useList(
    BoardMember,
    { filter: { idBoard: id }, expand: ['user'], limit: MAX_MEMBERS },
    { forbidden: 'silent' },
  )
  const members = people.data?.items ?? none
  const me = members.find((member) => member.idUser === actor.id)
  const rights = useMemo((): BoardRights | undefined => {
    if (!board.data) return undefined
    const on = standing(actor, board.data, me)
    const bypass = holds(actor, 'bypassTaskRights')
    return {
      on,
      editBoard: mayEditBoard(on),
      deleteBoard: mayDeleteBoard(on),
      editColumns: mayEditColumns(on),
      createTask: mayCreateTask(on),
      drag: mayDrag(on),
      task: (right, task) => mayWithTask(right, relation(task, actor.id), [on], bypass),
      verb: (verb, task) => rulingOn(verb, task, relation(task, actor.id), [on], bypass),
    }
  }, [board.data, me, actor])
  return { board, columns, people, members, me, rights, idUser: actor.id }
}

export type BoardData = ReturnType<typeof useBoardData>

const none: never[] = []

/** People of a task. */
interface TaskPeople {
  idUser: number
  isTemplate?: boolean
  executors: readonly { member: { idUser: number } | null }[]
  responsible: readonly { member: { idUser: number } | null }[]
}

const relation = (task: TaskPeople, idUser: number) => ({
  isTemplate: task.isTemplate,
  isCreator: task.idUser === idUser,
  isExecutor: task.executors.some((p) => p.member?.idUser === idUser),
  isResponsible: task.responsible.some((p) => p.member?.idUser === idUser),
  hasPeople: task.executors.length + task.responsible.length > 0,
  hasExecutors: task.executors.length > 0,
})
