/** Permissions of this area by the groups of `permissions.ts`, which joins them. */
export const taskPermissions = {
  viewTasksManagement: 'Задачи и рабочие пространства',
  bypassTaskRights: 'Все рабочие пространства и задачи без ограничений', // proposed: the specification's bypass flag
} as const
