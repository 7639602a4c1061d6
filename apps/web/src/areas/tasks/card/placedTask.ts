import type { Assigned, Task } from '@ordinator/model/areas/tasks/task'
import type { Row } from '@ordinator/model/entity'
import type { TasksAddress } from '../address.ts'

/** A task with its visible cards and their columns. */
export type PlacedTask = Row<typeof Task> & {
  assigned: (Row<typeof Assigned> & { column: { idBoard: number } | null })[]
}

/** URL of the task: a card on this workspace, else on another; undefined: none. */
export function cardAddress(task: PlacedTask, idBoard: number): Partial<TasksAddress> | undefined {
  const cards = task.assigned.filter((card) => card.column)
  const card = cards.find((one) => one.column?.idBoard === idBoard) ?? cards[0]
  return card && { board: card.column?.idBoard, assignedColumn: card.id, comment: undefined }
}
