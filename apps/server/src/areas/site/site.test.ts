/** The site for visitors: only published data, with any input escaped. */

import { newBlock } from '@ordinator/model/areas/site/blocks'
import { beforeAll, describe, expect, it } from 'vitest'
import { good } from '#testing/good.ts'
import {
  address,
  clinic,
  draft,
  eventually,
  keeper,
  openSiteClinic,
  P,
  publish,
  published,
  stranger,
  text,
  visit,
  writer,
} from './testing/siteClinic.ts'

openSiteClinic()
beforeAll(async () => {
  const paper = { title: 'Лицензия', kind: 'licence', description: 'Текст', isPublished: true }
  good(await writer.post('/client/documents', paper), 201)
})

let serial = 0

describe('a page', () => {
  it('is shown as published, without later edits', async () => {
    const page = await draft({ title: 'О клинике', blocks: [text('<p>Первые слова</p>')] })
    expect((await visit(`/${page.slug}`)).status).toBe(404)
    const first = good(await publish(page))
    expect(first).toMatchObject({ publishedNumber: 1, isChanged: false })
    await eventually(`/${page.slug}`, ({ status, text: html }) => {
      expect(status).toBe(200)
      expect(html).toContain('<h1>О клинике</h1>')
      expect(html).toContain('Первые слова')
    })
    const changed = good(await writer.put(`${P}/${page.id}`, { blocks: [text('<p>Вторые слова</p>')] }))
    expect(changed.isChanged).toBe(true)
    const again = await visit(`/${page.slug}`)
    expect(again.text).toContain('Первые слова')
    expect(again.text).not.toContain('Вторые слова')
    good(await publish(changed))
    await eventually(`/${page.slug}`, ({ text: html }) => expect(html).toContain('Вторые слова'))
    const versions = good(await writer.get(`/client/versions?filter[idPage]=${page.id}&sort=number`)).items
    expect(versions.map((one: { number: number; isCurrent: boolean }) => [one.number, one.isCurrent])).toEqual([
      [1, false],
      [2, true],
    ])
    const now = good(await writer.get(`${P}/${page.id}`))
    const back = good(await writer.post(`${P}/${page.id}/restore`, { number: 1, _version: now._version }))
    expect(back.blocks[0].values.text).toBe('<p>Первые слова</p>')
    expect((await visit(`/${page.slug}`)).text).toContain('Вторые слова')
    good(await writer.post(`${P}/${page.id}/unpublish`))
    await eventually(`/${page.slug}`, ({ status }) => expect(status).toBe(404))
  })

  it('changed by another meanwhile is not published', async () => {
    const page = await draft()
    good(await keeper.put(`${P}/${page.id}`, { title: 'Другое' }))
    expect((await publish(page)).status).toBe(409)
    expect((await visit(`/${page.slug}`)).status).toBe(404)
  })

  it('redirects from its former address, and never in a cycle', async () => {
    const page = await published()
    const [former, later] = [page.slug, address()]
    const moved = good(await writer.put(`${P}/${page.id}`, { slug: later }))
    good(await publish(moved))
    await eventually(`/${former}`, ({ status, headers }) => {
      expect(status).toBe(301)
      expect(headers.location).toBe(`/site/${later}`)
    })
    const redirect = (from: string, to: string) => writer.post('/client/redirects', { from, to })
    expect((await redirect('/a1', '/a1')).body).toEqual([{ field: 'to', message: 'Адрес ведёт сам на себя' }])
    good(await redirect('/a1', '/a2'), 201)
    good(await redirect('/a2', '/A3/'), 201)
    expect((await redirect('/a3', '/a1?x=1')).status).toBe(422)
    expect((await redirect('/a4', 'javascript:alert(1)')).status).toBe(422)
    expect((await redirect('/a4', '//evil.example')).status).toBe(422)
    const both = await Promise.all([redirect('/b1', '/b2'), redirect('/b2', '/b1')])
    expect(both.map(({ status }) => status).toSorted()).toEqual([201, 422])
    good(await writer.put(`${P}/${page.id}`, { slug: former }).then(async ({ body }) => publish(body)))
    await eventually(`/${former}`, ({ status }) => expect(status).toBe(200))
    await eventually(`/${later}`, ({ status }) => expect(status).toBe(301))
  })

  it('shows written content and executes none of it', async () => {
    const hostile = '"><script>alert(1)</script><img src=x onerror=alert(1)>'
    const banner = newBlock('banner', [])
    const page = await published({
      title: `Заголовок ${hostile}`,
      seoDescription: hostile,
      blocks: [
        { ...banner, values: { title: hostile, text: hostile, alt: hostile, button: hostile, link: '/services' } },
        { ...text(`<p onclick="x()">${hostile}</p><a href="javascript:alert(1)">туда</a>`), id: 2 },
        { ...newBlock('faq', []), id: 3, rows: [{ question: hostile, answer: `<p>${hostile}</p>` }] },
      ],
    })
    const { text: html, headers } = await visit(`/${page.slug}`)
    expect(html).not.toMatch(/<script(?! type="application\/ld\+json")/)
    expect(html.replace(/"[^"]*"/g, '""')).not.toMatch(/<[^>]+\son\w+=/)
    expect(html).not.toContain('javascript:')
    expect(html.match(/<\/script>/g)?.length).toBe(html.match(/<script/g)?.length)
    expect(headers['content-security-policy']).toMatch(/default-src 'none'.*style-src 'sha256-.*base-uri 'none'/)
    expect(headers['content-security-policy']).not.toContain('unsafe')
    expect(headers['set-cookie']).toBeUndefined()
  })

  it.each([
    ['link', 'javascript:alert(1)'],
    ['link', '//evil.example'],
    ['link', '/\\evil.example'],
    ['title', ''],
  ])('with %s «%s» in a block is refused with a message', async (field, value) => {
    const block = { ...newBlock('banner', []), values: { title: 'Да', [field]: value } }
    const { status, body } = await writer.post(P, { title: 'Нет', slug: address(), blocks: [block] })
    expect(status).toBe(422)
    expect(body[0].field).toBe('blocks')
    expect(body[0].message).toMatch(/«(Куда ведёт|Заголовок)»/)
  })

  it('refuses invalid blocks, addresses of the site itself, and missing files', async () => {
    const refused = async (body: object, field: string) => {
      const answer = await writer.post(P, { title: 'Нет', slug: address(), ...body })
      expect([answer.status, answer.body[0]?.field]).toEqual([422, field])
    }
    await refused({ blocks: [{ id: 1, type: '__proto__', values: {} }] }, 'blocks')
    await refused({ blocks: [{ ...text('x'), extra: 1 }] }, 'blocks')
    await refused({ blocks: [text('x'), text('y')] }, 'blocks')
    await refused({ blocks: Array.from({ length: 41 }, (_, id) => ({ ...text('x'), id: id + 1 })) }, 'blocks')
    await refused({ blocks: [{ ...newBlock('picture', []), values: { file: 999_999 } }] }, 'blocks')
    const deep = { blocks: [text('<b></i>'.repeat(5_000))] }
    await refused(deep, 'blocks')
    expect((await writer.post('/client/preview', { title: 'Проба', ...deep })).status).toBe(422)
    await refused({ slug: 'services' }, 'slug')
    await refused({ slug: '../app' }, 'slug')
    const page = await draft({ slug: null })
    expect((await publish(page)).body).toEqual([{ field: 'slug', message: 'Укажите адрес на сайте' }])
    expect((await publish(await draft({ blocks: [] }))).body[0].field).toBe('blocks')
  })
})

describe('the form', () => {
  const send = (fields: Record<string, string>, remoteAddress = `10.9.0.${++serial % 250}`) =>
    clinic.app.server.inject({
      method: 'POST',
      url: '/site/forms',
      payload: new URLSearchParams(fields).toString(),
      headers: { 'content-type': 'application/x-www-form-urlencoded', referer: 'http://clinic.test/site/o-nas' },
      remoteAddress,
    })
  let consent: string

  it('shows the phone until the clinic has a consent and an intake', async () => {
    good(await keeper.put('/client/theme/1', { phone: '+78462000000' }))
    const { html } = good(await writer.post('/client/preview', { title: 'Проба', blocks: [newBlock('form', [])] }))
    expect(html).toContain('Позвоните нам')
    expect(html).not.toContain('<form class="ask"')
    expect((await send({ phone: '89001112233', consent: '1' })).statusCode).toBe(404)
    good(await keeper.post('/sales-management/intakes', { name: 'Сайт', kind: 'form' }), 201)
    const policy = good(
      await writer.post('/client/policies', {
        kind: 'consent',
        dateFrom: '2026-01-01',
        text: '<p>Согласен</p>',
        isPublished: true,
      }),
      201,
    )
    consent = String(policy.id)
    expect(policy.number).toBe(1)
  })

  it('shows the phone if deals are not in the tariff: a request would not be seen', async () => {
    good(await keeper.put('/settings/common', { tariff: 'basic' }))
    await expect.poll(async () => (await send({ phone: '89001112233', consent })).statusCode).toBe(404)
    good(await keeper.put('/settings/common', { tariff: 'premium' }))
    await expect.poll(async () => (await send({ phone: '', consent })).statusCode).toBe(422)
  })

  it('stores a request with the accepted version, once', async () => {
    const fields = { name: '<b>Анна</b>', phone: '8 900 111 22 33', message: 'Запишите', consent }
    const refused = await send({ ...fields, consent: '' })
    expect(refused.statusCode).toBe(422)
    expect(refused.payload).toContain('role="alert">Отметьте согласие')
    expect(refused.payload).toContain('value="&lt;b&gt;Анна')
    expect((await send({ ...fields, phone: '' })).statusCode).toBe(422)
    expect((await send({ ...fields, phone: 'нет' })).statusCode).toBe(422)
    expect((await send({ ...fields, consent: '999' })).payload).toContain('Текст согласия изменился')
    expect(good(await keeper.get('/sales-management/requests')).items).toEqual([])
    const done = await send(fields)
    expect([done.statusCode, done.headers.location]).toEqual([303, '/site/thanks'])
    const [request, ...more] = good(await keeper.get('/sales-management/requests')).items
    expect(more).toEqual([])
    expect(request).toMatchObject({ phone: '+79001112233', message: 'Запишите', page: 'http://clinic.test/site/o-nas' })
    const [accepted] = good(await keeper.get('/client/acceptances')).items
    expect(accepted).toMatchObject({ idPolicy: Number(consent), idRequest: request.id, phone: '+79001112233' })
    expect((await send({ ...fields, topic_check: 'x' })).statusCode).toBe(303)
    expect(good(await keeper.get('/sales-management/requests')).items).toHaveLength(1)
  })

  it('sent twice is one request, also at once; other words are another', async () => {
    const count = async () =>
      good(await keeper.get('/sales-management/requests?filter[phone]=%2B79001112266')).items.length
    const fields = { name: 'Ольга', phone: '8 900 111 22 66', message: 'Перезвоните', consent }
    const answers = await Promise.all([send(fields), send(fields), send(fields)])
    expect(answers.map((one) => [one.statusCode, one.headers.location])).toEqual(
      answers.map(() => [303, '/site/thanks']),
    )
    expect(await count()).toBe(1)
    expect(good(await keeper.get('/client/acceptances?filter[phone]=%2B79001112266')).items).toHaveLength(1)
    await send({ ...fields, message: 'После шести' })
    expect(await count()).toBe(2)
    // An hour later the same words are a new request.
    await clinic.db.query({
      text: `update sales_management_requests set "dateCreate" = now() - interval '1 hour' where "phone" = '+79001112266'`,
    })
    await send(fields)
    expect(await count()).toBe(3)
  })

  it('limits one address without affecting others', async () => {
    const statuses: number[] = []
    for (let i = 0; i < 14; i++)
      statuses.push((await send({ phone: '89001112244', message: `${i}`, consent }, '203.0.113.7')).statusCode)
    expect(statuses.filter((one) => one === 303)).toHaveLength(10)
    expect(statuses.at(-1)).toBe(429)
    expect((await send({ phone: '89001112255', consent })).statusCode).toBe(303)
  })

  it('for a published policy keeps its text forever', async () => {
    const change = await writer.put(`/client/policies/${consent}`, { text: '<p>Другое</p>' })
    expect(change.status).toBe(409)
    expect((await writer.delete(`/client/policies/${consent}`)).status).toBe(409)
    const later = good(
      await writer.post('/client/policies', {
        kind: 'consent',
        dateFrom: '2999-01-01',
        text: '<p>Потом</p>',
        isPublished: true,
      }),
      201,
    )
    expect(later).toMatchObject({ number: 2, isInForce: false })
    expect(good(await writer.get(`/client/policies/${consent}`)).isInForce).toBe(true)
  })
})

describe('the clinic', () => {
  it('edits its site by its own right', async () => {
    const page = await draft()
    for (const path of ['pages', 'versions', 'documents', 'policies', 'acceptances', 'redirects', 'theme']) {
      expect((await stranger.get(`/client/${path}`)).status, path).toBe(403)
      expect((await clinic.anonymous.get(`/client/${path}`)).status, path).toBe(401)
    }
    expect((await publish(page, stranger)).status).toBe(403)
    const looker = clinic.as('looker')
    expect(good(await looker.get(`${P}/${page.id}`)).title).toBe(page.title)
    expect((await publish(page, looker)).status).toBe(403)
    expect((await looker.put(`${P}/${page.id}`, { title: 'Чужое' })).status).toBe(403)
    expect((await stranger.post('/client/preview', { title: '', blocks: [] })).status).toBe(403)
    expect((await stranger.get('/client/check-list')).status).toBe(403)
    expect((await writer.post('/client/theme', { name: 'Второе' })).status).toBe(403)
  })

  it('cannot publish unreadable colours', async () => {
    const put = (body: object) => writer.put('/client/theme/1', body)
    const { status, body } = await put({ ink: '#ffffff', background: '#ffffff', surface: '#ffffff', accent: '#ffffff' })
    expect(status).toBe(422)
    expect(body.map(({ field }: { field: string }) => field).toSorted()).toEqual(['accent', 'ink'])
    expect((await put({ darkInk: '#333333' })).status).toBe(422)
    good(await put({ darkInk: '#333333', hasDark: false }))
    expect((await put({ accent: 'red;}body{display:none' })).status).toBe(422)
  })

  it('sees the mandatory information that is missing', async () => {
    const missing = async () =>
      good(await writer.get('/client/check-list')).items.flatMap((one: { key: string; isPlaced: boolean }) =>
        one.isPlaced ? [] : [one.key],
      )
    expect(await missing()).toContain('guarantees')
    expect(await missing()).toContain('privacy')
    expect(await missing()).not.toContain('licence')
    const paper = good(
      await writer.post('/client/documents', {
        title: 'ПГГ',
        kind: 'guarantees',
        description: 'Текст',
        isPublished: true,
      }),
      201,
    )
    expect(await missing()).not.toContain('guarantees')
    await writer.delete(`/client/documents/${paper.id}`)
    expect(await missing()).toContain('guarantees')
  })

  it('has its site on its own domain, without the product', async () => {
    const page = await published({ title: 'По имени' })
    good(await keeper.put('/client/theme/1', { host: 'www.klinika.example' }))
    const by = (url: string, host = 'www.klinika.example') => clinic.app.server.inject({ url, headers: { host } })
    await expect.poll(async () => (await by(`/${page.slug}`)).statusCode).toBe(200)
    const named = await by(`/${page.slug}`)
    expect(named.payload).toContain(`<link rel="canonical" href="http://klinika.example/${page.slug}">`)
    expect(named.payload).toContain('href="/search"')
    for (const url of ['/app', '/client/pages', '/auth/login', '/openapi.json', '/health', '/docs', '/users'])
      expect((await by(url)).statusCode, url).toBe(404)
    expect((await by('/robots.txt')).payload).toContain('Sitemap: http://klinika.example/sitemap.xml')
    expect((await by('/robots.txt', 'clinic.test')).payload).toContain('Disallow: /')
    expect((await by(`/site/${page.slug}`, 'clinic.test')).payload).toContain(
      'rel="canonical" href="http://klinika.example/',
    )
    good(await keeper.put('/client/theme/1', { host: null, isActive: false }))
    await eventually(`/${page.slug}`, ({ status, text: html }) => {
      expect(status).toBe(503)
      expect(html).toContain('Сайт закрыт')
    })
    good(await writer.put('/client/theme/1', { isActive: true }))
  })

  it('handles ten thousand pages as well as ten', async () => {
    await clinic.db.tx(async (tx) => {
      await tx.query({ text: 'set local statement_timeout = 0' })
      await tx.query({
        text: `insert into client_pages ("title", "slug", "publishedNumber") select 'Город ' || n, 'gorod-' || n, 1 from generate_series(1, 10000) n`,
      })
      await tx.query({
        text: `insert into client_versions ("idPage", "number", "title", "slug", "blocks", "isCurrent", "idUser")
          select "id", 1, "title", "slug", '[]', true, (select min("id") from users) from client_pages where "slug" like 'gorod-%'`,
      })
    })
    // Written past the engine: cached pages expire by time.
    const index = await visit('/sitemap-2.xml')
    expect(index.text.match(/<url>/g)?.length).toBe(2_000)
    const began = performance.now()
    expect((await visit('/gorod-7777')).text).toContain('Город 7777')
    expect(performance.now() - began).toBeLessThan(1_000)
  })
})
