import type { Actor } from '@ordinator/model/access'
import type { Permission } from '@ordinator/model/permissions'
import type { Module, Tariff } from '@ordinator/model/tariff'

/** The signed-in user as the account answer gives it. */
export interface Identity {
  id: number
  surname?: string | null
  name?: string | null
  middleName?: string | null
  fio: string
  shortFio: string
  avatar?: string | null
  post?: string | null
  phone?: string | null
  email?: string | null
  sipPhone?: string | null
}

export interface MainSettings {
  showExaminationColors: boolean
  showTableBorders: boolean
  modalBackgroundClose: boolean
  showServerName: boolean
  pinLeftMenu: boolean
  messageNotifyAllowed: boolean
  /** HH:mm */
  messageNotifyTimeStart: string
  /** HH:mm */
  messageNotifyTimeEnd: string
}

export interface NotificationSettings {
  id?: number
  appointmentChange: boolean
  appointmentCreate: boolean
  appointmentDelete: boolean
  liveAssist: boolean
  scheduleDelete: boolean
  scheduleNew: boolean
  scheduleUpdate: boolean
  sendToTg: boolean
  tasks: boolean
  tasksMy: boolean
  serviceOnline: boolean
  allNotifyLiveAssist: boolean
  sourceNamesLiveAssist: string[]
}

export interface ExaminationDictionarySettings {
  openDictionaryOnClick: boolean
  showDictionaryOnTopExamination: boolean
}

export interface UserSettings {
  main: MainSettings
  notifications: NotificationSettings
  examinationDictionaries: ExaminationDictionarySettings
}

/** The clinic's settings that the shell reads; there are others. */
export interface CommonSettings {
  productName?: string
  cookieNameCurrent?: string
  cookieNameOther?: string
  cookieNameLogout?: string
  oldCrmUrl?: string
  /** Open the websocket. */
  socketActive?: boolean
  [name: string]: unknown
}

/** POST /common/get-account. */
export interface Account {
  user: {
    identity: Identity
    roles: { id: number; name: string }[]
    specials: Record<string, unknown>
    permissions: Partial<Record<Permission, true>>
    badges: Record<string, number>
    settings: UserSettings
    hash: string
  }
  common: {
    settings: CommonSettings
    tariff?: Tariff
    additionalServices?: Module[]
  }
}

/** The specification's defaults (spec §3 Settings). */
export const defaultUserSettings: UserSettings = {
  main: {
    showExaminationColors: true,
    showTableBorders: false,
    modalBackgroundClose: false,
    showServerName: true,
    pinLeftMenu: false,
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
    tasks: true,
    tasksMy: false,
    serviceOnline: true,
    allNotifyLiveAssist: false,
    sourceNamesLiveAssist: [],
  },
  examinationDictionaries: {
    openDictionaryOnClick: false,
    showDictionaryOnTopExamination: false,
  },
}

/** The account with nothing missing that the screens rely on. */
export function completeAccount(answer: Account): Account {
  const { user, common } = answer
  const given: Partial<UserSettings> = user.settings ?? {}
  return {
    user: {
      ...user,
      roles: user.roles ?? [],
      specials: user.specials ?? {},
      permissions: user.permissions ?? {},
      badges: user.badges ?? {},
      settings: {
        main: { ...defaultUserSettings.main, ...given.main },
        notifications: { ...defaultUserSettings.notifications, ...given.notifications },
        examinationDictionaries: { ...defaultUserSettings.examinationDictionaries, ...given.examinationDictionaries },
      },
    },
    common: { ...common, settings: common?.settings ?? {} },
  }
}

/** Who asks, for `can` and the page guards. */
export function actorOf(account: Account): Actor {
  return {
    id: account.user.identity.id,
    permissions: account.user.permissions,
    tariff: account.common.tariff,
    modules: account.common.additionalServices ?? [],
  }
}
