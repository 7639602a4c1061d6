// Permissions of this area by the groups of `permissions.ts`, which joins them.

export const settingsPermissions = {
  mainSettings: 'Настройки',
} as const

export const socketPermissions = {
  testSocket: 'Проверка сокета', // proposed
} as const
