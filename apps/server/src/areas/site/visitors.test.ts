import { newBlock } from '@ordinator/model/areas/site/blocks'
import { describe, expect, it, vi } from 'vitest'
import { picture } from '#testing/files.ts'
import { good } from '#testing/good.ts'
import type { Caller } from '#testing/harness.ts'
import {
  clinic,
  draft,
  eventually,
  filial,
  keeper,
  openSiteClinic,
  P,
  publish,
  published,
  stranger,
  visit,
  writer,
} from './testing/siteClinic.ts'

openSiteClinic()

let serial = 0

describe('visitors', () => {
  it('see the portrait of a doctor while the doctor is shown', async () => {
    const { id } = good(
      await keeper.post('/users', { login: 'portrait', surname: 'Портретова', name: 'Вера', isOnSite: true }),
      201,
    )
    const send = async (as: Caller) => {
      const form = new FormData()
      form.append('file', new File([await picture(900, 700).jpeg().toBuffer()], 'портрет.jpg'))
      return as.post('/users/photos', form)
    }
    expect((await send(stranger)).status).toBe(403)
    const photo = good(await send(keeper), 201).id
    const statuses = async () => [
      (await visit(`/media/${photo}`)).status,
      (await visit(`/media/${photo}/small`)).status,
    ]
    expect(await statuses()).toEqual([404, 404])
    expect((await visit(`/doctors/${id}`)).text).not.toContain('class="portrait')
    good(await keeper.put(`/users/${id}`, { idSitePhoto: photo }))
    await expect.poll(async () => (await visit(`/doctors/${id}`)).text).toContain(`/site/media/${photo}/medium`)
    expect((await visit('/doctors')).text).toContain(`/site/media/${photo}/`)
    expect(await statuses()).toEqual([200, 200])
    expect((await stranger.delete(`/users/photos/${photo}`)).status).toBe(403)
    expect(good(await stranger.get(`/users/${id}`))).not.toHaveProperty('idSitePhoto')
    expect((await keeper.delete(`/users/photos/${photo}`)).status).toBe(409)
    good(await keeper.put(`/users/${id}`, { isOnSite: false }))
    expect(await statuses()).toEqual([404, 404])
  })

  it('see plain names of services, and find them by both; the official ones stay with the clinic', async () => {
    const official = `Прием (осмотр, консультация) врача-уролога первичный`
    const { id } = good(
      await keeper.post('/services', { nameService: official, priceService: 900, activeShop: true }),
      201,
    )
    expect((await visit(`/services/${id}`)).text).toContain('врача-уролога')
    const { items } = good(await keeper.get('/services/public-names'))
    expect(items.find((one: { id: number }) => one.id === id)).toMatchObject({
      ...{ name: official, publicName: null, offered: 'Приём уролога, первый' },
    })
    expect((await stranger.post('/services/public-names')).status).toBe(403)
    expect(good(await keeper.post('/services/public-names')).filled).toBeGreaterThan(0)
    expect(good(await keeper.post('/services/public-names')).filled).toBe(0)
    expect(good(await keeper.get(`/services/${id}`))).toMatchObject({
      ...{ nameService: official, publicName: 'Приём уролога, первый' },
    })
    // One's own name stays when the dictionary fills again.
    good(await keeper.put(`/services/${id}`, { publicName: 'Уролог: первый приём' }))
    good(await keeper.post('/services/public-names'))
    for (const words of ['Уролог: первый', 'врача-уролога'])
      expect((await visit(`/search?q=${encodeURIComponent(words)}`)).text).toContain('Уролог: первый приём')
    good(await keeper.put(`/services/${id}`, { activeShop: false }))
  })

  it('are led to the patients’ room while it is open', async () => {
    const link = '<a class="own" rel="nofollow" href="/portal">Личный кабинет</a>'
    expect((await visit('/')).text).not.toContain(link)
    good(await keeper.put('/settings/common', { portalActive: true }))
    await expect.poll(async () => (await visit('/')).text).toContain(link)
    good(await keeper.put('/settings/common', { portalActive: false }))
    // With and without the slash there is a page, and not the answer of a call.
    for (const path of ['/portal', '/portal/']) {
      const { status, body } = await clinic.anonymous.get(path)
      expect([path, status === 200 || status === 503, body]).toEqual([path, true, undefined])
    }
  })

  it('see memberships that are marked so, with their price and rules, and a way to buy them where they are sold', async () => {
    const add = async (path: string, body: object): Promise<number> => good(await keeper.post(path, body), 201).id
    const idService = await add('/services', { nameService: 'Массаж спины', priceService: 2000 })
    const idType = await add('/membership-types', {
      nameType: 'Десять массажей',
      price: 15_000,
      days: 180,
      isOnSite: true,
    })
    await add('/membership-types/items', { idType, idService, qty: 10 })
    const secret = await add('/membership-types', { nameType: 'Для своих', price: 1, days: 1 })
    await add('/membership-types/items', { idType: secret, idService })
    const page = await published({ blocks: [newBlock('memberships', [])] })
    for (const path of ['/memberships', `/${page.slug}`])
      await vi.waitFor(async () => {
        const html = (await visit(path)).text.replace(/\s/g, ' ')
        expect(html).toContain('Десять массажей')
        expect(html).toContain('Массаж спины: 10 посещений')
        expect(html).toContain('Действует 180 дней со дня покупки.')
        expect(html).toMatch(/15 000(,00)? ₽/)
        expect(html).not.toContain('Для своих')
        expect(html).not.toContain('/portal#memberships')
      })
    good(await keeper.put('/settings/common', { portalActive: true }))
    good(await keeper.put(`/membership-types/${idType}`, { isOnline: true }))
    await vi.waitFor(async () => expect((await visit('/memberships')).text).toContain('/portal#memberships'))
    good(await keeper.put('/settings/common', { portalActive: false }))
    good(await keeper.put(`/membership-types/${idType}`, { active: false }))
    await vi.waitFor(async () => expect((await visit('/memberships')).text).not.toContain('Десять массажей'))
  })

  it('see only public services, doctors, branches and news', async () => {
    const service = async (body: object) =>
      good(
        await keeper.post('/services', {
          nameService: `Услуга ${++serial}`,
          priceService: 1234.5,
          activeShop: true,
          ...body,
        }),
        201,
      )
    const open = await service({ nameService: 'УЗИ сердца', friendlyUrl: 'uzi-serdca', approximately: true })
    const hidden = await service({ nameService: 'Скрытая цена', hidePrice: true, priceService: 98765 })
    const inactive = await service({ nameService: 'Недействующая', active: false })
    const inner = await service({ nameService: 'Внутренняя', activeShop: false })
    const product = await service({ nameService: 'Товар склада', serviceCategory: 1, activeShop: false })
    const closed = good(
      await keeper.post('/filials', {
        nameFilial: 'Закрытый филиал',
        activeForShop: false,
        filialPhone: '+78461111111',
      }),
      201,
    )
    const speciality = good(await keeper.post('/specialities', { name: 'Кардиолог' }), 201)
    const person = async (surname: string, body: object) =>
      good(
        await keeper.post('/users', {
          surname,
          name: 'Анна',
          login: `u${++serial}`,
          phone: '+79005550001',
          email: 'secret@clinic.test',
          idSpeciality: speciality.id,
          ...body,
        }),
        201,
      )
    const doctor = await person('Открытова', { isOnSite: true, description: 'Стаж 15 лет' })
    const limited = await person('Закрытова', {})
    const blocked = await person('Уволенова', { isOnSite: true, isBlocked: true })
    const news = async (title: string, body: object) =>
      good(await keeper.post('/news', { title, text: '<p>Новость</p>', active: true, ...body }), 201)
    const shown = await news('Открылся кабинет', { isOnSite: true })
    const internal = await news('Премии сотрудникам', {})
    const waiting = await news('Рано', { isOnSite: true, active: false })
    const paper = good(
      await keeper.post('/client/documents', {
        title: 'Лицензия клиники',
        kind: 'licence',
        description: 'Л041',
        isPublished: true,
      }),
      201,
    )
    const secret = good(
      await keeper.post('/client/documents', { title: 'Черновик договора', kind: 'contract', description: 'x' }),
      201,
    )
    const past = good(
      await keeper.post('/client/documents', {
        title: 'Старые правила',
        kind: 'rules',
        description: 'x',
        isPublished: true,
        date: '2020-01-01',
        validTo: '2020-02-01',
      }),
      201,
    )
    const page = await draft({ title: 'Тайный черновик' })
    expect([paper, secret, past].every(({ id }) => id > 0)).toBe(true)

    await eventually('/services', ({ text: html }) => expect(html).toContain('УЗИ сердца'))
    await eventually('/doctors', ({ text: html }) => expect(html).toContain('Открытова'))
    const places = [
      '/services',
      '/prices',
      '/goods',
      '/doctors',
      '/filials',
      '/news',
      '/documents',
      '/sitemap.xml',
      '/search?q=а',
      '/search?q=Закрытова',
      '/search?q=Внутренняя',
      '/search?q=черновик',
      '/search?q=Премии',
      '/search?q=%25',
      `/doctors/${doctor.id}`,
      '/services/uzi-serdca',
      `/services/${hidden.id}`,
      `/filials/${filial}`,
      `/news/${shown.id}`,
      '/no/such/place',
      '/%ff',
      '/robots.txt',
    ]
    for (const place of places) {
      const { text: html, headers, status } = await visit(place)
      expect(status, place).toBeLessThan(500)
      expect(headers['set-cookie'], place).toBeUndefined()
      for (const word of [
        'Недействующая',
        'Внутренняя</a>',
        'Товар склада',
        'Закрытый филиал',
        '8461111111',
        'Закрытова Анна',
        'Уволенова',
        '9005550001',
        'secret@clinic',
        'Премии сотрудникам',
        'Рано',
        'Черновик договора',
        'Старые правила',
        'Тайный черновик',
        '98765',
        '98 765',
        '98&nbsp;765',
      ])
        expect(html, `${word} at ${place}`).not.toContain(word)
    }
    const gone = [
      `/services/${inactive.id}`,
      `/services/${inner.id}`,
      `/services/${product.id}`,
      `/goods/${product.id}`,
      `/doctors/${limited.id}`,
      `/doctors/${blocked.id}`,
      `/filials/${closed.id}`,
      `/news/${internal.id}`,
      `/news/${waiting.id}`,
      `/${page.slug}`,
      '/policy/privacy',
      '/policy/__proto__',
      '/constructor',
      '/services/constructor',
    ]
    for (const place of gone) expect((await visit(place)).status, place).toBe(404)

    const card = await visit('/services/uzi-serdca')
    expect(card.text).toMatch(/от 1[\s\u00a0]234,50/)
    expect(card.text).toContain('"@type":"Offer"')
    expect((await visit(`/services/${open.id}`)).headers.location).toBe('/site/services/uzi-serdca')
    expect((await visit(`/services/${hidden.id}`)).text).toContain('Цену уточняйте')
    expect((await visit(`/doctors/${doctor.id}`)).text).toContain('Стаж 15 лет')
    expect((await visit('/filials')).text).toContain('tel:+78462000000')
    expect((await visit('/search?q=узи')).text).toContain('/site/services/uzi-serdca')
    expect((await visit('/documents')).text).toContain('Лицензия клиники')
  })

  it('get a page once and then 304', async () => {
    const page = await published()
    const { headers, text: html } = await visit(`/${page.slug}`)
    expect(headers['cache-control']).toBe('public, max-age=30')
    const again = await visit(`/${page.slug}`, { 'if-none-match': String(headers.etag) })
    expect([again.status, again.text]).toEqual([304, ''])
    const packed = await visit(`/${page.slug}`, { 'accept-encoding': 'gzip' })
    expect(packed.headers['content-encoding']).toBe('gzip')
    expect(packed.bytes.length).toBeLessThan(html.length / 2)
  })

  it('see a change made by another server', async () => {
    const page = await published({ title: 'До' })
    const second = await clinic.secondProcess()
    try {
      const far = () => second.anonymous.get(`/site/${page.slug}`)
      expect((await far()).text).toContain('<h1>До</h1>')
      const changed = good(await writer.put(`${P}/${page.id}`, { title: 'После' }))
      good(await publish(changed))
      await vi.waitFor(async () => expect((await far()).text).toContain('<h1>После</h1>'), {
        timeout: 30_000,
        interval: 50,
      })
    } finally {
      await second.close()
    }
  })

  it('see pictures of published pages and no other file', async () => {
    const png = Buffer.from(
      'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
      'base64',
    )
    const upload = async (as: Caller, path: string) => {
      const form = new FormData()
      form.append('file', new File([png], 'a.png', { type: 'image/png' }))
      return good(await as.post(path, form), 201).id as number
    }
    const [shown, other, branch] = [
      await upload(writer, '/client/files'),
      await upload(writer, '/client/files'),
      await upload(keeper, '/filials/files'),
    ]
    const picture = { ...newBlock('picture', []), values: { file: shown, alt: 'Холл' } }
    const page = await draft({ blocks: [picture] })
    expect((await visit(`/media/${shown}`)).status).toBe(404)
    const { html } = good(await writer.post('/client/preview', { title: 'Проба', blocks: [picture] }))
    const [, keyed = ''] = /src="\/site(\/media\/[^"]+)"/.exec(html) ?? []
    const drafted = await visit(keyed)
    expect([drafted.status, drafted.headers['cross-origin-resource-policy']]).toEqual([200, 'cross-origin'])
    expect((await visit('/fonts/latin.woff2')).headers['access-control-allow-origin']).toBe('*')
    expect((await visit(keyed.replace(/key=.{4}/, 'key=AAAA'))).status).toBe(404)
    expect((await visit(keyed.replace(String(shown), String(other)))).status).toBe(404)
    good(await publish(page))
    expect((await visit(`/media/${shown}/medium`)).headers['content-type']).toBe('image/png')
    for (const id of [other, branch, 'x', '0', '999999']) expect((await visit(`/media/${id}`)).status).toBe(404)
    good(await keeper.put(`/filials/${filial}`, { cardImage: branch }))
    expect((await visit(`/media/${branch}`)).status).toBe(200)
    good(await writer.post(`${P}/${page.id}/unpublish`))
    expect((await visit(`/media/${shown}`)).status).toBe(404)
  })
})
