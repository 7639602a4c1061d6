/** Permissions of this area by the groups of `permissions.ts`, which joins them. */
export const elnPermissions = {
  viewElnList: 'Больничные листы: своих пациентов',
  viewAllEln: 'Больничные листы: всех врачей', // proposed
  editEln: 'Больничные листы: оформление', // proposed
  signElnChairman: 'Больничные листы: подпись председателя ВК', // proposed
} as const
