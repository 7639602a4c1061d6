/**
 * Data that are stored but not used until their area exists. The screen where they are set shows that; a test
 * (scripts/stored.test.ts) finds unused data that are missing here, and entries here that are in use.
 */
import type { UserSettingGroup, UserSettingGroups } from './areas/settings/userSettings.ts'
import type { Permission } from './permissions.ts'
import type { Module } from './tariff.ts'

interface Later {
  title: string
  /** Path of its future page: once the page exists, nothing may wait for it any more (scripts/stored.test.ts). */
  path: string
}

/** Future areas of the product. */
export const laterAreas = {
  documents: { title: 'Документооборот', path: 'documents' },
  esia: { title: 'Вход через Госуслуги', path: 'esia' },
  shop: { title: 'Магазин', path: 'shop' },
} as const satisfies Readonly<Record<string, Later>>
export type LaterArea = keyof typeof laterAreas

/** Text beside the setting; undefined: it is in use. */
export const waitsFor = (area: LaterArea | undefined): string | undefined =>
  area && `Появится с разделом «${laterAreas[area].title}»`

type OwnSetting = { [G in UserSettingGroup]: `${G}.${keyof UserSettingGroups[G] & string}` }[UserSettingGroup]

export const waitingOwnSettings: { readonly [S in OwnSetting]?: LaterArea } = {}

export const waitingModules: { readonly [M in Module]?: LaterArea } = {
  documentManagement: 'documents',
}

export const waitingPermissions: { readonly [P in Permission]?: LaterArea } = {}

/** Single fields of existing entities; a form shows the text below the field. */
export const waitingFields: Readonly<Record<string, LaterArea>> = {
  'filials.cdekPVZ': 'shop',
  'services-groups.groupCode': 'shop',
}
