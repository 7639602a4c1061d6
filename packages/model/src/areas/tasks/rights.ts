/** How far a workspace member's right goes (spec §6). */
export const taskLevels = {
  none: 'Нет доступа',
  all: 'Все задачи',
  my: 'Свои задачи',
  emptymy: 'Свои и неназначенные',
} as const
export type TaskLevel = keyof typeof taskLevels

/** What the user is to a task. */
export interface TaskRelation {
  isCreator: boolean
  isExecutor: boolean
  isResponsible: boolean
  /** Somebody is executor or responsible. */
  hasPeople: boolean
}

/**
 * Whether a right of this level reaches the task (spec §6): «my» is a task with people assigned, of which the user is
 * creator, executor or responsible; «emptymy» takes in tasks with nobody assigned.
 * The server holds the same rule as SQL in areas/tasks/scope.ts.
 */
export function reachesTask(level: TaskLevel, task: TaskRelation, bypass = false): boolean {
  if (bypass || level === 'all') return true
  if (level === 'none') return false
  if (!task.hasPeople) return level === 'emptymy'
  return task.isCreator || task.isExecutor || task.isResponsible
}
