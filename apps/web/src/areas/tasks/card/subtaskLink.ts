import type { Subtask } from '@ordinator/model/areas/tasks/subtask'
import type { Row } from '@ordinator/model/entity'
import type { TaskPerson } from '../people.ts'
import type { PlacedTask } from './placedTask.ts'

export type SubtaskLink = Row<typeof Subtask> & {
  task: (PlacedTask & { executors: TaskPerson[] }) | null
}
