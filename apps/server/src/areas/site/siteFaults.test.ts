/** Protection of the clinic, its visitors' data and its server. */
import { filesOf, newBlock } from '@ordinator/model/areas/site/blocks'
import { slugError } from '@ordinator/model/areas/site/page'
import { SiteTheme } from '@ordinator/model/areas/site/theme'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { createHosts } from '#platform/hostRouting.ts'
import { good } from '#testing/good.ts'
import { type Caller, type Clinic, testApp } from '#testing/harness.ts'
import { addPerson } from '#testing/people.ts'
import { locationOf, safeAddress } from './addresses.ts'

let clinic: Clinic
let keeper: Caller
let writer: Caller

beforeAll(async () => {
  clinic = await testApp({
    prepare: async (app) => {
      await addPerson(app, 'keeper', ['mainSettings', 'editFunnels', 'editSalesManagement'])
      await addPerson(app, 'writer', ['editShopContent'])
      await addPerson(app, 'seller', ['viewSalesManagement'])
    },
  })
  keeper = clinic.as('keeper')
  writer = clinic.as('writer')
})
afterAll(() => clinic.close())

const visit = (path: string) => clinic.anonymous.get(`/site${path}`)
const text = (html: string) => ({ ...newBlock('text', []), values: { title: null, text: html } })
const draft = async (slug: string, title = 'Страница') =>
  good(await writer.post('/client/pages', { title, slug, blocks: [text('<p>Слова</p>')] }), 201)
const publish = (page: { id: number; _version: number }) =>
  writer.post(`/client/pages/${page.id}/publish`, { _version: page._version })

it('is closed until enabled, and then has a default home page', async () => {
  expect((await visit('/')).status).toBe(503)
  good(await writer.put('/client/theme/1', { isActive: true, name: 'Здоровье' }))
  await vi.waitFor(async () => {
    const { status, text: html } = await visit('/')
    expect(status).toBe(200)
    expect(html).toContain('<h1>Здоровье</h1>')
  }, 30_000)
})

it("cannot use the product's own domain", async () => {
  for (const host of ['clinic.test', 'www.clinic.test'])
    expect((await keeper.put('/client/theme/1', { host })).body).toEqual([
      { field: 'host', message: 'По этому имени открывается сама программа: сайту нужно другое' },
    ])
  expect((await writer.put('/client/theme/1', { host: 'other.example' })).status).toBeGreaterThanOrEqual(400)
  expect(good(await keeper.get('/client/theme/1')).host).toBeNull()
  const hosts = createHosts('https://www.clinic.test')
  hosts.set('site', 'clinic.test')
  expect(hosts.of('site')).toBeUndefined()
  expect(hosts.rewrite({ url: '/app', headers: { host: 'clinic.test' } } as never)).toBe('/app')
  hosts.set('site', 'site.test')
  expect(hosts.rewrite({ url: '/a', headers: { host: 'www.site.test:80' } } as never)).toBe('/site/a')
})

it('stores a domain in normal form, and accepts it again', async () => {
  const rule = SiteTheme.fields.host
  const { host } = good(await keeper.put('/client/theme/1', { host: 'www.клиника.рф' }))
  expect(host).toBe('xn--80apagcdp.xn--p1ai')
  expect(rule.check(host).ok).toBe(true)
  expect(good(await keeper.put('/client/theme/1', { host })).host).toBe(host)
  good(await keeper.put('/client/theme/1', { host: null }))
})

it('hides contact requests from users who only edit its pages', async () => {
  expect((await writer.get('/client/acceptances')).status).toBe(403)
  good(await keeper.get('/client/acceptances'))
  good(await clinic.as('seller').get('/client/acceptances'))
})

it('counts requests of an IPv6 prefix together', async () => {
  good(await keeper.post('/sales-management/intakes', { name: 'Сайт', kind: 'form' }), 201)
  const policy = { kind: 'consent', dateFrom: '2026-01-01', text: '<p>Да</p>', isPublished: true }
  const { id } = good(await keeper.post('/client/policies', policy), 201)
  const statuses: number[] = []
  for (let i = 1; i <= 12; i++) {
    const answer = await clinic.app.server.inject({
      method: 'POST',
      url: '/site/forms',
      payload: new URLSearchParams({ phone: '89001112233', consent: String(id) }).toString(),
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      remoteAddress: `2001:db8:1:2::${i}`,
    })
    statuses.push(answer.statusCode)
  }
  expect(statuses.filter((one) => one === 303)).toHaveLength(10)
  expect(statuses.slice(10)).toEqual([429, 429])
  const { items } = good(await keeper.get('/client/acceptances'))
  expect(items[0].address).toBe('2001:db8:1:2::/64')
})

it('publishes no page at the address of another one, and names it', async () => {
  const first = good(await publish(await draft('adres', 'Первая')))
  good(await writer.put(`/client/pages/${first.id}`, { slug: 'drugoj' }))
  const { status, body } = await publish(await draft('adres', 'Вторая'))
  expect([status, body[0].field]).toEqual([422, 'slug'])
  expect(body[0].message).toContain('«Первая»')
  for (const slug of ['thanks', 'fonts', 'intake', 'live-assist']) expect(slugError(slug)).toBeDefined()
})

it('rejects addresses with two slashes, which would redirect to another site', async () => {
  for (const url of ['/site//evil.example', '/site//evil.example/', '/site/%2Fevil.example', '/site/a//b']) {
    const { statusCode, headers } = await clinic.app.server.inject({ url })
    expect([url, statusCode, headers.location]).toEqual([url, 404, undefined])
  }
})

it('redirects to the configured target', async () => {
  expect(locationOf('https://other.example/a%2Fb?x=%D0%B0')).toBe('https://other.example/a%2Fb?x=%D0%B0')
  expect(locationOf('/site/цены%20all')).toBe('/site/%D1%86%D0%B5%D0%BD%D1%8B%20all')
  expect(locationOf('/100%')).toBe('/100%')
  for (const body of [
    { from: '/x', to: '/100%' },
    { from: '/100%', to: '/x' },
  ])
    expect((await writer.post('/client/redirects', body)).status).toBe(422)
  const own = { base: '', origin: 'https://site.test' }
  expect(safeAddress(own, '/site/ceny')).toBe('/ceny')
  expect(safeAddress(own, '/site')).toBe('/')
  expect(safeAddress({ ...own, base: '/site' }, '/site/ceny')).toBe('/site/ceny')
  expect(safeAddress(own, '/portal')).toBe('/portal')
})

it('finds the pictures within its texts', () => {
  expect(filesOf([text('<p><img src="/files/41"><img src="/files/42/large"></p>')])).toEqual([41, 42])
})

it('caches no address without a page', async () => {
  expect((await visit('/pusto')).status).toBe(404)
  await clinic.db.query({
    text: `insert into client_redirects ("from", "to") values ('/pusto', '/services')`,
  })
  // Past the engine, so that nothing clears the cache.
  expect((await visit('/pusto')).status).toBe(301)
})

it('rejects requests without reading any data', async () => {
  const many = await Promise.all(
    Array.from({ length: 80 }, (_, i) =>
      clinic.app.server.inject({ url: `/site/net-${i}`, remoteAddress: '203.0.113.9' }),
    ),
  )
  const away = many.filter(({ statusCode }) => statusCode === 429)
  expect(away.length).toBeGreaterThan(0)
  for (const { payload } of away) expect(payload).toContain('<h1>Не получилось</h1>')
  // The clinic's layout needs the database; the rejection page does not.
  expect(away[0]?.payload).not.toContain('<header')
})
