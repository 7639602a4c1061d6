import { z } from 'zod'
import { messages } from '../../messages.ts'
import type { UserSettingGroup, UserSettingGroups } from './userSettings.ts'

export const flag = () => z.boolean(messages.boolean)
export const clockTime = () => z.string(messages.string).regex(/^([01]\d|2[0-3]):[0-5]\d$/, messages.clock)

/** What a write of each group of the user's settings may hold: any part of it. */
export const userSettingChecks: { [G in UserSettingGroup]: z.ZodType<Partial<UserSettingGroups[G]>> } = {
  main: z
    .object({
      showExaminationColors: flag(),
      showTableBorders: flag(),
      modalBackgroundClose: flag(),
      showServerName: flag(),
      pinLeftMenu: flag(),
      messageNotifyAllowed: flag(),
      messageNotifyTimeStart: clockTime(),
      messageNotifyTimeEnd: clockTime(),
    })
    .partial(),
  notifications: z
    .object({
      appointmentChange: flag(),
      appointmentCreate: flag(),
      appointmentDelete: flag(),
      liveAssist: flag(),
      scheduleDelete: flag(),
      scheduleNew: flag(),
      scheduleUpdate: flag(),
      sendToTg: flag(),
      sendToEmail: flag(),
      tasks: flag(),
      tasksMy: flag(),
      deals: flag(),
      regulations: flag(),
      news: flag(),
      serviceOnline: flag(),
      allNotifyLiveAssist: flag(),
      sourceNamesLiveAssist: z
        .array(
          z.string(messages.string).trim().min(1, messages.required).max(64, messages.maxLength(64)),
          messages.list,
        )
        .max(100, messages.listMax(100)),
    })
    .partial(),
  examinationDictionaries: z
    .object({ openDictionaryOnClick: flag(), showDictionaryOnTopExamination: flag() })
    .partial(),
}
