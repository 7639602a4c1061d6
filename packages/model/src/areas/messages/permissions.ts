// Permissions of this area by the groups of `permissions.ts`, which joins them.

export const messagePermissions = {
  viewMessages: 'Сообщения клиентам: журнал', // proposed
  sendMessages: 'Сообщения клиентам: рассылка и повтор', // proposed
} as const

export const messageSetUpPermissions = {
  editMessageTemplates: 'Шаблоны сообщений', // proposed
} as const
