/** Permissions of this area by the groups of `permissions.ts`, which joins them. */
export const payrollPermissions = {
  payroll: 'Зарплата',
} as const
