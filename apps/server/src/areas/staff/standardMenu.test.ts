import { MENU_ROWS, menuOf, menuRows, openAtFirst, phonePlaces } from '@ordinator/model/menu'
import { type Module, modules } from '@ordinator/model/tariff'
import { expect, test } from 'vitest'
import { standardRoles } from './standardRoles.ts'

const moduleNames = Object.keys(modules) as Module[]

const visitor = (permissions: readonly string[]) => ({
  id: 1,
  permissions: Object.fromEntries(permissions.map((name) => [name, true as const])),
  tariff: 'premium' as const,
  modules: moduleNames,
})

test.each(Object.values(standardRoles).map(({ name, permissions }) => [name, permissions] as const))(
  'the menu of «%s» fits a screen of 900 px with labels, with any section open',
  (_, permissions) => {
    const sections = menuOf(visitor(permissions), undefined)
    expect(sections.length).toBeLessThanOrEqual(12)
    for (const { key } of sections) {
      const open = openAtFirst(sections, key)
      expect(open).toContain(key)
      expect(menuRows(sections, open)).toBeLessThanOrEqual(MENU_ROWS)
    }
    expect(phonePlaces(visitor(permissions), undefined)).toHaveLength(5)
  },
)

test('a page is in the menu once, and a family by its first accessible page', () => {
  const keys = menuOf(visitor(['viewAccessLog', 'editMessageTemplates']), undefined).flatMap(({ pages }) =>
    pages.map(({ key }) => key),
  )
  expect(new Set(keys).size).toBe(keys.length)
  expect(keys).toContain('accessLog')
  expect(keys).not.toContain('incidents')
  // Without access to /settings the first accessible set-up page is listed.
  expect(keys).toContain('messageTemplates')
})
