import { randomUUID } from 'node:crypto'
import { Appeal } from '@ordinator/model/areas/appeals/appeal'
import { runs } from '@ordinator/model/testing/runs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { systemActor } from '#records/actor.ts'
import { good } from '#testing/good.ts'
import type { Caller } from '#testing/harness.ts'
import {
  alina,
  begun,
  CONSULTED,
  clinic,
  enter,
  idAlina,
  idKirill,
  idOutsider,
  kirill,
  openChatClinic,
  outsider,
  reader,
  reply,
  view,
} from './testing/chatClinic.ts'

openChatClinic()

/** From the clinic's default outcomes. */
const BOOKED = 1

const SPAM = 8

describe('operators', () => {
  it('two answer first concurrently: one gets the chat, the other gets the name', async () => {
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
    const notes = good(await alina.get(`/live-assist/notes?filter[idLiveAssist]=${id}`)).items
    expect(notes).toMatchObject([{ text: 'Секретная заметка', seq: 2 }])
    expect((await kirill.delete(`/live-assist/notes/${notes[0].id}`)).status).toBe(403)
    expect((await reader.get('/live-assist/notes')).status).toBe(403)
    expect(good(await reader.get(`/live-assist/messages?filter[idLiveAssist]=${id}`)).items).toHaveLength(1)
    for (const path of ['', '/messages', '/notes', '/visitors', '/suggestions', '/counts'])
      expect((await outsider.get(`/live-assist${path}`)).status).toBe(403)
    expect((await outsider.post(`/live-assist/${id}/take`, {})).status).toBe(403)
    expect((await reader.post(`/live-assist/${id}/take`, {})).status).toBe(403)
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
  const noticesOf = async (who: Caller, kind: string) =>
    good(await who.get(`/notifications?filter[kind]=${kind}&filter[idEntity]=${id}&limit=9`)).items
  const mentions = [idKirill, idKirill, idAlina, idOutsider]
  const note = { idLiveAssist: id, text: '@Кирилл, посмотри полис', mentions }
  good(await alina.post('/live-assist/notes', note), 201)
  expect(await noticesOf(kirill, 'chat.mention')).toMatchObject([
    { title: expect.stringMatching(/^Вас упомянули в чате: Вера/), text: note.text, link: `/live-assist?chat=${id}` },
  ])
  expect(await noticesOf(alina, 'chat.mention')).toEqual([])
  expect(await noticesOf(outsider, 'chat.mention')).toEqual([])
  // The chat's operator is notified once, even if named too.
  good(await kirill.post('/live-assist/notes', { idLiveAssist: id, text: '@Алина, да', mentions: [idAlina] }), 201)
  expect(await noticesOf(alina, 'chat.mention')).toHaveLength(1)
  expect(await noticesOf(alina, 'chat.note')).toEqual([])
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
        const messages = good(await alina.get(`/live-assist/messages?filter[idLiveAssist]=${id}&limit=50`)).items
        expect(messages.filter(({ isRead }: { isRead: boolean }) => !isRead)).toHaveLength(numberOfUnreadMessages)
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
  const noticeCount = async (who: Caller) => good(await who.get('/notifications?limit=1&count=exact'))._meta.totalCount
  await clinic.db.query({
    text: 'update users set "isLiveAssist" = true where id = any($1)',
    values: [[idAlina, idKirill]],
  })
  good(await kirill.put('/user-settings/notifications', { sourceNamesLiveAssist: ['Telegram'] }))
  const before = [await noticeCount(alina), await noticeCount(kirill)]
  const { guest } = await begun()
  good(await guest.say('И ещё'), 201)
  expect([await noticeCount(alina), await noticeCount(kirill)]).toEqual([(before[0] ?? 0) + 1, before[1]])
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
