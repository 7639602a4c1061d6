/** Permissions of this area by the groups of `permissions.ts`, which joins them. */
export const staffPermissions = {
  editUsers: 'Сотрудники, роли и права', // proposed
} as const
