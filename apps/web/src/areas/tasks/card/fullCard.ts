import type { BoardColumn } from '@ordinator/model/areas/tasks/board'
import type { Assigned, Task } from '@ordinator/model/areas/tasks/task'
import type { Row } from '@ordinator/model/entity'
import type { Card } from '../cards.ts'
import type { Person } from '../people.ts'

export type TaskRow = Row<typeof Task>

/** A card for its dialog, with the whole task. */
export type FullCard = Row<typeof Assigned> & {
  task: Row<typeof Task> & Card['task'] & { user: Person | null }
  column: Row<typeof BoardColumn> | null
}
