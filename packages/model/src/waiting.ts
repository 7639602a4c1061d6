/**
 * What is stored already and read by nobody until its area is there. The screen where it is set says so; a test
 * (scripts/stored.test.ts) finds what is stored in vain and does not stand here, and what stands here though it works.
 */
import type { UserSettingGroup, UserSettingGroups } from './areas/settings/userSettings.ts'
import type { Permission } from './permissions.ts'
import type { Module } from './tariff.ts'

interface Later {
  title: string
  /** The page that it will have: once there is one, nothing waits for it any more (scripts/stored.test.ts). */
  path: string
}

/** Areas of the house that are yet to come. */
export const laterAreas = {
  documents: { title: 'Документооборот', path: 'documents' },
  esia: { title: 'Вход через Госуслуги', path: 'esia' },
  shop: { title: 'Магазин', path: 'shop' },
} as const satisfies Readonly<Record<string, Later>>
export type LaterArea = keyof typeof laterAreas

/** What stands beside it where it is set; undefined: it works. */
export const waitsFor = (area: LaterArea | undefined): string | undefined =>
  area && `Появится с разделом «${laterAreas[area].title}»`

type OwnSetting = { [G in UserSettingGroup]: `${G}.${keyof UserSettingGroups[G] & string}` }[UserSettingGroup]

export const waitingOwnSettings: { readonly [S in OwnSetting]?: LaterArea } = {}

export const waitingModules: { readonly [M in Module]?: LaterArea } = {
  documentManagement: 'documents',
}

export const waitingPermissions: { readonly [P in Permission]?: LaterArea } = {}

/** Single fields of entities that are there; a form says it under the field. */
export const waitingFields: Readonly<Record<string, LaterArea>> = {
  'filials.cdekPVZ': 'shop',
  'services-groups.groupCode': 'shop',
}
