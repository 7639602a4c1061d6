import { holds } from '@ordinator/model/access'
import { Task } from '@ordinator/model/areas/tasks/task'
import type { Expanded } from '@ordinator/model/client'
import { dayIn, midnightIn, plusDays, wallOf } from '@ordinator/model/zone'
import { useActor } from '#base/session.ts'
import type { GridMark } from '#kit/dayGrid/grid.ts'
import { clockOf } from '#kit/dayGrid/scale.ts'
import { useList } from '#records/reads.ts'

/** Maximum tasks in the grid, by due date. */
const SHOWN = 200

/** Due time of a task beside its doctor's column. */
export interface TaskMark extends GridMark {
  /** Link target: workspace and card. */
  card: { board: number; assignedColumn: number } | undefined
}

const expand = ['executors.member', 'assigned.column'] as const
type DueTask = Expanded<typeof Task, (typeof expand)[number]>

interface Asked {
  idUsers: readonly number[]
  /** First and last day. */
  from: string
  to: string
  timeZone: string
}

/** Tasks of these doctors due on these days, visible to the user. */
export function useTasks({ idUsers, from, to, timeZone }: Asked, enabled: boolean): readonly DueTask[] {
  const actor = useActor()
  const list = useList(
    Task,
    {
      filter: {
        isCompleted: false,
        isArchive: false,
        isTemplate: false,
        dateEnd: { gte: midnightIn(timeZone, from), lt: midnightIn(timeZone, plusDays(to, 1)) },
        'executors.member.idUser': { in: [...idUsers] },
      },
      sort: 'dateEnd',
      limit: SHOWN,
      expand,
    },
    {
      enabled: enabled && idUsers.length > 0 && holds(actor, 'viewTasksManagement'),
      forbidden: 'silent',
    },
  )
  return list.data?.items ?? none
}
const none: never[] = []

/** Tasks as marks of columns: doctors, or days of one doctor. */
export const marksOf = (
  tasks: readonly DueTask[],
  idUsers: readonly number[],
  timeZone: string,
  columnOf: (idUser: number, day: string) => string,
): TaskMark[] =>
  tasks.flatMap(({ id, name, dateEnd, executors, assigned }) => {
    if (!dateEnd) return []
    const moment = Date.parse(dateEnd)
    const minute = Math.floor(wallOf(moment, timeZone) / 60_000) % 1_440
    const card = assigned.find(({ column }) => column)
    const owners = new Set(executors.flatMap(({ member }) => (member ? [member.idUser] : [])))
    return idUsers
      .filter((idUser) => owners.has(idUser))
      .map((idUser) => ({
        id,
        column: columnOf(idUser, dayIn(timeZone, moment)),
        minute,
        name: `${name}, до ${clockOf(minute)}`,
        card: card?.column ? { board: card.column.idBoard, assignedColumn: card.id } : undefined,
      }))
  })
