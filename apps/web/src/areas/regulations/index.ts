/** What the area of regulations publishes to others: carrying them out for a task. */

export { TaskRegulations } from './runs/TaskRegulations.tsx'
