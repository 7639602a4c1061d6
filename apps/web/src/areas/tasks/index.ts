/** What the tasks area publishes to others. */
export { dueOf } from './dueDate.ts'
export { importanceColor, importanceWord } from './importance.ts'
export { BoardIcon } from './boards/BoardIcon.tsx'
