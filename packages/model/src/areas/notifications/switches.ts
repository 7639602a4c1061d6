import type { UserSettingGroups } from '../settings/userSettings.ts'

type Settings = UserSettingGroups['notifications']
type Switch = { [K in keyof Settings]: Settings[K] extends boolean ? K : never }[keyof Settings]

/**
 * Which of a user's own switches tell of which notices: by what stands before the dot of their kind. `on`: at all;
 * `own`: only of what the user has to do with. A group without a switch is always told.
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
