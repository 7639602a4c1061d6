import type { Assigned, Task } from '@ordinator/model/areas/tasks/task'
import type { Row } from '@ordinator/model/entity'
import type { TasksAddress } from '../address.ts'

/** A task with those of its cards that one sees, each with its column. */
export type PlacedTask = Row<typeof Task> & {
  assigned: (Row<typeof Assigned> & { column: { idBoard: number } | null })[]
}

/** Where the task is opened: on this workspace when it has a card here, else on another one; undefined: nowhere. */
export function cardAddress(task: PlacedTask, idBoard: number): Partial<TasksAddress> | undefined {
  const cards = task.assigned.filter((card) => card.column)
  const card = cards.find((one) => one.column?.idBoard === idBoard) ?? cards[0]
  return card && { board: card.column?.idBoard, assignedColumn: card.id, comment: undefined }
}
