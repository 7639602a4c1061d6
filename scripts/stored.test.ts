/** Finds stored data that nothing reads: each setting, right and field must be used, or wait for its area. */
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { commonSettingNames, waitingSettings } from '@ordinator/model/areas/settings/commonSettings'
import { userSettingDefaults } from '@ordinator/model/areas/settings/userSettings'
import { entities } from '@ordinator/model/entities'
import type { Entity } from '@ordinator/model/entity'
import { type Page, pageSections } from '@ordinator/model/page'
import { pages } from '@ordinator/model/pages'
import { permissionNames } from '@ordinator/model/permissions'
import { moduleLabels } from '@ordinator/model/tariff'
import {
  laterAreas,
  waitingFields,
  waitingModules,
  waitingOwnSettings,
  waitingPermissions,
} from '@ordinator/model/waiting'
import { expect, test } from 'vitest'

const ROOT = join(import.meta.dirname, '..')

/** Sources that do not count as readers: declarations, lists for settings, tests, the demo clinic. */
const DECLARES =
  /\.test\.|\/testing\/|demo|\/(permissions|waiting|userSettings|commonSettings|checks|tariff|standardRoles|SettingsTabs|MainSettingsPage)\.tsx?$|settings\/children\//i
const sources = globSync('{apps,packages}/*/src/**/*.{ts,tsx}', { cwd: ROOT })
  .filter((path) => !DECLARES.test(path))
  .map((path) => {
    const text = readFileSync(join(ROOT, path), 'utf8')
    return { path, text, words: new Set(text.match(/[\w$]+/g)) }
  })

type Source = (typeof sources)[number]
const isRead = (name: string, within: (source: Source) => boolean = () => true): boolean =>
  sources.some((source) => source.words.has(name) && within(source))

/** Unread data must be listed as waiting, and waiting data must be unread. */
const held = (names: readonly string[], read: (name: string) => boolean, waiting: object) =>
  expect(names.filter((name) => !read(name)).sort()).toEqual(
    Object.keys(waiting)
      .filter((name) => names.includes(name))
      .sort(),
  )

test('own settings', () => {
  const names = Object.entries(userSettingDefaults).flatMap(([group, all]) =>
    Object.keys(all).map((name) => `${group}.${name}`),
  )
  // The clinic's defaults are only written there.
  const readers = ({ path, text }: Source) =>
    !path.endsWith('settings/own.ts') && /[uU]serSettings|user_settings|useOwnSettings|UserSettingGroups/.test(text)
  // The channel of Telegram exists only as text: its switch shows that it is not connected.
  const asked = names.filter((name) => name !== 'notifications.sendToTg')
  held(asked, (name) => isRead(name.split('.')[1] as string, readers), waitingOwnSettings)
})

test('settings of the clinic', () => held(commonSettingNames, (name) => isRead(name), waitingSettings))

test('permissions', () => held(permissionNames, (name) => isRead(name), waitingPermissions))

test('modules', () => held(Object.keys(moduleLabels), (name) => isRead(name), waitingModules))

/** Forms and editable lists: a value that is only entered and shown there has no effect. */
const CHANGES = /<(RecordForm|RecordFields?|EditableList|LinkedRecords)\b/

/** Facts shown to people in their registry, printed in documents or returned by calls: without further effect. */
const facts = new Set([
  'consents/incidents.noticeNumber',
  'dictionaries.dateLoad',
  'dictionaries.termsCount',
  'filials.externalCode',
  'filials.idClient',
  'laboratory/containers.usedFor',
  'organizations.isVatPayer',
  'organizations.vatRate',
  'regulations.readsDoneCount',
  'sales-management/lead-visits.idNext',
  'service-types.iconClass',
  'services.userCreate',
  'users.certificateNumber',
  'warehouse/batches.gtd',
  'warehouse/climate.humidity',
])

/** Names that also mean something else, or values that are read where they are declared. */
const unclear = new Set([
  'filials.mdlpPlace',
  'print-templates.orientation',
  'service-performers.commission',
  'warehouses.mdlpPlace',
])

/** Registries that wait as a whole: their page shows that. */
const waitingRegistries = new Set(
  (pages as readonly Page[]).flatMap(({ entity, help }) => (entity && /Пока хранятся/.test(help) ? [entity] : [])),
)

test('fields', () => {
  const names = (entities as readonly Entity[]).flatMap((entity) =>
    Object.keys(entity.fields).map((field) => `${entity.path}.${field}`),
  )
  const read = (name: string) => {
    const [path, field] = name.split('.') as [string, string]
    const declares = ({ text }: Source) => text.includes(`'${path}'`) && new RegExp(`\\n\\s+${field}: `).test(text)
    return isRead(field, (source) => !declares(source) && !CHANGES.test(source.text))
  }
  const asked = names.filter((name) => !waitingRegistries.has(name.split('.')[0] as string) && !unclear.has(name))
  held(
    asked.filter((name) => !facts.has(name)),
    read,
    waitingFields,
  )
  expect([...facts].filter((name) => !names.includes(name) || read(name))).toEqual([])
  expect(Object.keys(waitingFields).filter((name) => !names.includes(name))).toEqual([])
})

test('a page that waits names the area that is to come', () => {
  const titles = new Set<string>(Object.values(laterAreas).map(({ title }) => title))
  const named = (pages as readonly Page[]).flatMap(
    ({ help }) => /появ(?:ится|ятся) с разделом «(.+?)»/.exec(help)?.[1] ?? [],
  )
  expect(named.filter((title) => !titles.has(title))).toEqual([])
})

test('what waits for an area waits for one that is not there', () => {
  const there = new Set<string>([...pages.map(({ path }) => path), ...pages.map(({ title }) => title)])
  for (const section of Object.values(pageSections)) there.add(section)
  expect(Object.values(laterAreas).filter(({ path, title }) => there.has(path) || there.has(title))).toEqual([])
  const waited = new Set<string>(
    [waitingSettings, waitingOwnSettings, waitingModules, waitingPermissions, waitingFields].flatMap((one) =>
      Object.values(one),
    ),
  )
  expect(Object.keys(laterAreas).filter((area) => !waited.has(area))).toEqual([])
})
