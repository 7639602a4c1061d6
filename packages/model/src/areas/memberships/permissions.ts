/** Permissions of this area; `permissions.ts` joins them. */
export const membershipPermissions = {
  viewMemberships: 'Абонементы: просмотр', // proposed
  editMembershipTypes: 'Абонементы: виды и цены', // proposed
} as const
