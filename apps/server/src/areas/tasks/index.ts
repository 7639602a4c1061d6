import type { Area } from '../../records/area.ts'
import { clearTasks, deleteColumn, joinBoard } from './boardCalls.ts'
import { boards, columns, member } from './boards.ts'
import { assigned } from './cards.ts'
import { demo } from './demo.ts'
import { files, taskFiles } from './files.ts'
import { executors, responsible, tags, task } from './tasks.ts'

/** Workspaces and their tasks. */
export const tasks: Area = {
  name: 'tasks',
  records: [boards, columns, member, task, assigned, executors, responsible, tags, files, taskFiles],
  operations: [joinBoard, clearTasks, deleteColumn],
  demo,
}
