/** A starred page: URL in the product, and its window title. */
export interface Starred {
  link: string
  title: string
}
/** Limit of «Избранное». */
export const MAX_STARRED = 20

/** A user's settings in three groups (spec §3). Plain data, so that the web need not load the checks. */
export interface UserSettingGroups {
  main: {
    showExaminationColors: boolean
    showTableBorders: boolean
    modalBackgroundClose: boolean
    showServerName: boolean
    pinLeftMenu: boolean
    /** «Избранное» of the menu, in the user's order. */
    menuStarred: Starred[]
    /** Menu sections opened (true) or folded by the user; the others depend on the space. */
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
    /** Beyond the specification. */
    sendToEmail: boolean
    tasks: boolean
    tasksMy: boolean
    /** The next three are beyond the specification. */
    deals: boolean
    regulations: boolean
    news: boolean
    serviceOnline: boolean
    allNotifyLiveAssist: boolean
    /** Chat sources with notifications; empty: all. */
    sourceNamesLiveAssist: string[]
  }
  examinationDictionaries: {
    openDictionaryOnClick: boolean
    showDictionaryOnTopExamination: boolean
  }
}
export type UserSettingGroup = keyof UserSettingGroups

/** Paths of the groups: `/user-settings/{path}`. */
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
