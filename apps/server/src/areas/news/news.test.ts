import { NewsComment } from '@ordinator/model/areas/news/news'
import sql from 'sql-template-tag'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { form, picture } from '#testing/files.ts'
import { good } from '#testing/good.ts'
import { type Caller, type Clinic, testApp } from '#testing/harness.ts'
import { addPerson } from '#testing/people.ts'

let clinic: Clinic
const ids: Record<string, number> = {}
const callers = new Map<string, Caller>()
/** Signed in once: a second sign-in would end the first. */
const as = (login: string): Caller => callers.get(login) ?? callers.set(login, clinic.as(login)).get(login)!

beforeAll(async () => {
  clinic = await testApp({
    prepare: async (app) => {
      for (const [login, rights, more] of [
        ['editor', ['displayTableNews', 'editNews'], {}],
        ['second', ['displayTableNews', 'editNews'], {}],
        ['anna', ['displayTableNews'], {}],
        ['boris', ['displayTableNews'], {}],
        ['plain', [], {}],
        ['gone', [], { isBlocked: true }],
      ] as const)
        ids[login] = (await addPerson(app, login, rights, more)).id
    },
  })
})
afterAll(() => clinic.close())

const make = async (body: object = {}) =>
  good(await as('editor').post('/news', { title: 'Новый аппарат УЗИ', ...body }), 201)
const shown = (body: object = {}) => make({ active: true, ...body })
const sent = async () =>
  good(await as('editor').post('/news/images/files', form(await picture(300, 200).png().toBuffer(), 'a.png')), 201)
const attach = async (idNews: number) => {
  const file = await sent()
  const create = ['small', 'medium', 'large'].map((size) => ({
    idNews,
    idFileRegister: file[size].id,
    key: file.key,
    size,
  }))
  return { file, images: good(await as('editor').post('/news/images/batch', { create })).create }
}
const notices = async (login: string, idNews: number): Promise<string[]> =>
  good(await as(login).get(`/notifications?filter[idEntity]=${idNews}&filter[path]=news&sort=id`)).items.map(
    ({ kind }: { kind: string }) => kind,
  )

describe('a user without displayTableNews', () => {
  it('is refused by every call of news but those of the desktop, which show active items', async () => {
    const news = await shown({ title: 'Всем', text: '<p>Слова</p>' })
    const { file } = await attach(news.id)
    const hidden = await make({ title: 'Тайна' })
    const plain = as('plain')
    for (const path of ['news', 'news/images', 'news/images/files', 'news/reads', 'news/comments', 'news/intakes'])
      for (const exit of ['', '?limit=1&count=1', '/1', '/1/history', '/export'])
        expect((await plain.get(`/${path}${exit}`)).status, `/${path}${exit}`).toBe(403)
    for (const [path, body] of [
      [`/news/${news.id}`, {}],
      ['/news', { title: 'А' }],
      ['/news/comments', { idNews: news.id, message: '<p>А</p>' }],
      ['/news/batch', { delete: [news.id] }],
    ] as const)
      expect((await plain.post(path, body)).status, path).toBe(403)

    const { items } = good(await plain.get('/dashboard/news'))
    expect(items.find(({ id }: { id: number }) => id === news.id)).toMatchObject({ title: 'Всем', isRead: false })
    expect(items.map(({ title }: { title: string }) => title)).not.toContain('Тайна')
    const open = good(await plain.get(`/dashboard/news-items/${news.id}`))
    expect(open).toMatchObject({ text: '<p>Слова</p>', user: { id: ids.editor } })
    expect(open.images).toHaveLength(3)
    expect((await plain.get(file.large.url)).status).toBe(200)
    expect((await plain.get(`/dashboard/news-items/${hidden.id}`)).status).toBe(404)
    // Editors of news get only active items from it too.
    expect((await as('editor').get(`/dashboard/news-items/${hidden.id}`)).status).toBe(404)
    good(await plain.post(`/news/${news.id}/read`), 204)
    expect(good(await plain.get(`/dashboard/news-items/${news.id}`)).isRead).toBe(true)
    expect((await plain.post(`/news/${hidden.id}/read`)).status).toBe(404)
    expect((await clinic.anonymous.get('/dashboard/news')).status).toBe(401)
  })

  it('gets a reminder that links to the desktop, and no notices of discussions', async () => {
    const news = await shown()
    good(await as('editor').post(`/news/${news.id}/remind`))
    const mention = `<p><span data-type="mention" data-id="${ids.plain}">@А</span></p>`
    good(await as('anna').post('/news/comments', { idNews: news.id, message: mention }), 201)
    const notices = good(await as('plain').get(`/notifications?filter[idEntity]=${news.id}&filter[path]=news`)).items
    expect(notices.map(({ kind, link }: { kind: string; link: string }) => [kind, link])).toEqual([
      ['news.remind', `/?news=${news.id}`],
    ])
  })
})

describe('an inactive news item', () => {
  it('is visible to editors of news, and to others at no exit', async () => {
    const news = await make({ text: '<p>тайна</p>' })
    const { file, images } = await attach(news.id)
    good(await as('editor').post('/news/comments', { idNews: news.id, message: '<p>пока не видно</p>' }), 201)
    good(await as('editor').post(`/news/${news.id}/read`), 204)
    expect(good(await as('second').get(`/news/${news.id}`)).id).toBe(news.id)
    const all = (path: string) => `/${path}?filter[idNews]=${news.id}&count=1`
    for (const path of [
      `/news/${news.id}`,
      `/news/images/${images[0].id}`,
      `/news/images/files/${file.small.id}`,
      file.small.url,
      `/files/${file.small.id}`,
      `/news/${news.id}/history`,
    ]) {
      expect((await as('editor').get(path)).status, path).toBe(200)
      expect((await as('anna').get(path)).status, path).toBe(404)
      expect((await clinic.anonymous.get(path)).status, path).toBe(401)
    }
    for (const path of ['news/images', 'news/comments', 'news/reads'])
      expect(good(await as('anna').get(all(path)))._meta.totalCount, path).toBe(0)
    const found = good(await as('anna').get(`/news?filter[id]=${news.id}&count=1&expand=images,comments`))
    expect(found._meta.totalCount).toBe(0)
    expect(good(await as('anna').get('/news?filter[text][ilike]=тайна')).items).toEqual([])
    expect((await as('anna').post(`/news/${news.id}/read`)).status).toBe(404)
    const answer = await as('anna').post('/news/comments', { idNews: news.id, message: '<p>я</p>' })
    expect([403, 422]).toContain(answer.status)
  })

  it('becomes active once, and stores the time', async () => {
    const news = await make()
    expect(news.dateActive).toBeNull()
    const { dateActive } = good(await as('editor').put(`/news/${news.id}`, { active: true }))
    expect(Date.parse(dateActive)).toBeGreaterThan(Date.now() - 10_000)
    expect(good(await as('anna').get(`/news/${news.id}`)).dateActive).toBe(dateActive)
    good(await as('editor').put(`/news/${news.id}`, { active: false }))
    expect((await as('anna').get(`/news/${news.id}`)).status).toBe(404)
    expect(good(await as('editor').put(`/news/${news.id}`, { active: true })).dateActive).toBe(dateActive)
    expect((await shown()).dateActive).not.toBeNull()
  })
})

describe('an active news item', () => {
  it('is read by everyone with its pictures, and changed by editors of news only', async () => {
    const news = await shown()
    const { file, images } = await attach(news.id)
    const read = good(await as('anna').get(`/news/${news.id}?expand=images`))
    expect(read.images.map(({ size, url }: { size: string; url: string }) => [size, url])).toEqual(
      ['small', 'medium', 'large'].map((size) => [size, `/files/${file.small.id}/${size}`]),
    )
    expect((await as('anna').get(file.large.url)).status).toBe(200)
    const image = { idNews: news.id, idFileRegister: file.small.id, key: 'x', size: 'small' }
    const tries = {
      'POST /news': { title: 'Чужая' },
      [`PUT /news/${news.id}`]: { title: 'Чужая' },
      [`DELETE /news/${news.id}`]: undefined,
      'POST /news/batch': { update: [{ id: news.id, isPinned: true }] },
      'POST /news/images': image,
      'POST /news/images/batch': { delete: [images[0].id] },
      [`DELETE /news/images/${images[0].id}`]: undefined,
      [`DELETE /news/images/files/${file.small.id}`]: undefined,
      'POST /news/reads': { idNews: news.id, idUser: ids.boris },
      [`GET /news/${news.id}/readers`]: undefined,
      [`POST /news/${news.id}/remind`]: undefined,
      'GET /news/intakes': undefined,
      'POST /news/intakes': { name: 'Моя', source: 'vk' },
      'POST /news/intakes/1/secret': undefined,
    }
    for (const [call, body] of Object.entries(tries)) {
      const [method, path] = call.split(' ') as [string, string]
      expect((await as('anna').call(method, path, body)).status, call).toBe(403)
      expect((await clinic.anonymous.call(method, path, body)).status, call).toBe(401)
    }
  })

  it('loses or gains a picture when the form is saved', async () => {
    const news = await shown()
    const first = await attach(news.id)
    const second = await sent()
    const one = { idNews: news.id, idFileRegister: second.small.id, key: second.key, size: 'large' }
    const drop = first.images.map(({ id }: { id: number }) => id)
    good(await as('editor').post('/news/images/batch', { create: [one], delete: drop }))
    const { images } = good(await as('anna').get(`/news/${news.id}?expand=images`))
    expect(images.map(({ key }: { key: string }) => key)).toEqual([second.key])
    expect((await as('anna').get(first.file.small.url)).status).toBe(404)
    expect((await as('editor').post('/news/images', { ...one, idFileRegister: 999_999 })).status).toBe(422)
  })

  it('is in the feed after the pinned ones, newest first', async () => {
    await clinic.db.query(sql`update news set "active" = false`)
    const [old, pinned, fresh] = [await shown(), await shown({ isPinned: true }), await shown()]
    const feed = good(await as('anna').get('/news?sort=-isPinned,-dateActive&fields=id')).items
    expect(feed.map(({ id }: { id: number }) => id)).toEqual([pinned.id, fresh.id, old.id])
  })
})

describe('a read mark', () => {
  it('is stored once, however often and concurrently it is sent', async () => {
    const news = await shown()
    expect(good(await as('anna').get(`/news/${news.id}`)).isRead).toBe(false)
    const unread = async () => good(await as('anna').get('/common/badges')).news ?? 0
    const before = await unread()
    const answers = await Promise.all(Array.from({ length: 6 }, () => as('anna').post(`/news/${news.id}/read`)))
    expect(answers.map(({ status }) => status)).toEqual(Array(6).fill(204))
    expect(await unread()).toBe(before - 1)
    expect(good(await as('anna').get(`/news/${news.id}?fields=isRead,readsTotalCount`))).toMatchObject({
      isRead: true,
      readsTotalCount: 1,
    })
    expect(good(await as('boris').get(`/news/${news.id}`)).isRead).toBe(false)
    expect(good(await as('boris').get(`/news/reads?filter[idNews]=${news.id}`)).items).toEqual([])
    expect((await as('anna').post('/news/999999/read')).status).toBe(404)
  })

  it('is counted among active staff', async () => {
    const news = await shown()
    good(await as('anna').post(`/news/${news.id}/read`), 204)
    const { read, unread } = good(await as('editor').get(`/news/${news.id}/readers`))
    expect(read).toEqual([
      {
        user: { id: ids.anna, fio: 'anna Тест', shortFio: 'anna Т.', avatar: null },
        dateRead: expect.stringMatching(/^\d{4}-/),
      },
    ])
    const names = unread.map(({ id }: { id: number }) => id)
    expect(names).toEqual(expect.arrayContaining([ids.boris, ids.editor, ids.second]))
    expect(names).not.toContain(ids.anna)
    expect(names).not.toContain(ids.gone)
  })

  it('is requested by a reminder of those without one, once an hour', async () => {
    const news = await shown()
    good(await as('anna').post(`/news/${news.id}/read`), 204)
    const [first, second] = await Promise.all(
      ['editor', 'second'].map((who) => as(who).post(`/news/${news.id}/remind`)),
    )
    expect([first?.status, second?.status].sort()).toEqual([200, 429])
    const count = (first?.status === 200 ? first : second)?.body.count
    const { unread } = good(await as('editor').get(`/news/${news.id}/readers`))
    expect(count).toBe(unread.length - 1)
    expect(await notices('boris', news.id)).toEqual(['news.remind'])
    expect(await notices('anna', news.id)).toEqual([])
    await clinic.db.query(sql`update news set "dateReminded" = now() - interval '61 minutes' where "id" = ${news.id}`)
    good(await as('editor').post(`/news/${news.id}/remind`))
    expect((await as('editor').post(`/news/${(await make()).id}/remind`)).status).toBe(400)
  })
})

describe('a comment', () => {
  const say = (login: string, idNews: number, message = '<p>слово</p>', more: object = {}) =>
    as(login).post('/news/comments', { idNews, message, ...more })
  const posted = async (...args: Parameters<typeof say>) => good(await say(...args), 201)
  const mention = (login: string) =>
    `<p><span data-type="mention" data-id="${ids[login]}" data-label="${login}">@${login}</span></p>`

  it('is written by everyone, edited by its author, deleted by the author or editors of news', async () => {
    const news = await shown()
    const comment = await posted('anna', news.id)
    for (const other of ['boris', 'editor'])
      expect((await as(other).put(`/news/comments/${comment.id}`, { message: '<p>х</p>' })).status, other).toBe(403)
    good(await as('anna').put(`/news/comments/${comment.id}`, { message: '<p>иное</p>' }))
    expect((await as('boris').delete(`/news/comments/${comment.id}`)).status).toBe(403)
    good(await as('editor').delete(`/news/comments/${comment.id}`), 204)
    good(await as('anna').delete(`/news/comments/${(await posted('anna', news.id)).id}`), 204)
    expect(good(await as('anna').get(`/news/${news.id}?fields=commentsTotalCount`)).commentsTotalCount).toBe(0)
    const forged = await as('anna').post(`/${NewsComment.path}`, {
      idNews: news.id,
      message: '<p>х</p>',
      isSystem: true,
    })
    expect(forged.status).toBe(422)
  })

  it('replies to one of the same news item; its author and those mentioned are notified', async () => {
    const [news, other] = [await shown(), await shown()]
    const root = await posted('anna', news.id, mention('boris'))
    expect(await notices('boris', news.id)).toEqual(['news.mention'])
    expect(await notices('editor', news.id)).toEqual(['news.comment'])
    await posted('boris', news.id, '<p>вижу</p>', { idComment: root.id })
    expect(await notices('anna', news.id)).toEqual(['news.comment'])
    expect((await say('anna', other.id, '<p>нет</p>', { idComment: root.id })).body).toEqual([
      { field: 'idComment', message: 'Ответить можно на комментарий этой же новости' },
    ])
  })

  it('on a hidden item notifies only users who see it', async () => {
    const news = await make()
    await posted('editor', news.id, mention('boris') + mention('second'))
    expect(await notices('boris', news.id)).toEqual([])
    expect(await notices('second', news.id)).toEqual(['news.mention'])
  })
})
