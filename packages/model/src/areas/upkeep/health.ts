import { adapterPages } from '../exchange/integration.ts'

export const healthStates = {
  bad: 'Не работает',
  warn: 'Нужно внимание',
  good: 'В порядке',
  unknown: 'Не проверялось',
  off: 'Не подключено',
} as const
export type HealthState = keyof typeof healthStates

export const healthGroups = {
  server: 'Сервер',
  backups: 'Копии',
  messages: 'Сообщения и телефония',
  desk: 'Кассы и терминалы',
  exchange: 'Внешние системы',
  jobs: 'Фоновая работа',
} as const
export type HealthGroup = keyof typeof healthGroups

/** Pages linked from lines of health. */
export const healthPages = [...adapterPages, 'backups', 'exchangeJournal', 'integrations'] as const
