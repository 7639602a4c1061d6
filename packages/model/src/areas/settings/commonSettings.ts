import type { LaterArea } from '../../waiting.ts'
import { attachmentSettings } from './children/attachment.ts'
import { backupsSettings } from './children/backups.ts'
import { clientSettings } from './children/client.ts'
import { companySettings } from './children/company.ts'
import { connectionsSettings } from './children/connections.ts'
import { customersSettings } from './children/customers.ts'
import { elnSettings } from './children/eln.ts'
import { egiszSettings, sosnilsSettings } from './children/exchange.ts'
import { mainSettings } from './children/main.ts'
import { warehouseSettings } from './children/warehouse.ts'
import type { Setting, SettingsChild } from './setting.ts'

/** Pages of the clinic's settings. To add a page or a setting, declare it in `children/` and list it here. */
const declared = [
  mainSettings,
  customersSettings,
  companySettings,
  clientSettings,
  warehouseSettings,
  egiszSettings,
  sosnilsSettings,
  elnSettings,
  attachmentSettings,
  connectionsSettings,
  backupsSettings,
] as const

type Joined<U> = (U extends unknown ? (one: U) => void : never) extends (all: infer A) => void ? A : never
type GroupsOf<C> = C extends { groups: infer G } ? G[keyof G] : never
type All = Joined<GroupsOf<(typeof declared)[number]>>

export type CommonSettingName = keyof All & string
/** Values of settings; for a secret, whether it is set. */
export type CommonSettings = {
  [N in CommonSettingName]: All[N] extends Setting<infer T> ? T : never
}

export const settingsChildren: readonly SettingsChild[] = declared

/** The clinic's settings by name, over all pages. */
export const commonSettings = Object.assign({}, ...settingsChildren.flatMap(({ groups }) => Object.values(groups))) as {
  readonly [N in CommonSettingName]: Setting<CommonSettings[N]>
}

export const commonSettingNames = Object.keys(commonSettings) as CommonSettingName[]

/** Page and group of a setting. */
export interface SettingPlace {
  child: SettingsChild
  group: string
}
const places = new Map<string, SettingPlace>(
  settingsChildren.flatMap((child) =>
    Object.entries(child.groups).flatMap(([group, all]) =>
      Object.keys(all).map((name) => [name, { child, group }] as const),
    ),
  ),
)
export const placeOf = (name: CommonSettingName): SettingPlace => places.get(name) as SettingPlace

/** True for write-only settings. */
export const isSecret = (name: CommonSettingName): boolean => commonSettings[name].input?.kind === 'secret'

/** Secrets that are sent to the address in this setting. */
export const secretsOf = (name: CommonSettingName): CommonSettingName[] =>
  commonSettingNames.filter((one) => commonSettings[one].goesTo === name)

export const isSettingName = (name: string): name is CommonSettingName => Object.hasOwn(commonSettings, name)

/** Settings not used yet, until their area exists. */
export const waitingSettings: { readonly [N in CommonSettingName]?: LaterArea } = Object.fromEntries(
  [...places].flatMap(([name, { child }]) => {
    const waits = commonSettings[name as CommonSettingName].waits ?? child.waits
    return waits ? [[name, waits]] : []
  }),
)
