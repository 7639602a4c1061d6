/** Public parts of the tasks area. */

export { BoardIcon } from './boards/BoardIcon.tsx'
export { dueOf } from './dueDate.ts'
export { importanceColor, importanceWord } from './importance.ts'
export { TaskFromDialog } from './TaskFromDialog.tsx'
