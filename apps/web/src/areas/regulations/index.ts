/** Public parts of the regulations area: runs for a task. */

export { TaskRegulations } from './runs/TaskRegulations.tsx'
