/** Simulated outside sources: valid and invalid signatures, repeats, malformed data, floods; and their pictures. */
import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import sql from 'sql-template-tag'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { longGif, picture } from '#testing/files.ts'
import { good } from '#testing/good.ts'
import { type Answer, type Caller, type Clinic, testApp } from '#testing/harness.ts'
import { addPerson } from '#testing/people.ts'
import { incoming } from './incoming.ts'

let clinic: Clinic
let editor: Caller
let other: Caller
let images: Server
let host: string

beforeAll(async () => {
  const png = await picture(800, 400).png().toBuffer()
  images = createServer((request, response) => {
    const path = request.url ?? ''
    // Accepts the request and never responds.
    if (path.startsWith('/silent')) return
    response.statusCode = path.startsWith('/gone') ? 404 : 200
    if (path.startsWith('/html')) response.setHeader('content-type', 'image/png').end('<html><script>1</script></html>')
    else if (path.startsWith('/bomb')) response.end(longGif(5000))
    else response.end(png)
  }).listen(0, '127.0.0.1')
  await once(images, 'listening')
  host = `http://127.0.0.1:${(images.address() as AddressInfo).port}`
  clinic = await testApp({
    outbound: { allow: ['127.0.0.1'], timeout: 700 },
    prepare: async (app) => {
      await addPerson(app, 'editor', ['displayTableNews', 'editNews'])
      await addPerson(app, 'other', ['displayTableNews', 'editNews'])
    },
  })
  editor = clinic.as('editor')
  other = clinic.as('other')
})
afterAll(async () => {
  images.closeAllConnections()
  images.close()
  await clinic.close()
})

interface Webhook {
  id: number
  key: string
  secret: string
}
type Source = 'vk' | 'telegram' | 'youtube' | 'google'

async function makeWebhook(source: Source, body: object = {}): Promise<Webhook> {
  const made = good(await editor.post('/news/intakes', { name: 'Группа клиники', source, ...body }), 201)
  return { ...made, secret: good(await editor.post(`/news/intakes/${made.id}/secret`)).secret }
}

const sign = (secret: string, text: string | Buffer) =>
  `sha256=${createHmac('sha256', secret).update(text).digest('hex')}`

let sent = 0
/** Sends raw bytes, each time from another address to avoid the rate limit. */
async function send(key: string, payload: string | Buffer, signature?: string): Promise<Answer> {
  const response = await clinic.app.server.inject({
    method: 'POST',
    url: `/news/intake/${key}`,
    payload,
    headers: { 'content-type': 'application/json', ...(signature === undefined ? {} : { 'x-signature': signature }) },
    remoteAddress: `10.1.${(++sent >> 8) & 255}.${sent & 255}`,
  })
  const { statusCode: status, payload: text, rawPayload: bytes } = response
  return { status, body: text ? JSON.parse(text) : undefined, text, bytes, headers: {} }
}
const post = ({ key, secret }: Webhook, body: unknown) => {
  const text = JSON.stringify(body)
  return send(key, text, sign(secret, text))
}
const newsOf = async ({ id }: Webhook) =>
  good(await editor.get(`/news?filter[idIntake]=${id}&sort=id&expand=images`)).items
const noticesOf = async (idNews: number): Promise<{ kind: string; title: string; text: string }[]> =>
  good(await other.get(`/notifications?filter[idEntity]=${idNews}&sort=id`)).items

describe('a post of a source', () => {
  it('as HTML is sanitised, as plain text becomes paragraphs, and stays harmless', () => {
    expect(incoming({ text: '<p onclick="x()">Да<script>1</script></p>' }, 'vk').text).toBe('<p>Да</p>')
    expect(incoming({ text: 'Раз\nдва\r\n\r\n1 < 2 & 3' }, 'vk').text).toBe(
      '<p>Раз<br />два</p><p>1 &lt; 2 &amp; 3</p>',
    )
    const { text } = incoming({ title: 'Т', url: 'https://vk.example/wall?a=1&b="2"' }, 'vk')
    expect(text).toBe('<p><a href="https://vk.example/wall?a=1&amp;b=%222%22">Источник: ВКонтакте</a></p>')
    for (const url of ['javascript:alert(1)', 'data:text/html,x', 'file:///etc/passwd', 5])
      expect(incoming({ title: 'Т', url }, 'vk').text).toBeNull()
  })

  it('without a title is named by its first words, or by its source', () => {
    expect(incoming({ text: 'Коротко' }, 'vk').title).toBe('Коротко')
    const long = incoming({ text: 'слово '.repeat(60) }, 'vk').title
    expect([long.length <= 121, long.endsWith('слово…')]).toEqual([true, true])
    expect(incoming({ images: ['https://a.example/1.png'] }, 'telegram').title).toBe('Новость: Telegram')
    expect(incoming({ title: 'я'.repeat(20_000) }, 'vk').title).toHaveLength(10_000)
  })

  it('with excessive nesting is refused before sanitising', () => {
    expect(() => incoming({ text: '<b></i>'.repeat(20_000) }, 'vk')).toThrow(
      expect.objectContaining({
        items: [{ field: 'text', message: 'В тексте слишком много вложенных элементов' }],
      }),
    )
  })

  it('with a date in the past keeps it', () => {
    const at = '2026-11-01T10:00:00.000Z'
    const seconds = Date.parse(at) / 1000
    for (const date of [at, seconds, seconds * 1000, '2026-11-01T13:00:00+03:00'])
      expect(incoming({ title: 'Т', date }, 'vk').dateCreate).toBe(at)
    for (const date of ['вчера', {}, -1, Date.now() + 86_400_000])
      expect(incoming({ title: 'Т', date }, 'vk').dateCreate).toBeUndefined()
  })

  it('has up to twenty pictures, only from the web', () => {
    const given = [{ id: 7, url: 'https://a.example/1.png' }, 'http://b.example/2.png', 'ftp://c.example/3', null, 5]
    expect(incoming({ images: given }, 'vk')).toMatchObject({
      images: [{ url: 'https://a.example/1.png', idExternal: '7' }, { url: 'http://b.example/2.png' }],
      left: 3,
    })
    const many = Array.from({ length: 30 }, (_, at) => `https://a.example/${at}.png`)
    expect(incoming({ images: many }, 'vk')).toMatchObject({ images: { length: 20 }, left: 10 })
  })
})

describe('a source', () => {
  it('with a valid signature creates a news item once, with its pictures', async () => {
    const vk = await makeWebhook('vk')
    const body = {
      id: '-1_77',
      timestamp: Date.now(),
      title: 'День открытых дверей',
      text: '<p>Приходите</p>',
      date: '2026-11-01T10:00:00Z',
      images: [{ id: 'p1', url: `${host}/one.png` }, { url: `${host}/two.png` }],
    }
    expect((await post(vk, body)).body).toEqual({ ok: true, repeated: false })
    expect((await post(vk, { ...body, title: 'Другой' })).body).toEqual({ ok: true, repeated: true })
    await clinic.context.jobs.drain()
    const [news, ...more] = await newsOf(vk)
    expect(more).toEqual([])
    expect(news).toMatchObject({
      title: 'День открытых дверей',
      text: '<p>Приходите</p>',
      source: 'vk',
      idExternal: '-1_77',
      active: false,
      dateActive: null,
      dateCreate: '2026-11-01T10:00:00+00:00',
    })
    const sizes = Map.groupBy(news.images, ({ key }: { key: string }) => key)
    expect([...sizes.values()].map(({ length }) => length)).toEqual([3, 3])
    expect(
      news.images.map(({ urlExternal, idExternal }: Record<string, unknown>) => [urlExternal, idExternal]),
    ).toEqual(
      expect.arrayContaining([
        [`${host}/one.png`, 'p1'],
        [`${host}/two.png`, null],
      ]),
    )
    expect((await editor.get(news.images[0].url)).headers['content-type']).toContain('image/')
    expect((await noticesOf(news.id)).map(({ title }) => title)).toEqual(['Новость ждёт публикации'])
    expect((await editor.put(`/news/${news.id}`, { source: 'telegram' })).body[0].field).toBe('source')
  })

  it('with eight concurrent senders, or after the item was deleted, creates it once', async () => {
    const [vk, second] = [await makeWebhook('telegram', { publish: true }), await makeWebhook('telegram')]
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, at) => post(at % 2 ? vk : second, { id: 5, title: 'Одна' })),
    )
    expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(200))
    expect(answers.filter(({ body }) => !body.repeated)).toHaveLength(1)
    const all = good(await editor.get('/news?filter[source]=telegram')).items
    expect(all).toHaveLength(1)
    good(await editor.delete(`/news/${all[0].id}`), 204)
    expect((await post(vk, { id: 5, title: 'Одна' })).body.repeated).toBe(true)
    // Another source may use the same id.
    expect((await post(await makeWebhook('youtube'), { id: 5, title: 'Одна' })).body.repeated).toBe(false)
  })

  it('with the right to publish is shown at once', async () => {
    const google = await makeWebhook('google', { publish: true })
    good(await post(google, { id: 1, title: 'Отзыв' }))
    const [news] = await newsOf(google)
    expect([news.active, news.dateActive !== null]).toEqual([true, true])
    expect(await noticesOf(news.id)).toEqual([])
  })

  it('wrongly signed, outdated, malformed or too large changes nothing', async () => {
    const [vk, second] = [await makeWebhook('vk'), await makeWebhook('vk')]
    const text = JSON.stringify({ id: 'x', title: 'Т' })
    for (const signature of [undefined, '', 'sha256=', sign(second.secret, text), sign(vk.secret, `${text} `)]) {
      const { status, body } = await send(vk.key, text, signature)
      expect([status, body.code], String(signature)).toEqual([401, 'signature'])
    }
    for (const timestamp of [Date.now() - 660_000, Date.now() + 660_000, 'вчера'])
      expect((await post(vk, { title: 'Т', timestamp })).body.code).toBe('timestamp')
    for (const bytes of ['', 'null', '[]', '{', '\u0000', Buffer.from([0xff, 0xfe])])
      expect((await send(vk.key, bytes, sign(vk.secret, bytes))).status, String(bytes)).toBe(400)
    for (const empty of [{}, { title: '  ' }, { text: '<p></p>' }, { images: ['ftp://x'] }, { title: 5, text: [] }])
      expect((await post(vk, empty)).body).toEqual([{ field: 'text', message: 'Нужен заголовок, текст или картинка' }])
    const huge = JSON.stringify({ title: 'Т', text: 'я'.repeat(600_000) })
    expect((await send(vk.key, huge, sign(vk.secret, huge))).status).toBe(413)
    expect(await newsOf(vk)).toEqual([])
    const strange = { id: { a: 1 }, title: 'Т', ['__proto__']: 1, '\ud800': '\ud800', date: {}, images: 'нет' }
    good(await post(vk, strange))
    expect(await newsOf(vk)).toHaveLength(1)
  })

  it('to a disabled, deleted or unknown intake gets the same response', async () => {
    const vk = await makeWebhook('vk')
    const knock = async (key: string) => {
      const { status, body } = await post({ ...vk, key }, { title: 'Т' })
      return [status, body.message]
    }
    const none = [404, 'Приём новостей не найден']
    expect(await knock('AAAAAAAAAAAAAAAAAAAAAAAA')).toEqual(none)
    expect(await knock('x')).toEqual(none)
    good(await editor.put(`/news/intakes/${vk.id}`, { isActive: false }))
    expect(await knock(vk.key)).toEqual(none)
    good(await editor.put(`/news/intakes/${vk.id}`, { isActive: true }))
    good(await editor.delete(`/news/intakes/${vk.id}`), 204)
    expect(await knock(vk.key)).toEqual(none)
  })

  it('has a secret that is shown once; a new one replaces the old', async () => {
    const vk = await makeWebhook('vk')
    const record = await editor.get(`/news/intakes/${vk.id}`)
    expect(record.body).toMatchObject({ hasSecret: true, key: vk.key })
    for (const path of ['', '/history?parts=1']) {
      const { text } = await editor.get(`/news/intakes/${vk.id}${path}`)
      expect(text).not.toContain(vk.secret)
    }
    const { secret } = good(await editor.post(`/news/intakes/${vk.id}/secret`))
    expect((await post(vk, { title: 'Т' })).status).toBe(401)
    expect((await post({ ...vk, secret }, { title: 'Т' })).status).toBe(200)
  })
})

describe('a picture that cannot be downloaded', () => {
  /** Makes the next retry due. */
  const soon = () => clinic.db.query(sql`update jobs.job set start_after = now() where name = 'news.image'`)

  it.each([
    ['a host that falls silent', '/silent.png', 'Сайт не отдал файл вовремя'],
    ['HTML instead of a picture', '/html.png', 'не картинка'],
    ['a bomb', '/bomb.gif', 'Слишком много кадров'],
    ['what is gone', '/gone.png', 'ответ 404'],
  ])('%s: the news item stays, and after three attempts people are notified', async (_what, path, reason) => {
    const vk = await makeWebhook('vk', { publish: true })
    const wanted = [`${host}${path}`, `${host}/good.png`]
    good(await post(vk, { id: `with ${path}`, title: 'С картинкой', images: wanted }))
    for (let tries = 0; tries < 2; tries++) {
      await clinic.context.jobs.drain()
      const [{ id }] = await newsOf(vk)
      expect(await noticesOf(id)).toEqual([])
      await soon()
    }
    await clinic.context.jobs.drain()
    const [news] = await newsOf(vk)
    expect(news.active).toBe(true)
    expect(news.images.map(({ urlExternal }: { urlExternal: string }) => urlExternal)).toEqual(
      Array(3).fill(`${host}/good.png`),
    )
    const [notice, ...more] = await noticesOf(news.id)
    expect([notice?.kind, notice?.title, more]).toEqual(['news.image', 'Не удалось загрузить изображение', []])
    expect(notice?.text).toContain(path)
    expect(notice?.text).toContain(reason)
  })

  it('in our own network is not requested', async () => {
    const vk = await makeWebhook('vk')
    good(
      await post(vk, { id: 'inner', title: 'Т', images: ['http://169.254.169.254/latest/meta-data', 'http://[::1]/'] }),
    )
    for (let tries = 0; tries < 3; tries++) {
      await clinic.context.jobs.drain()
      await soon()
    }
    const [news] = await newsOf(vk)
    expect(news.images).toEqual([])
    expect((await noticesOf(news.id)).filter(({ text }) => text.includes('внутреннюю сеть'))).toHaveLength(2)
  })
})
