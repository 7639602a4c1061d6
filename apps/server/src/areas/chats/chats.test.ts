import { randomUUID } from 'node:crypto'
import { Appeal } from '@ordinator/model/areas/appeals/appeal'
import { runs } from '@ordinator/model/testing/runs'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { systemActor } from '#records/actor.ts'
import { good } from '#testing/good.ts'
import { type Caller, type Clinic, testApp } from '#testing/harness.ts'
import { addPerson } from '#testing/people.ts'
import { LOADER } from './widget.ts'

/** From the clinic's default outcomes. */
const BOOKED = 1
const CONSULTED = 2
const SPAM = 8

/** A picture of one pixel. */
const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==',
  'base64',
)

let clinic: Clinic
let alina: Caller
let kirill: Caller
let keeper: Caller
let reader: Caller
let outsider: Caller
let idAlina: number
let idKirill: number
let idOutsider: number
let key: string
let idSite: number

beforeAll(async () => {
  clinic = await testApp({
    prepare: async (app) => {
      idAlina = (await addPerson(app, 'alina', ['supportOperator'])).id
      idKirill = (await addPerson(app, 'kirill', ['supportOperator'])).id
      await addPerson(app, 'keeper', ['editLiveAssistDomainMap', 'editLiveAssistSuggestion'])
      await addPerson(app, 'reader', ['displayTableLiveAssist'])
      idOutsider = (await addPerson(app, 'outsider', ['viewCustomers'])).id
    },
  })
  ;[alina, kirill, keeper, reader, outsider] = ['alina', 'kirill', 'keeper', 'reader', 'outsider'].map((login) =>
    clinic.as(login),
  ) as [Caller, Caller, Caller, Caller, Caller]
  await Promise.all([alina, kirill, keeper, reader, outsider].map((caller) => caller.token()))
  const site = good(await keeper.post('/live-assist/domains', { name: 'Clinic.test', sourceName: 'Сайт' }), 201)
  ;({ key, id: idSite } = site)
})
afterAll(() => clinic.close())

const version = { 'x-client-version': '3' }
const enter = (body: object = {}, headers: Record<string, string> = {}, site = key) =>
  clinic.anonymous.post(
    `/live-assist?token=${site}`,
    { name: 'Вера', responseId: randomUUID(), consent: { version: 1 }, ...body },
    { headers: { ...version, ...headers } },
  )

/** A visitor with consent. */
async function visitor(body: object = {}) {
  const { token } = good(await enter(body))
  const headers = { ...version, authorization: `Visitor ${token}` }
  const as = clinic.anonymous
  return {
    token,
    headers,
    say: (text: string, clientId: string = randomUUID()) =>
      as.post('/live-assist/visitor/messages', { clientId, text }, { headers }),
    news: async (after = 0, wait = 0) =>
      good(await as.get(`/live-assist/visitor/messages?after=${after}&wait=${wait}`, { headers })),
    post: (path: string, data: object) => as.post(`/live-assist/visitor/${path}`, data, { headers }),
    file: (clientId: string = randomUUID()) => {
      const form = new FormData()
      form.set('file', new Blob([PIXEL]), 'анализ.png')
      return as.post(`/live-assist/visitor/files?clientId=${clientId}`, form, { headers })
    },
  }
}

const kept = async () =>
  (await clinic.db.one<{ n: number }>({ text: 'select count(*)::int n from live_assist_files', values: [] }))
    ?.n as number

let spoken = 0
/** A visitor with a new chat. */
async function begun(text = 'Здравствуйте') {
  const name = `Вера ${++spoken}`
  const guest = await visitor({ name })
  good(await guest.say(text), 201)
  const { items } = good(await alina.get(`/live-assist?filter[name]=${encodeURIComponent(name)}`))
  return { guest, id: items[0].id as number, name }
}

const view = async (id: number, who: Caller = alina) => good(await who.get(`/live-assist/${id}`))
const reply = (who: Caller, idLiveAssist: number, message: string, more: object = {}) =>
  who.post('/live-assist/messages', { idLiveAssist, clientId: randomUUID(), message, ...more })

describe('a visitor', () => {
  it('cannot write before consent, and nothing is stored', async () => {
    const count = async () =>
      (await clinic.db.one<{ n: number }>({ text: 'select count(*)::int n from live_assist_messages' }))?.n
    const before = await count()
    const session = good(await enter({ consent: null }))
    expect(session).toMatchObject({ token: null, chat: null, messages: [], consent: { version: 1 } })
    const refused = await clinic.anonymous.post(
      '/live-assist/visitor/messages',
      { clientId: randomUUID(), text: 'Привет' },
      { headers: version },
    )
    expect(refused.status).toBe(422)
    expect(refused.body[0].field).toBe('consent')
    expect(await count()).toBe(before)
  })

  it('who waits for news in many windows keeps nobody of the same address from writing', async () => {
    const chats = [await begun(), await begun()]
    const cursors = await Promise.all(chats.map(async ({ guest }) => (await guest.news()).cursor))
    const windows = chats.flatMap(({ guest }, at) =>
      Array.from({ length: 4 }, async () => {
        for (;;) if ((await guest.news(cursors[at], 25)).messages.length > 0) return
      }),
    )
    // A window that kept its slot while it waits would hold these back for 25 seconds.
    const begins = performance.now()
    const other = await begun('Есть ли запись на завтра?')
    expect(await view(other.id)).toMatchObject({ name: other.name })
    for (const { id } of chats) good(await reply(alina, id, 'Есть, в 15:00'), 201)
    await Promise.all(windows)
    expect(performance.now() - begins).toBeLessThan(20_000)
  })

  it('must consent again when the consent text has changed', async () => {
    const site = good(await keeper.post('/live-assist/domains', { name: 'words.test' }), 201)
    const { token } = good(await enter({}, {}, site.key))
    good(await keeper.put(`/live-assist/domains/${site.id}`, { consentText: 'Другие слова' }))
    const headers = { ...version, authorization: `Visitor ${token}` }
    const say = () =>
      clinic.anonymous.post('/live-assist/visitor/messages', { clientId: randomUUID(), text: 'Да' }, { headers })
    expect((await say()).status).toBe(422)
    good(await enter({ token, consent: { version: 2 } }, {}, site.key))
    good(await say(), 201)
  })

  it('is the same after a repeat with one key; outdated, foreign and disabled sites are refused', async () => {
    const body = { responseId: randomUUID() }
    const [first, second] = [good(await enter(body)), good(await enter(body))]
    expect(second.token).toBe(first.token)
    expect(first.responseId).toBe(body.responseId)
    expect((await enter({}, { 'x-client-version': '2' })).status).toBe(426)
    expect((await enter({}, { origin: 'https://strange.test' })).status).toBe(403)
    good(await enter({}, { origin: 'https://www.clinic.test' }))
    expect((await enter({}, {}, 'w_nothing')).status).toBe(410)
    const bearer = `Bearer ${await alina.token()}`
    expect((await enter({}, { authorization: bearer })).status).toBe(400)
    expect((await enter({ phone: 'позвоните' })).body[0].field).toBe('phone')
  })

  it('repeats a message and it is stored once; another one under its key is refused', async () => {
    const guest = await visitor()
    const clientId = randomUUID()
    expect((await guest.say('Раз', clientId)).status).toBe(201)
    expect((await guest.say('Раз', clientId)).status).toBe(200)
    expect((await guest.say('Два', clientId)).status).toBe(409)
    expect((await guest.news()).messages.map(({ text }: { text: string }) => text)).toEqual(['Раз'])
  })

  it('is stored in one normal form, whatever characters the program sends', async () => {
    const guest = await visitor({ name: 'И\u0306осиф\u200b Перший' })
    good(await guest.say('Мои\u0306 вопрос\u202e'), 201)
    const { items } = good(await alina.get(`/live-assist?filter[name]=${encodeURIComponent('Йосиф Перший')}`))
    expect(items).toMatchObject([{ lastMessage: 'Мой вопрос' }])
  })

  it('begins one chat with two concurrent first messages, numbered without gaps', async () => {
    const guest = await visitor()
    const answers = await Promise.all(['а', 'б', 'в'].map((text) => guest.say(text)))
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201])
    expect((await guest.news()).messages.map(({ seq }: { seq: number }) => seq)).toEqual([1, 2, 3])
  })

  it('is rate-limited', async () => {
    const guest = await visitor()
    const answers = []
    for (let at = 0; at < 11; at++) answers.push((await guest.say(`Слово ${at}`)).status)
    expect(answers).toEqual([...Array(10).fill(201), 429])
  })

  it('gets the panel that the loader requests, from a Russian and an English site', async () => {
    const [, address = ''] = /frame\.src = `\$\{source\.origin\}(.*)`/.exec(LOADER) ?? []
    expect(address).toContain('&lang=en')
    for (const en of ['', '&lang=en']) {
      const path = address
        .replace(/\$\{encodeURIComponent\(key\)\}/, key)
        .replace(/\$\{encodeURIComponent\(location\.hostname\)\}/, 'clinic.test')
        .replace(/\$\{en \? '&lang=en' : ''\}/, en)
      expect([path, (await clinic.anonymous.get(path)).status]).toEqual([path, 200])
    }
  })

  it('receives a reply while waiting, from any process', async () => {
    const { guest, id } = await begun()
    const twin = await clinic.twin()
    try {
      const waits = guest.news(1, 25)
      const clientId = randomUUID()
      const token = (await alina.token()) as string
      good(
        await twin.withToken(token).post('/live-assist/messages', { idLiveAssist: id, clientId, message: 'Слышу' }),
        201,
      )
      expect((await waits).messages).toMatchObject([{ text: 'Слышу', kind: 'staff', author: 'Тест' }])
    } finally {
      await twin.close()
    }
  })

  it("can send a picture, and not a program with a picture's name", async () => {
    const { guest, id } = await begun()
    const send = (content: BlobPart, name: string) => {
      const form = new FormData()
      form.set('file', new Blob([content]), name)
      return clinic.anonymous.post(`/live-assist/visitor/files?clientId=${randomUUID()}`, form, {
        headers: guest.headers,
      })
    }
    for (const name of ['фото.png', 'страница.html'])
      expect([name, (await send('<script>alert(1)</script>', name)).status]).toEqual([name, 422])
    good(await send(PIXEL, 'анализ.png'), 201)
    const { messages } = await guest.news()
    const [file] = messages.at(-1).files
    expect(file).toMatchObject({ name: 'анализ.png' })
    const path = `/live-assist/visitor/files/${file.id}`
    const got = await clinic.anonymous.get(path, { headers: guest.headers })
    expect(got.headers['content-disposition']).toMatch('attachment')
    expect((await clinic.anonymous.get(path, { headers: (await visitor()).headers })).status).toBe(404)
    expect((await view(id)).lastMessage).toBe('анализ.png')
  })

  it('sees normal responses when banned, but no message or file is kept', async () => {
    const { guest, id } = await begun()
    good(await alina.post(`/live-assist/${id}/ban`, { banned: true }))
    const before = await kept()
    expect((await guest.say('Ау')).status).toBe(201)
    expect((await guest.file()).status).toBe(201)
    expect((await view(id)).inCount).toBe(1)
    expect(await kept()).toBe(before)
  })

  it('repeats a file under its key, and it is stored once', async () => {
    const { guest } = await begun()
    const clientId = randomUUID()
    const before = await kept()
    expect([(await guest.file(clientId)).status, (await guest.file(clientId)).status]).toEqual([201, 200])
    expect(await kept()).toBe(before + 1)
  })

  it('has a daily limit of files, and so has a site; text is still accepted', async () => {
    const { guest } = await begun()
    const spent = (who: string, bytes: number) =>
      clinic.db.query({
        text: `insert into sent_bytes (who, day, bytes) values ($1, (now() at time zone 'Europe/Moscow')::date, $2)
          on conflict (who, day) do update set bytes = excluded.bytes`,
        values: [who, bytes],
      })
    const [mine] = await clinic.db.query<{ id: number }>({
      text: 'select max("id")::int as id from live_assist_visitors',
      values: [],
    })
    const before = await kept()
    await spent(`visitor:${mine?.id}`, 100 * 1024 * 1024 - 10)
    expect((await guest.file()).body).toMatchObject({
      code: 'uploadQuota',
      message: expect.stringMatching(/^За день можно отправить 100/),
    })
    await spent(`visitor:${mine?.id}`, 0)
    await spent(`site:${idSite}`, 2048 * 1024 * 1024 - 10)
    expect((await guest.file()).status).toBe(429)
    expect(await kept()).toBe(before)
    good(await guest.say('Тогда словами'), 201)
    await spent(`site:${idSite}`, 0)
    good(await guest.file(), 201)
  })

  it('counts an IPv6 prefix as one address', async () => {
    const from = (remoteAddress: string) =>
      clinic.context.server.inject({
        method: 'POST',
        url: `/live-assist?token=${key}`,
        headers: version,
        payload: { name: 'Вера', responseId: randomUUID(), consent: { version: 1 } },
        remoteAddress,
      })
    await clinic.db.query({
      text: `insert into live_assist_visitors ("name", "idDomain", "consentVersion", "consentAt", "consentIp")
        select 'Гость', $1, 1, now(), '2001:db8:1:2::' || to_hex(n) from generate_series(1, 100) n`,
      values: [idSite],
    })
    expect((await from('2001:db8:1:2:aaaa::1')).statusCode).toBe(429)
    expect((await from('2001:db8:1:3::1')).statusCode).toBe(200)
  })
})

describe('operators', () => {
  it('two answer first concurrently: one gets the chat, the other is told the name', async () => {
    const { id } = await begun()
    const answers = await Promise.all([reply(alina, id, 'Я'), reply(kirill, id, 'И я')])
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409])
    expect(answers.find(({ status }) => status === 409)?.body.code).toBe('taken')
    expect((await view(id)).outCount).toBe(1)
  })

  it('a reply creates a draft appeal of its author; a dropped one stays dropped', async () => {
    const { id } = await begun()
    const drafts = async () =>
      clinic.db.query<{ id: number; status: string; owner: number; deleted: boolean }>({
        text: `select "id"::int as id, "status", "idOwner"::int as owner, "deleted" from appeals
          where "entityType" = 'live-assist' and "idEntity" = $1`,
        values: [id],
      })
    expect(await drafts()).toEqual([])
    good(await reply(alina, id, 'Здравствуйте'), 201)
    expect(await drafts()).toMatchObject([{ status: 'draft', owner: idAlina, deleted: false }])
    await clinic.context.engine.for(systemActor).remove(Appeal, (await drafts())[0]?.id as number)
    good(await reply(alina, id, 'Слушаю вас'), 201)
    good(await alina.post(`/live-assist/${id}/complete`, { idOutcome: BOOKED }))
    expect(await drafts()).toMatchObject([{ deleted: true }])
  })

  it('two take a chat concurrently: one gets it', async () => {
    const { id } = await begun()
    const answers = await Promise.all([alina, kirill].map((who) => who.post(`/live-assist/${id}/take`, { from: null })))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
    const { handler, idUser } = await view(id)
    expect(handler).toBe('human')
    expect([idAlina, idKirill]).toContain(idUser)
  })

  it('a repeated message is stored once', async () => {
    const { id } = await begun()
    const clientId = randomUUID()
    expect((await reply(alina, id, 'Да', { clientId })).status).toBe(201)
    expect((await reply(alina, id, 'Да', { clientId })).status).toBe(200)
    expect((await reply(alina, id, 'Нет', { clientId })).status).toBe(409)
  })

  it('hand over with a note, complete with an outcome; the visitor returns, and rates once', async () => {
    const { guest, id } = await begun()
    good(await reply(alina, id, 'Здравствуйте'), 201)
    for (const idUser of [999_999, idOutsider])
      expect((await alina.post(`/live-assist/${id}/transfer`, { idUser })).body[0]).toMatchObject({ field: 'idUser' })
    good(await alina.post(`/live-assist/${id}/transfer`, { idUser: idKirill, note: 'Просит хирурга' }))
    const [note] = good(await kirill.get(`/live-assist/notes?filter[idLiveAssist]=${id}`)).items
    expect(note).toMatchObject({ text: 'Просит хирурга', idUser: idAlina })
    const back = await alina.post(`/live-assist/${id}/transfer`, { idUser: idAlina })
    expect([back.status, back.body.code]).toEqual([409, 'taken'])
    expect((await reply(alina, id, 'Ещё')).status).toBe(409)
    expect((await alina.post(`/live-assist/${id}/complete`, { idOutcome: BOOKED })).status).toBe(409)
    expect((await guest.post('rating', { rating: 5 })).status).toBe(409)
    good(await kirill.post(`/live-assist/${id}/complete`, { idOutcome: BOOKED }))
    good(await guest.post('rating', { rating: 4 }), 204)
    expect((await guest.post('rating', { rating: 1 })).status).toBe(409)
    expect(await view(id)).toMatchObject({
      status: 'completed',
      idOutcome: BOOKED,
      rating: 4,
      numberOfUnreadMessages: 0,
    })
    await clinic.db.query({ text: 'update users set "lastActive" = now() where id = $1', values: [idKirill] })
    good(await guest.say('И ещё вопрос'), 201)
    expect(await view(id)).toMatchObject({ status: 'active', handler: 'human', idUser: idKirill, idOutcome: null })
    good(await kirill.post(`/live-assist/${id}/complete`, { idOutcome: CONSULTED }))
    await clinic.db.query({
      text: `update users set "lastActive" = now() - interval '1 day' where id = $1`,
      values: [idKirill],
    })
    good(await guest.say('И последний'), 201)
    expect(await view(id)).toMatchObject({ status: 'active', handler: 'none', idUser: null, lastUser: idKirill })
  })

  it('an archived chat is read-only; the next message begins another', async () => {
    const { guest, id, name } = await begun()
    expect((await alina.post(`/live-assist/${id}/archive`)).status).toBe(409)
    good(await alina.post(`/live-assist/${id}/complete`, { idOutcome: SPAM }))
    good(await alina.post(`/live-assist/${id}/archive`))
    expect((await reply(alina, id, 'Поздно')).status).toBe(409)
    good(await guest.say('Снова я'), 201)
    expect(good(await alina.get(`/live-assist?filter[name]=${encodeURIComponent(name)}`)).items).toHaveLength(2)
  })

  it('a note comes last, and reaches the visitor by no exit', async () => {
    const { guest, id } = await begun('Вопрос')
    good(await alina.post('/live-assist/notes', { idLiveAssist: id, text: 'Секретная заметка' }), 201)
    const session = await enter({ token: guest.token })
    expect(JSON.stringify([await guest.news(), session.body])).not.toMatch('Секретная')
    expect((await guest.news()).cursor).toBe(1)
    expect((await view(id)).lastMessage).toBe('Вопрос')
    const seen = good(await alina.get(`/live-assist/notes?filter[idLiveAssist]=${id}`)).items
    expect(seen).toMatchObject([{ text: 'Секретная заметка', seq: 2 }])
    expect((await kirill.delete(`/live-assist/notes/${seen[0].id}`)).status).toBe(403)
    expect((await reader.get('/live-assist/notes')).status).toBe(403)
    expect(good(await reader.get(`/live-assist/messages?filter[idLiveAssist]=${id}`)).items).toHaveLength(1)
    for (const path of ['', '/messages', '/notes', '/visitors', '/suggestions', '/counts'])
      expect((await outsider.get(`/live-assist${path}`)).status).toBe(403)
    expect((await outsider.post(`/live-assist/${id}/take`, {})).status).toBe(403)
    expect((await reader.post(`/live-assist/${id}/take`, {})).status).toBe(403)
  })
})

describe('hostile input', () => {
  it('of a visitor is stored as text, or refused with a message', async () => {
    const script = '<script>alert(1)</script><img src=x onerror=alert(1)> {{имя}} {1}'
    const { guest, id } = await begun(script)
    const said = good(await alina.get(`/live-assist/messages?filter[idLiveAssist]=${id}`)).items
    expect(said.map(({ message }: { message: string }) => message)).toEqual([script])
    expect((await guest.news()).messages[0].text).toBe(script)
    const huge = await guest.say('а'.repeat(10 * 1024 * 1024))
    expect([huge.status, typeof huge.body.message]).toEqual([413, 'string'])
    const long = await guest.say('а'.repeat(4097))
    expect([long.status, long.body[0].field]).toEqual([422, 'text'])
    expect((await guest.say('\0')).status).toBe(422)
    for (const clientId of ['', 'short', "'; drop table live_assist; --", 'x'.repeat(65)])
      expect((await guest.say('Привет', clientId)).status).toBe(422)
    // Nothing of it is stored, and the visitor can continue.
    good(await guest.say('Я тут'), 201)
    expect((await guest.news()).messages.map(({ text }: { text: string }) => text)).toEqual([script, 'Я тут'])
  })

  it('a name of emoji, half a surrogate pair or no character is accepted or refused cleanly', async () => {
    for (const name of ['👩‍⚕️🙏🏽', '𝓥𝓮𝓻𝓪', 'ע\u202Eאב', ' ']) {
      const guest = await visitor({ name })
      good(await guest.say('Здравствуйте'), 201)
    }
    const { items } = good(await alina.get(`/live-assist?filter[name]=${encodeURIComponent('👩‍⚕️🙏🏽')}`))
    expect(items).toHaveLength(1)
    for (const name of ['я'.repeat(129), 'Вера\u0000', 'Вера\u001B[2J'])
      expect([name.length, (await enter({ name })).status]).toEqual([name.length, 422])
    const half = await enter({ name: 'Вера \uD83D' })
    expect([200, 422]).toContain(half.status)
  })

  it('guessed ids open nothing', async () => {
    const { guest, id } = await begun()
    good(await guest.file(), 201)
    const [{ id: idFile }] = (await clinic.db.query<{ id: number }>({
      text: 'select max("id")::int as id from live_assist_files',
    })) as [{ id: number }]
    const stranger = (await begun()).guest
    const asStranger = (path: string) =>
      clinic.anonymous.get(`/live-assist/visitor/${path}`, { headers: stranger.headers })
    expect((await asStranger(`files/${idFile}`)).status).toBe(404)
    expect((await asStranger(`files/${idFile + 1}`)).status).toBe(404)
    for (const who of [outsider, clinic.anonymous]) {
      const closed = who === outsider ? 403 : 401
      for (const path of [
        `/live-assist/${id}`,
        `/live-assist/messages?filter[idLiveAssist]=${id}`,
        '/live-assist/notes',
        '/live-assist/counts',
      ])
        expect([path, (await who.get(path)).status]).toEqual([path, closed])
      for (const path of ['take', 'transfer', 'complete', 'archive', 'reopen', 'ban', 'snooze', 'read', 'marks'])
        expect([path, (await who.post(`/live-assist/${id}/${path}`, {})).status]).toEqual([path, closed])
      for (const path of ['messages', 'notes', 'complete-many', 'presence'])
        expect([path, (await who.post(`/live-assist/${path}`, { idLiveAssist: id })).status]).toEqual([path, closed])
      for (const path of [`lookers?ids=${id}`, 'shift', 'visitors'])
        expect([401, 403, 404]).toContain((await who.get(`/live-assist/${path}`)).status)
      expect([401, 403, 404]).toContain((await who.get(`/files/${idFile}`)).status)
    }
    // The journal right writes nothing, and sees no notes.
    expect((await reader.get('/live-assist/notes')).status).toBe(403)
    for (const path of ['take', 'ban', 'complete', 'marks'])
      expect((await reader.post(`/live-assist/${id}/${path}`, {})).status).toBe(403)
    expect((await alina.get('/live-assist/999999999')).status).toBe(404)
  })

  it('a thousand files: some are accepted, the rest are refused and not stored', async () => {
    const { guest } = await begun()
    const before = await kept()
    const codes: number[] = []
    for (let n = 0; n < 14; n++) codes.push((await guest.file()).status)
    expect(codes.filter((code) => code === 429).length).toBeGreaterThan(0)
    expect((await kept()) - before).toBe(codes.filter((code) => code === 201).length)
    expect(codes.filter((code) => ![201, 429].includes(code))).toEqual([])
  })
})

it('typing and viewing are visible to colleagues, notes between operators to no one outside', async () => {
  const { guest, id } = await begun()
  const look = async (who: Caller, writes = false) => good(await who.post(`/live-assist/${id}/marks`, { writes }))
  const nobody = { visitorWrites: false, people: [] }
  expect(await look(alina)).toEqual(nobody)
  good(await guest.post('typing', {}), 204)
  const names = (marks: { people: { id: number; writes: boolean }[] }) =>
    marks.people.map(({ id, writes }) => [id, writes])
  await expect.poll(async () => names(await look(kirill))).toEqual([[idAlina, false]])
  await expect
    .poll(() => look(alina, true))
    .toMatchObject({ visitorWrites: true, people: [{ id: idKirill, writes: false }] })
  await expect.poll(async () => names(await look(kirill))).toEqual([[idAlina, true]])
  // Also in the list of viewed chats, and never oneself.
  const listed = async (who: Caller) => good(await who.get(`/live-assist/lookers?ids=${id},999999`)).items
  expect(await listed(kirill)).toMatchObject([{ id, people: [{ id: idAlina, writes: true }] }])
  expect(await listed(alina)).toMatchObject([{ id, people: [{ id: idKirill }] }])
  expect((await reader.get(`/live-assist/lookers?ids=${id}`)).status).toBe(403)
  expect((await alina.get('/live-assist/lookers?ids=все')).status).toBe(400)
  expect((await guest.news()).typing).toBe(true)
  // The message being typed was sent.
  good(await guest.say('Это я'), 201)
  good(await reply(alina, id, 'Слушаю'), 201)
  await expect.poll(async () => (await look(kirill)).visitorWrites).toBe(false)
  await expect.poll(async () => names(await look(kirill))).toEqual([[idAlina, false]])
  // The chat is Alina's now: Kirill's typing is not shown to the visitor.
  expect((await guest.news()).typing).toBe(false)
  await look(kirill, true)
  // Checked after a later event, by which it would have arrived.
  good(await guest.post('typing', {}), 204)
  await expect.poll(() => look(alina)).toMatchObject({ visitorWrites: true, people: [{ id: idKirill, writes: false }] })
  expect((await guest.news()).typing).toBe(false)
  expect((await reader.post(`/live-assist/${id}/marks`, { writes: false })).status).toBe(403)
  expect((await alina.post('/live-assist/999999/marks', { writes: true })).status).toBe(404)
  const banned = await begun()
  good(await alina.post(`/live-assist/${banned.id}/ban`, { banned: true }))
  good(await banned.guest.post('typing', {}), 204)
  expect(good(await kirill.post(`/live-assist/${banned.id}/marks`, { writes: false }))).toEqual(nobody)
})

it('a note notifies the named colleagues with access, once each, and no one from other chats', async () => {
  const { guest, id } = await begun()
  good(await reply(alina, id, 'Слушаю'), 201)
  const told = async (who: Caller, kind: string) =>
    good(await who.get(`/notifications?filter[kind]=${kind}&filter[idEntity]=${id}&limit=9`)).items
  const mentions = [idKirill, idKirill, idAlina, idOutsider]
  const note = { idLiveAssist: id, text: '@Кирилл, посмотри полис', mentions }
  good(await alina.post('/live-assist/notes', note), 201)
  expect(await told(kirill, 'chat.mention')).toMatchObject([
    { title: expect.stringMatching(/^Вас упомянули в чате: Вера/), text: note.text, link: `/live-assist?chat=${id}` },
  ])
  expect(await told(alina, 'chat.mention')).toEqual([])
  expect(await told(outsider, 'chat.mention')).toEqual([])
  // The chat's operator is notified once, even if named too.
  good(await kirill.post('/live-assist/notes', { idLiveAssist: id, text: '@Алина, да', mentions: [idAlina] }), 201)
  expect(await told(alina, 'chat.mention')).toHaveLength(1)
  expect(await told(alina, 'chat.note')).toEqual([])
  expect(JSON.stringify(await guest.news())).not.toContain('полис')
})

it('unread equals received less read, after any sequence', async () => {
  const step = fc.oneof(fc.constant('in' as const), fc.integer({ min: 0, max: 9 }))
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 8 }), async (steps) => {
      const { guest, id } = await begun()
      good(await alina.post(`/live-assist/${id}/take`, {}))
      let came = 1
      let read = 0
      for (const one of steps) {
        if (one === 'in') {
          good(await guest.say('ещё'), 201)
          came++
        } else {
          good(await alina.post(`/live-assist/${id}/read`, { no: one }), 204)
          // A viewer changes nothing.
          good(await kirill.post(`/live-assist/${id}/read`, { no: 9 }), 204)
          read = Math.max(read, Math.min(one, came))
        }
        const { numberOfUnreadMessages } = await view(id)
        expect(numberOfUnreadMessages).toBe(came - read)
        const unread = await clinic.db.one<{ n: number }>({
          text: `select count(*)::int as n from live_assist c where c."status" = 'active' and c."handler" = 'human' and c."idUser" = $1
            and (select count(*) from live_assist_messages m where m."idLiveAssist" = c."id" and m."kind" = 'visitor'
              and m."no" > c."readIn") > 0`,
          values: [idAlina],
        })
        expect(good(await alina.get('/live-assist/counts')).unread).toBe(unread?.n)
        const told = good(await alina.get(`/live-assist/messages?filter[idLiveAssist]=${id}&limit=50`)).items
        expect(told.filter(({ isRead }: { isRead: boolean }) => !isRead)).toHaveLength(numberOfUnreadMessages)
      }
    }),
    // Read stays read, and cannot exceed the received lines.
    { numRuns: runs(5, 40), examples: [[['in', 'in', 3, 1, 9, 'in']]] },
  )
})

it('an answer is announced to its operator after it is stored, and not before', async () => {
  const { id } = await begun()
  const run = (text: string) => clinic.db.query({ text })
  await run(
    `create function slow_commit() returns trigger language plpgsql as $$ begin perform pg_sleep(0.3); return null; end $$`,
  )
  await run(`create constraint trigger slow_commit after insert on live_assist_messages deferrable initially deferred
    for each row execute function slow_commit()`)
  try {
    const { id: idMessage } = good(await reply(alina, id, 'Раз'), 201)
    expect((await alina.get(`/live-assist/messages/${idMessage}`)).status).toBe(200)
  } finally {
    await run('drop trigger slow_commit on live_assist_messages')
    await run('drop function slow_commit')
  }
})

it('delivered and read positions only grow', async () => {
  const { guest, id } = await begun()
  good(await reply(alina, id, 'Раз'), 201)
  good(await reply(alina, id, 'Два'), 201)
  const states = async () =>
    good(await alina.get(`/live-assist/messages?filter[idLiveAssist]=${id}&filter[kind]=staff&sort=seq`)).items.map(
      ({ state }: { state: string }) => state,
    )
  expect(await states()).toEqual(['sent', 'sent'])
  await guest.news()
  expect(await states()).toEqual(['delivered', 'delivered'])
  good(await guest.post('read', { seq: 2 }), 204)
  expect(await states()).toEqual(['read', 'delivered'])
  good(await guest.post('read', { seq: 99 }), 204)
  good(await guest.post('read', { seq: 1 }), 204)
  expect(await states()).toEqual(['read', 'read'])
})

it('the robot answers by its keywords until a person is needed, and operators are notified then', async () => {
  good(
    await keeper.post('/live-assist/suggestions', {
      name: 'Цены',
      code: 'цены',
      text: 'Цены на сайте',
      words: 'сколько стоит, цена',
    }),
    201,
  )
  const site = good(await keeper.post('/live-assist/domains', { name: 'robot.test', robot: true }), 201)
  const name = `Робот ${randomUUID()}`
  const { token } = good(await enter({ name }, {}, site.key))
  const headers = { ...version, authorization: `Visitor ${token}` }
  const say = (text: string) =>
    clinic.anonymous.post('/live-assist/visitor/messages', { clientId: randomUUID(), text }, { headers })
  good(await say('А сколько стоит приём?'), 201)
  const [chat] = good(await alina.get(`/live-assist?filter[name]=${encodeURIComponent(name)}`)).items
  expect(chat).toMatchObject({ handler: 'robot', outCount: 1, lastMessage: 'Цены на сайте' })
  good(await alina.post(`/live-assist/${chat.id}/take`, {}))
  good(await say('И ещё: цена анализа?'), 201)
  expect(await view(chat.id)).toMatchObject({ handler: 'human', outCount: 1 })
  good(await alina.post(`/live-assist/${chat.id}/complete`, { idOutcome: CONSULTED }))
  good(await alina.post(`/live-assist/${chat.id}/archive`))
  good(await say('Позовите человека'), 201)
  const [next] = good(await alina.get(`/live-assist?filter[name]=${encodeURIComponent(name)}&sort=-id`)).items
  expect(next).toMatchObject({ handler: 'none', status: 'active', idDomain: site.id })
})

it('the robot sends no text with an unknown placeholder, and fills in known ones', async () => {
  for (const [code, text, words] of [
    ['привет', 'Здравствуйте, {имя}!', 'приветствие'],
    ['где', '{имя}, мы здесь: {филиал}', 'адрес'],
  ])
    good(await keeper.post('/live-assist/suggestions', { name: code, code, text, words }), 201)
  const site = good(await keeper.post('/live-assist/domains', { name: 'places.test', robot: true }), 201)
  const said = async (name: string, text: string) => {
    const { token } = good(await enter({ name }, {}, site.key))
    const headers = { ...version, authorization: `Visitor ${token}` }
    good(
      await clinic.anonymous.post('/live-assist/visitor/messages', { clientId: randomUUID(), text }, { headers }),
      201,
    )
    return good(await clinic.anonymous.get('/live-assist/visitor/messages?after=0', { headers })).messages.at(-1)
  }
  expect(await said('Мария', 'приветствие')).toMatchObject({ kind: 'robot', text: 'Здравствуйте, Мария!' })
  expect(await said('Мария', 'адрес')).toMatchObject({ text: expect.stringContaining('сотруднику') })
  expect(await said('', 'приветствие')).toMatchObject({ text: expect.stringContaining('сотруднику') })
})

it('a chat with a hard snooze stays snoozed when the visitor replies', async () => {
  const until = new Date(Date.now() + 3_600_000).toISOString()
  for (const hard of [false, true]) {
    const { guest, id } = await begun()
    good(await alina.post(`/live-assist/${id}/take`, {}))
    good(await alina.post(`/live-assist/${id}/snooze`, { until, hard }))
    good(await guest.say('Я тут'), 201)
    expect((await view(id)).snoozedUntil === null).toBe(!hard)
  }
})

it('each new wait is announced once to those who can answer, for their chosen sources', async () => {
  const told = async (who: Caller) => good(await who.get('/notifications?limit=1&count=exact'))._meta.totalCount
  await clinic.db.query({
    text: 'update users set "isLiveAssist" = true where id = any($1)',
    values: [[idAlina, idKirill]],
  })
  good(await kirill.put('/user-settings/notifications', { sourceNamesLiveAssist: ['Telegram'] }))
  const before = [await told(alina), await told(kirill)]
  const { guest } = await begun()
  good(await guest.say('И ещё'), 201)
  expect([await told(alina), await told(kirill)]).toEqual([(before[0] ?? 0) + 1, before[1]])
})

it('the sound reminder counts own and unassigned unread chats, by the own switches and sources', async () => {
  await clinic.db.query({ text: 'update users set "isLiveAssist" = $2 where id = $1', values: [idAlina, true] })
  const rings = async () => good(await alina.get('/live-assist/counts')).ringing
  const before = await rings()
  const { guest, id } = await begun()
  expect(await rings()).toBe(before + 1)
  good(await alina.post('/live-assist/presence', { status: 'offline' }))
  expect(await rings()).toBeLessThan(before + 1)
  good(await alina.post('/live-assist/presence', { status: 'online' }))
  good(await kirill.post(`/live-assist/${id}/take`, {}))
  expect(await rings()).toBe(before)
  good(await kirill.post(`/live-assist/${id}/transfer`, { idUser: idAlina }))
  expect(await rings()).toBe(before + 1)
  good(await alina.post(`/live-assist/${id}/read`, { no: 1 }), 204)
  expect(await rings()).toBe(before)
  good(await guest.say('Ещё'), 201)
  expect(await rings()).toBe(before + 1)
  good(await alina.put('/user-settings/notifications', { sourceNamesLiveAssist: ['Telegram'] }))
  expect(await rings()).toBe(0)
  good(await alina.put('/user-settings/notifications', { sourceNamesLiveAssist: ['Telegram', 'Сайт'] }))
  expect(await rings()).toBeGreaterThan(0)
  good(await alina.put('/user-settings/notifications', { liveAssist: false }))
  expect(await rings()).toBe(0)
})

it('a silent chat is archived automatically', async () => {
  const { id } = await begun()
  good(await alina.post(`/live-assist/${id}/complete`, { idOutcome: CONSULTED }))
  await clinic.context.jobs.run('chats.archive')
  expect((await view(id)).status).toBe('completed')
  await clinic.db.query({
    text: `update live_assist set "dateLast" = now() - interval '8 days' where id = $1`,
    values: [id],
  })
  await clinic.context.jobs.run('chats.archive')
  expect((await view(id)).status).toBe('archive')
})

it('a site is found only by its key, and the server generates the key', async () => {
  expect(key).toMatch(/^w_[\w-]{20,}$/)
  expect((await keeper.put(`/live-assist/domains/${idSite}`, { key: 'w_mine' })).status).toBe(422)
  expect((await keeper.post('/live-assist/domains', { name: 'https://clinic.ru/' })).status).toBe(422)
})

const tomorrow = () => new Date(Date.now() + 86_400_000).toISOString()
const promise = () => ({ nextStep: 'Прислать договор', dateNextStep: tomorrow() })

it('a chat with a next step is not archived; one already archived accepts its outcome and stays', async () => {
  const { id } = await begun()
  good(await alina.post(`/live-assist/${id}/complete`, promise()))
  expect((await alina.post(`/live-assist/${id}/archive`)).body.code).toBe('promised')
  await clinic.db.query({
    text: `update live_assist set "dateLast" = now() - interval '8 days' where id = $1`,
    values: [id],
  })
  await clinic.context.jobs.run('chats.archive')
  expect((await view(id)).status).toBe('completed')

  const put = () => clinic.db.query({ text: `update live_assist set "status" = 'archive' where id = $1`, values: [id] })
  await put()
  expect((await alina.post(`/live-assist/${id}/complete`, promise())).body[0].field).toBe('nextStep')
  good(await alina.post(`/live-assist/${id}/complete`, { idOutcome: CONSULTED }))
  expect(await view(id)).toMatchObject({ status: 'archive', idOutcome: CONSULTED, nextStep: null, dateNextStep: null })
  expect((await alina.post(`/live-assist/${id}/complete`, { idOutcome: BOOKED })).body.code).toBe('archived')

  const another = await begun()
  good(await alina.post(`/live-assist/${another.id}/complete`, promise()))
  good(await alina.post(`/live-assist/${another.id}/complete`, { idOutcome: CONSULTED }))
  good(await alina.post(`/live-assist/${another.id}/archive`))
})

it('a banned visitor needs no answer, even without an outcome for spam', async () => {
  const { id } = await begun()
  good(await alina.post(`/live-assist/${id}/complete`, promise()))
  const spam = (deleted: boolean) =>
    clinic.db.query({ text: `update appeals_outcomes set "deleted" = $1 where "kind" = 'spam'`, values: [deleted] })
  await spam(true)
  good(await alina.post(`/live-assist/${id}/ban`, { banned: true }))
  await spam(false)
  expect(await view(id)).toMatchObject({
    status: 'archive',
    idOutcome: null,
    nextStep: null,
    dateNextStep: null,
    idOwner: null,
  })
})

it('a next step belongs to its author, not to the former operator', async () => {
  const mine = async (who: Caller, id: number) =>
    good(await who.get('/promises?mine=1')).items.filter(
      (one: { source: string; id: number }) => one.source === 'chat' && one.id === id,
    )
  const { id } = await begun()
  good(await kirill.post(`/live-assist/${id}/take`, {}))
  good(await kirill.post(`/live-assist/${id}/complete`, promise()))
  expect((await view(id)).idOwner).toBe(idKirill)
  good(await alina.post(`/live-assist/${id}/complete`, promise()))
  expect([await mine(alina, id), await mine(kirill, id)]).toMatchObject([[{ kind: 'next' }], []])
  good(await alina.post(`/live-assist/${id}/complete`, { idOutcome: CONSULTED }))
  expect((await view(id)).idOwner).toBe(null)
})
