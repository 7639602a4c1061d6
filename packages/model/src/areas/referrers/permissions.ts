/** Permissions of this area; `permissions.ts` joins them. */
export const referrerPermissions = {
  viewReferrers: 'Направившие со стороны: просмотр', // proposed
  editReferrers: 'Направившие со стороны: договоры, ставки, акты', // proposed
} as const
