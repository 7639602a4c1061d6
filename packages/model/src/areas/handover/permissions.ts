// Permissions of this area by the groups of `permissions.ts`, which joins them.

export const handoverPermissions = {
  handOverFilial: 'Филиалы: передача данных покупателю', // proposed
} as const
