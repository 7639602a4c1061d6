import type { UserSettingGroups } from '../settings/userSettings.ts'

type Settings = UserSettingGroups['notifications']
type Switch = { [K in keyof Settings]: Settings[K] extends boolean ? K : never }[keyof Settings]

/**
 * A user's switches by group of notifications (the kind up to the dot). `on`: all of the group; `own`: only those the
 * user is involved in. A group without a switch is always on.
 */
export const noticeSwitches: Record<string, { on: Switch; own?: Switch }> = {
  task: { on: 'tasks', own: 'tasksMy' },
  lead: { on: 'deals' },
  regulation: { on: 'regulations' },
  news: { on: 'news' },
  chat: { on: 'liveAssist' },
  dialog: { on: 'serviceOnline' },
  appointmentCreate: { on: 'appointmentCreate' },
  appointmentChange: { on: 'appointmentChange' },
  appointmentDelete: { on: 'appointmentDelete' },
  scheduleNew: { on: 'scheduleNew' },
  scheduleUpdate: { on: 'scheduleUpdate' },
  scheduleDelete: { on: 'scheduleDelete' },
}

/** The group of a kind: `task` of `task.assigned`. */
export const noticeGroup = (kind: string): string => kind.split('.', 1)[0] as string
