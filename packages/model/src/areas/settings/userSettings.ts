/** A place that a person has starred: its address inside the product, and the name that the window had there. */
export interface Starred {
  link: string
  title: string
}
/** «Избранное» holds no more. */
export const MAX_STARRED = 20

/** A user's own settings in their three groups (spec §3). Plain data, so that the web need not load the checks. */
export interface UserSettingGroups {
  main: {
    showExaminationColors: boolean
    showTableBorders: boolean
    modalBackgroundClose: boolean
    showServerName: boolean
    pinLeftMenu: boolean
    /** «Избранное» of the menu, in the person's own order. */
    menuStarred: Starred[]
    /** Sections of the menu that the person has opened (true) or folded; the others are as there is room. */
    menuFolds: Record<string, boolean>
    messageNotifyAllowed: boolean
    /** HH:mm */
    messageNotifyTimeStart: string
    /** HH:mm */
    messageNotifyTimeEnd: string
  }
  notifications: {
    appointmentChange: boolean
    appointmentCreate: boolean
    appointmentDelete: boolean
    liveAssist: boolean
    scheduleDelete: boolean
    scheduleNew: boolean
    scheduleUpdate: boolean
    sendToTg: boolean
    /** Ours, beside the specification's. */
    sendToEmail: boolean
    tasks: boolean
    tasksMy: boolean
    /** The next three are ours, beside the specification's. */
    deals: boolean
    regulations: boolean
    news: boolean
    serviceOnline: boolean
    allNotifyLiveAssist: boolean
    /** Sources of chats that notify; empty: all. */
    sourceNamesLiveAssist: string[]
  }
  examinationDictionaries: {
    openDictionaryOnClick: boolean
    showDictionaryOnTopExamination: boolean
  }
}
export type UserSettingGroup = keyof UserSettingGroups

/** Where each group is read and written: `/user-settings/{path}`. */
export const userSettingPaths = {
  main: 'main',
  notifications: 'notifications',
  examinationDictionaries: 'examination-dictionaries',
} as const satisfies Record<UserSettingGroup, string>
export const userSettingGroups = Object.keys(userSettingPaths) as UserSettingGroup[]

export const userSettingDefaults: UserSettingGroups = {
  main: {
    showExaminationColors: true,
    showTableBorders: false,
    modalBackgroundClose: false,
    showServerName: true,
    pinLeftMenu: false,
    menuStarred: [],
    menuFolds: {},
    messageNotifyAllowed: false,
    messageNotifyTimeStart: '10:00',
    messageNotifyTimeEnd: '18:00',
  },
  notifications: {
    appointmentChange: false,
    appointmentCreate: false,
    appointmentDelete: false,
    liveAssist: true,
    scheduleDelete: false,
    scheduleNew: false,
    scheduleUpdate: false,
    sendToTg: true,
    sendToEmail: false,
    tasks: true,
    tasksMy: false,
    deals: true,
    regulations: true,
    news: true,
    serviceOnline: true,
    allNotifyLiveAssist: false,
    sourceNamesLiveAssist: [],
  },
  examinationDictionaries: {
    openDictionaryOnClick: false,
    showDictionaryOnTopExamination: false,
  },
}
