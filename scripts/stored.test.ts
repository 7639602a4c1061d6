/** What is stored and read by nobody: each setting, right and field is asked for somewhere, or waits for its area. */
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { commonSettingNames, waitingSettings } from '@ordinator/model/areas/settings/commonSettings'
import { userSettingDefaults } from '@ordinator/model/areas/settings/userSettings'
import { entities } from '@ordinator/model/entities'
import type { Entity } from '@ordinator/model/entity'
import { pageSections, pages } from '@ordinator/model/pages'
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

/** Sources that may read; not those that only declare, list for setting, try, or fill the demo clinic. */
const DECLARES =
  /\.test\.|\/testing\/|demo|\/(permissions|waiting|userSettings|commonSettings|checks|tariff|standardRoles|SettingsTabs|MainSettingsPage)\.tsx?$|settings\/children\//i
const sources = globSync('{apps,packages}/*/src/**/*.{ts,tsx}', { cwd: ROOT })
  .filter((path) => !DECLARES.test(path))
  .map((path) => ({ path, text: readFileSync(join(ROOT, path), 'utf8') }))

type Source = (typeof sources)[number]
const isRead = (name: string, within: (source: Source) => boolean = () => true): boolean => {
  const word = new RegExp(`(?<![\\w$])${name}(?![\\w$])`)
  return sources.some((source) => within(source) && word.test(source.text))
}

/** What is read by nobody must wait, and what waits must be read by nobody. */
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
  // What the clinic gives them is written there, and read by nobody.
  const readers = ({ path, text }: Source) =>
    !path.endsWith('settings/own.ts') && /[uU]serSettings|user_settings|useOwnSettings|UserSettingGroups/.test(text)
  // The channel of Telegram is there in words alone: its switch says that it is not connected.
  const asked = names.filter((name) => name !== 'notifications.sendToTg')
  held(asked, (name) => isRead(name.split('.')[1] as string, readers), waitingOwnSettings)
})

test('settings of the clinic', () => held(commonSettingNames, (name) => isRead(name), waitingSettings))

test('permissions', () => held(permissionNames, (name) => isRead(name), waitingPermissions))

test('modules', () => held(Object.keys(moduleLabels), (name) => isRead(name), waitingModules))

/** Answered to whoever asks by the calls, and shown nowhere. */
const told = new Set(['sales-management/lead-visits.idNext'])

test('fields', () => {
  const names = (entities as readonly Entity[]).flatMap((entity) =>
    Object.keys(entity.fields).map((field) => `${entity.path}.${field}`),
  )
  const registries = new Set((entities as readonly Entity[]).filter((one) => one.registry).map(({ path }) => path))
  const read = (name: string) => {
    const [path, field] = name.split('.') as [string, string]
    const declares = ({ text }: Source) => text.includes(`'${path}'`) && new RegExp(`\\n\\s+${field}: `).test(text)
    // A registry shows and changes what its entity declares.
    return isRead(field, (source) => !declares(source)) || (registries.has(path) && !(name in waitingFields))
  }
  held(
    names.filter((name) => !told.has(name)),
    read,
    waitingFields,
  )
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
