import { z } from 'zod'
import { messages } from '../../messages.ts'
import { MAX_STARRED, type UserSettingGroup, type UserSettingGroups } from './userSettings.ts'

export const flag = () => z.boolean(messages.boolean)
/** Aborts on an invalid time, so that no comparison errors follow. */
export const clockTime = () =>
  z.string(messages.string).regex(/^([01]\d|2[0-3]):[0-5]\d$/, { error: messages.clock, abort: true })

/** Writable parts of each group of the user's settings. */
export const userSettingChecks: { [G in UserSettingGroup]: z.ZodType<Partial<UserSettingGroups[G]>> } = {
  main: z
    .object({
      showExaminationColors: flag(),
      showTableBorders: flag(),
      modalBackgroundClose: flag(),
      showServerName: flag(),
      pinLeftMenu: flag(),
      menuStarred: z
        .array(
          z.object({
            // Only a path within the product.
            link: z
              .string(messages.string)
              .regex(/^\/(?!\/)/, messages.required)
              .max(1000, messages.maxLength(1000)),
            title: z.string(messages.string).max(300, messages.maxLength(300)),
          }),
          messages.list,
        )
        .max(MAX_STARRED, messages.listMax(MAX_STARRED)),
      menuFolds: z
        .record(z.string().max(32), flag())
        .refine((folds) => Object.keys(folds).length <= 32, messages.listMax(32)),
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
