import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { good } from '#testing/good.ts'
import {
  alina,
  begun,
  CONSULTED,
  clinic,
  enter,
  idSite,
  keeper,
  key,
  openChatClinic,
  outsider,
  PIXEL,
  reader,
  reply,
  version,
  view,
  visitor,
} from './testing/chatClinic.ts'
import { LOADER } from './widget.ts'

openChatClinic()

const kept = async () =>
  (await clinic.db.one<{ n: number }>({ text: 'select count(*)::int n from live_assist_files', values: [] }))
    ?.n as number

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

  it('many waiting windows do not keep others of the same address from writing', async () => {
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
    const second = await clinic.secondProcess()
    try {
      const waits = guest.news(1, 25)
      const clientId = randomUUID()
      const token = (await alina.token()) as string
      good(
        await second.withToken(token).post('/live-assist/messages', { idLiveAssist: id, clientId, message: 'Слышу' }),
        201,
      )
      expect((await waits).messages).toMatchObject([{ text: 'Слышу', kind: 'staff', author: 'Тест' }])
    } finally {
      await second.close()
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

describe('hostile input', () => {
  it('of a visitor is stored as text, or refused with a message', async () => {
    const script = '<script>alert(1)</script><img src=x onerror=alert(1)> {{имя}} {1}'
    const { guest, id } = await begun(script)
    const lines = good(await alina.get(`/live-assist/messages?filter[idLiveAssist]=${id}`)).items
    expect(lines.map(({ message }: { message: string }) => message)).toEqual([script])
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
  const replyTo = async (name: string, text: string) => {
    const { token } = good(await enter({ name }, {}, site.key))
    const headers = { ...version, authorization: `Visitor ${token}` }
    good(
      await clinic.anonymous.post('/live-assist/visitor/messages', { clientId: randomUUID(), text }, { headers }),
      201,
    )
    return good(await clinic.anonymous.get('/live-assist/visitor/messages?after=0', { headers })).messages.at(-1)
  }
  expect(await replyTo('Мария', 'приветствие')).toMatchObject({ kind: 'robot', text: 'Здравствуйте, Мария!' })
  expect(await replyTo('Мария', 'адрес')).toMatchObject({ text: expect.stringContaining('сотруднику') })
  expect(await replyTo('', 'приветствие')).toMatchObject({ text: expect.stringContaining('сотруднику') })
})

it('a site is found only by its key, and the server generates the key', async () => {
  expect(key).toMatch(/^w_[\w-]{20,}$/)
  expect((await keeper.put(`/live-assist/domains/${idSite}`, { key: 'w_mine' })).status).toBe(422)
  expect((await keeper.post('/live-assist/domains', { name: 'https://clinic.ru/' })).status).toBe(422)
})
