import { expect, test } from 'vitest'
import { refusal } from './access.ts'
import { entities } from './entities.ts'
import type { Entity } from './entity.ts'
import { oldCrmAddress, oldCrmPaths, oldCrmSectionAddress, oldCrmSections, ownAddress } from './oldCrm.ts'
import type { Page } from './page.ts'
import {
  familyRedirects,
  firstOfFamily,
  isOffered,
  ourPage,
  type PageKey,
  pageAllowed,
  pageByKey,
  pagePath,
  pageRedirects,
  pages,
  searchedPages,
} from './pages.ts'
import { type Permission, permissionNames } from './permissions.ts'
import { wordsOf } from './registry.ts'
import { type Module, modules as moduleLabels } from './tariff.ts'

const modules = Object.keys(moduleLabels) as Module[]
const page = (gate: Partial<Page>): Page => ({ key: 'x', path: 'x', title: 'x', help: 'x', ...gate })

test('keys and paths are unique, redirects lead to a page', () => {
  expect(new Set(pages.map((p) => p.key)).size).toBe(pages.length)
  expect(new Set(pages.map((p) => p.path)).size).toBe(pages.length)
  for (const [from, key] of Object.entries(pageRedirects)) {
    expect(pages.some((p) => p.path === from)).toBe(false)
    expect(pageByKey(key)).toBeDefined()
  }
})

test('only login, the error page and the card of a call for a telephony program open without sign-in', () => {
  expect(pages.filter((p) => pageAllowed(p, undefined)).map((p) => p.key)).toEqual(['incomingCall', 'login', 'error'])
})

test.each<[string, Partial<Page>, boolean]>([
  ['no gate', {}, true],
  ['one of', { any: ['mainSettings', 'viewTasksManagement'] }, true],
  ['none of', { any: ['mainSettings'] }, false],
  ['every', { every: ['viewTasksManagement', 'mainSettings'] }, false],
  ['lower tariff', { tariff: 'basic' }, true],
  ['higher tariff', { tariff: 'premium' }, false],
  ['module held', { module: 'callPrompts' }, true],
  ['module missing', { module: 'omnichannel' }, false],
])('gate: %s', (_, gate, open) => {
  const actor = {
    id: 1,
    permissions: { viewTasksManagement: true } as const,
    tariff: 'standard' as const,
    modules: ['callPrompts'] as const,
  }
  expect(pageAllowed(page(gate), actor)).toBe(open)
})

test('an address is made of a path and its parameters', () => {
  expect(pagePath('dashboard')).toBe('/')
  expect(pagePath('dealAnalytics', { id: 5 })).toBe('/deals/5/analytics')
  expect(pagePath('error', { code: 'a/b' })).toBe('/error/a%2Fb')
})

test('the older CRM answers its paths when there is one', () => {
  expect(oldCrmAddress('https://old.example/crm/', 'users/:id', { id: 7 })).toBe(
    'https://old.example/crm/users/view?id=7',
  )
  expect(oldCrmAddress('https://old.example', 'customers/:id', { id: '5&x' })).toBe(
    'https://old.example/customers/view?id=5%26x',
  )
  expect(oldCrmAddress('https://old.example', 'tasks')).toBeUndefined()
  expect(oldCrmAddress('', 'users')).toBeUndefined()
})

test.each([
  ['customers', 'customers', '/customers'],
  ['customers/:id', 'customers/view?id=7', '/customers/edit?id=7'],
  ['users', 'users', '/users'],
  ['users/:id', 'users/view?id=7', '/users/7'],
  ['services', 'services', '/services'],
  ['services/:id', 'services/view?id=7', '/service/view?id=7'],
  ['schedule', 'schedule', '/calendar'],
  ['calendar', 'calendar', '/calendar'],
  ['warehouse/goods', 'warehouse/goods', '/warehouse/goods'],
  ['warehouse/groups', 'warehouse/groups', '/services'],
  ['warehouse/contractors', 'warehouse/contractors', '/settings/organizations'],
])('%s: the older CRM has it at %s, without one we have it at %s', (path, there, own) => {
  expect(oldCrmAddress('https://old.example/crm', path, { id: 7 })).toBe(`https://old.example/crm/${there}`)
  const page = (pages as readonly Page[]).find((one) => one.path === path)
  expect(page ? `/${page.path.replace(':id', '7')}` : ownAddress(path, { id: 7 })).toBe(own)
  if (own)
    expect((pages as readonly Page[]).some((one) => `/${one.path.replace(':id', '7')}` === own.split('?')[0])).toBe(
      true,
    )
})

test('other pages of its warehouse, reports and journals open in the older CRM; without it a message says what there is', () => {
  expect(oldCrmSectionAddress('https://old.example/crm/', 'warehouse', 'receipts/5 6')).toBe(
    'https://old.example/crm/warehouse/receipts/5%206',
  )
  expect(oldCrmSectionAddress('', 'reports', 'x')).toBeUndefined()
  for (const words of Object.values(oldCrmSections)) expect(words).toMatch(/нет\. .*«/)
})

test('the table above has every path of the older CRM', () => {
  expect(Object.keys(oldCrmPaths)).toHaveLength(11)
})

test('where an older CRM answers a path, what it has not stays reachable under another', () => {
  const old = 'https://old.example'
  for (const [key, path] of [
    ['users', 'settings/staff'],
    ['user', 'settings/staff/:id'],
  ] as const) {
    expect(ourPage(key, old).path).toBe(path)
    expect(ourPage(key, undefined).path).toBe(pageByKey(key).path)
    expect(oldCrmAddress(old, path)).toBeUndefined()
  }
  expect(ourPage('roles', old).path).toBe('roles')
  const offered = (url: string | undefined) => pages.filter((one) => isOffered(one, url)).map(({ key }) => key)
  expect(offered(undefined)).not.toContain('staff')
  expect(offered(old)).toContain('staff')
})

test.each([
  ...permissionNames.map((name) => [name, [name]] as const),
  ['everybody', []] as const,
  ['an administrator', permissionNames] as const,
])('searched by %s: what opens to its holder and needs no argument', (_, held) => {
  const visitor = {
    id: 1,
    permissions: Object.fromEntries(held.map((name) => [name, true as const])),
    tariff: 'premium' as const,
    modules,
  }
  const found = searchedPages(visitor, undefined)
  expect(found.length).toBeGreaterThan(2)
  for (const one of found) {
    expect(pageAllowed(one, visitor), one.key).toBe(true)
    expect([one.public, one.linked, one.path.includes(':')], one.key).toEqual([undefined, undefined, false])
  }
  const keys = found.map(({ key }) => key)
  // They open with an id, or only from a link.
  for (const key of ['invitation', 'customer', 'service', 'servicePrices', 'person', 'customerCalls', 'login'])
    expect(keys).not.toContain(key)
  const open = (pages as readonly Page[]).filter(
    (one) => one.menu && pageAllowed(one, visitor) && isOffered(one, undefined),
  )
  expect(keys).toEqual(expect.arrayContaining(open.map(({ key }) => key)))
})

/** Spec §2, settings/*: each path with its permissions (spec §6, plus own ones). */
test.each<[string, Page['any']]>([
  ['settings', ['mainSettings']],
  ['settings/main', ['mainSettings']],
  ['settings/customers', ['mainSettings']],
  ['settings/sequences', ['mainSettings']],
  ['settings/suggestions', ['editLiveAssistSuggestion']],
  ['settings/domainmap', ['editLiveAssistDomainMap']],
  ['settings/operator-groups', ['editLiveAssistDomainMap']],
  ['settings/warehouse', ['mainSettings']],
  ['settings/company', ['mainSettings']],
  ['settings/filials', ['mainSettings']],
  ['settings/filials/create', ['mainSettings']],
  ['settings/filial/update/:id', ['mainSettings']],
  ['settings/webhooks', ['mainSettings']],
  ['settings/organizations', ['mainSettings']],
  ['settings/egisz', ['mainSettings']],
  ['settings/sosnils', ['mainSettings']],
  ['settings/connections', ['mainSettings']],
  ['settings/attachment-areas', ['mainSettings']],
  ['settings/egisz-documents', ['mainSettings']],
  ['settings/egisz-staff', ['mainSettings']],
  ['settings/mappings', ['mainSettings']],
  ['settings/integrations', ['mainSettings']],
  ['settings/print-templates', ['mainSettings']],
  ['settings/examination-templates', ['examinationTemplatesSettings', 'viewForeignExaminationTemplates']],
  ['settings/socials/vk', ['editLiveAssistDomainMap']],
  ['settings/attachment-settings', ['mainSettings']],
  ['settings/client', ['mainSettings']],
  ['settings/client/pages', ['showShopContent', 'editShopContent', 'mainSettings']],
  ['settings/client/theme', ['showShopContent', 'editShopContent', 'mainSettings']],
  ['settings/client/policy', ['showShopContent', 'editShopContent', 'mainSettings']],
  ['settings/client/documents', ['showShopContent', 'editShopContent', 'mainSettings']],
  ['settings/client/home-page-structure', ['showShopContent', 'editShopContent', 'mainSettings']],
  ['templates', ['editMessageTemplates']],
  ['examinations', ['viewExaminations']],
  ['integrations', ['mainSettings']],
])('%s is there, for %o only', (path, any) => {
  const key = pageRedirects[path]
  const all: readonly Page[] = pages
  const found = key ? pageByKey(key) : all.find((one) => one.path === path)
  expect(found?.any).toEqual(any)
  for (const right of any ?? [])
    expect(pageAllowed(found as Page, { id: 1, permissions: { [right]: true }, modules: ['omnichannel'] })).toBe(true)
  expect(pageAllowed(found as Page, { id: 1, permissions: { viewTasksManagement: true } })).toBe(false)
})

test.each<[Permission, string | undefined]>([
  ['viewCallJournal', 'journal/calls'],
  ['viewAppeals', 'journal/appeals'],
  ['displayTableLiveAssist', 'journal/chats'],
  ['displayTableServiceOnline', 'journal/service-online/chats'],
  ['viewServices', undefined],
])('the journal of who holds %s opens at %s', (right, path) => {
  const actor = { id: 1, permissions: { [right]: true }, modules }
  expect(firstOfFamily(familyRedirects.journal, actor)?.path).toBe(path)
})

test.each([
  ['график врача', 'calendar'],
  ['смена', 'calendar'],
  ['кабинет', 'calendar'],
  ['чек', 'cash'],
])('«%s» is what people call the page %s', (words, key) => {
  const found = (pages as readonly Page[]).filter(({ names = '' }) =>
    words.split(' ').every((word) => names.split(' ').includes(word)),
  )
  expect(found.map((one) => one.key)).toEqual([key])
})

test('a new discount opens by the right to look at discounts, the script constructor names its window (spec §6, §2)', () => {
  expect(pageAllowed(pageByKey('newDiscount'), { id: 1, permissions: { viewDiscounts: true } })).toBe(true)
  const regulations: Page = pageByKey('regulations')
  expect([regulations.title, regulations.windowTitle]).toEqual(['Регламенты', 'Конструктор скриптов'])
})

test.each([
  ['chats', 'journal/chats'],
  ['service-online/chats', 'journal/service-online/chats'],
  ['calls', 'journal/calls'],
  ['appeals', 'journal/appeals'],
  ['appeals/:id', 'journal/appeals/:id'],
])('%s leads into the journal (spec §2)', (from, to) => {
  expect(pageByKey(pageRedirects[from] as PageKey).path).toBe(to)
})

/** Created elsewhere than in their list. */
const MADE_ELSEWHERE = new Set(['discountApprovals', 'filials'])

test('every record created by hand in a registry is offered by Ctrl+K to exactly the permitted users, in the words of its button', () => {
  for (const { key, entity: path, makes } of pages as readonly Page[]) {
    if (path === undefined || MADE_ELSEWHERE.has(key)) continue
    const entity = entities.find((one) => one.path === path) as Entity
    const { create } = entity.access
    const any = create === undefined ? undefined : [create].flat()
    expect([key, makes?.any]).toEqual([key, any])
    if (makes && entity.gender) expect(makes.label.startsWith(wordsOf(entity).fresh), key).toBe(true)
  }
})

test('the jobs of a day are offered by Ctrl+K each only to who may', () => {
  const offered = (...permissions: Permission[]) => {
    const actor = {
      id: 1,
      permissions: Object.fromEntries(permissions.map((p) => [p, true])),
      tariff: 'premium',
      modules,
    } as never
    return (pages as readonly Page[])
      .filter((one) => one.makes && !one.makes.rare && pageAllowed(one, actor) && !refusal(actor, one.makes))
      .map(({ makes }) => makes?.label)
  }
  expect(offered()).toEqual([])
  expect(offered('viewCalendar')).toEqual([])
  expect(offered('viewCalendar', 'createAppointments')).toEqual(['Новая запись', 'Новое ожидание приёма'])
  expect(offered('viewCashDesk')).toEqual([])
  expect(offered('takePayments')).toEqual(['Принять оплату'])
  expect(offered('displayTableNews')).toEqual([])
  expect(offered('displayTableNews', 'editNews')).toEqual(['Новая новость'])
  expect(offered('editScripts')).toEqual(['Новый регламент'])
})
