import type { Actor } from '@ordinator/model/access'
import type { CommonSettings as ClinicSettings } from '@ordinator/model/areas/settings/commonSettings'
import { type UserSettingGroups, userSettingDefaults } from '@ordinator/model/areas/settings/userSettings'
import type { Permission } from '@ordinator/model/permissions'
import type { Module, Tariff } from '@ordinator/model/tariff'

/** The signed-in user in the answer with the account. */
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
  login?: string | null
}

/** The user's own settings in their three groups. */
export type UserSettings = UserSettingGroups

/** The clinic's settings visible to everybody; the server may send newer names too. */
export type CommonSettings = Partial<ClinicSettings>

/** POST /common/get-account. */
export interface Account {
  /** Realtime cursor from before the account was read. */
  cursor?: string
  user: {
    identity: Identity
    roles: { id: number; name: string }[]
    specials: { mustChangePassword?: boolean; mustAddFactor?: boolean; menuChosen?: boolean; [name: string]: unknown }
    permissions: Partial<Record<Permission, true>>
    /** The only branches that the user sees. */
    onlyFilials?: number[]
    badges: Record<string, number>
    settings: UserSettings
    /** Time zone of the screens. */
    timeZone: string
    hash: string
  }
  common: {
    settings: CommonSettings
    tariff?: Tariff
    additionalServices?: Module[]
    /** A telephone exchange for dialling is configured. */
    telephony?: boolean
    /** No patient has been received yet; only for users who set the clinic up. */
    isNew?: boolean
    training?: boolean
    /** This is the demo clinic: the simulator is available. */
    demo?: boolean
  }
}

/** The account with defaults for everything the screens rely on. */
export function completeAccount(answer: Account): Account {
  const { cursor, user, common } = answer
  const given: Partial<UserSettings> = user.settings ?? {}
  return {
    cursor,
    user: {
      ...user,
      roles: user.roles ?? [],
      specials: user.specials ?? {},
      permissions: user.permissions ?? {},
      badges: user.badges ?? {},
      settings: {
        main: { ...userSettingDefaults.main, ...given.main },
        notifications: { ...userSettingDefaults.notifications, ...given.notifications },
        examinationDictionaries: { ...userSettingDefaults.examinationDictionaries, ...given.examinationDictionaries },
      },
    },
    common: { ...common, settings: common?.settings ?? {} },
  }
}

/** The actor, for `can` and the page guards. */
export function actorOf(account: Account): Actor {
  return {
    id: account.user.identity.id,
    permissions: account.user.permissions,
    tariff: account.common.tariff,
    modules: account.common.additionalServices ?? [],
    ...(account.user.onlyFilials && { onlyFilials: account.user.onlyFilials }),
  }
}
