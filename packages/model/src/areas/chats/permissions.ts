// Permissions of this area by the groups of `permissions.ts`, which joins them.

export const chatPermissions = {
  supportOperator: 'Чат поддержки',
  superviseLiveAssist: 'Чат поддержки: старший смены', // proposed
  onlineChat: 'Чат с пациентом',
  displayTableLiveAssist: 'Журнал чатов поддержки',
  displayTableServiceOnline: 'Журнал чатов с пациентами',
} as const

export const chatSetUpPermissions = {
  editLiveAssistSuggestion: 'Быстрые ответы',
  editLiveAssistDomainMap: 'Карта доменов',
  editDialogs: 'Диалоги с врачами',
} as const
