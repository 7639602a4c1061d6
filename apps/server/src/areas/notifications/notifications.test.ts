import sql from 'sql-template-tag'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createMailer } from '#platform/mail.ts'
import { systemActor } from '#records/actor.ts'
import { good } from '#testing/good.ts'
import { type Caller, type Clinic, testApp } from '#testing/harness.ts'
import { type MailSimulator, startMailSimulator } from '#testing/mailSimulator.ts'
import { addPerson } from '#testing/people.ts'
import { type Notice, notify } from './index.ts'

let mail: MailSimulator
let clinic: Clinic
const ids: Record<string, number> = {}
const callers: Record<string, Caller> = {}

beforeAll(async () => {
  mail = await startMailSimulator()
  clinic = await testApp({
    env: { SMTP_URL: mail.url, MAIL_FROM: 'Клиника <clinic@clinic.test>' },
    async prepare(app) {
      for (const login of ['anna', 'boris', 'vera', 'gleb']) {
        ids[login] = (await addPerson(app, login, [], { email: `${login}@clinic.test` })).id
      }
    },
  })
  for (const login of Object.keys(ids)) callers[login] = clinic.as(login)
})
afterAll(async () => {
  await clinic.close()
  await mail.close()
})

const as = (login: string) => callers[login] as Caller
const id = (login: string) => ids[login] as number
const send = (logins: string[], notice: Partial<Notice> = {}) =>
  clinic.context.engine.for(systemActor).tx((records, tx) =>
    notify({ actor: systemActor, tx, records }, logins.map(id), {
      kind: 'task.comment',
      title: 'Пациент Иванов',
      ...notice,
    }),
  )
const listOf = async (login: string) => (await as(login).get('/notifications?count=1')).body
const settings = (login: string, patch: object) => as(login).put('/user-settings/notifications', patch)
const usual = { tasks: true, tasksMy: false, deals: true, regulations: true, news: true }
const clear = () => clinic.db.query(sql`delete from notifications`)

describe('the centre', () => {
  it('shows each once, newest first, and not to the author', async () => {
    await clear()
    await send(['anna', 'anna', 'boris'], { title: 'Первое' })
    const actor = { ...systemActor, id: id('boris') }
    await clinic.context.engine.for(actor).tx((records, tx) =>
      notify({ actor, tx, records }, [id('anna'), id('boris')], {
        kind: 'task.comment',
        title: 'Второе',
        link: '/tasks',
      }),
    )
    const { items } = await listOf('anna')
    expect(items.map((one: { title: string }) => one.title)).toEqual(['Второе', 'Первое'])
    expect(items[0]).toMatchObject({ idActor: id('boris'), link: '/tasks', dateRead: null })
    expect((await listOf('boris')).items).toHaveLength(1)
    expect((await listOf('vera')).items).toEqual([])
  })

  it.each<[string, object, string, boolean, boolean]>([
    ['nothing set', {}, 'task.assigned', true, true],
    ['tasks off', { tasks: false }, 'task.assigned', false, false],
    ['only my tasks', { tasksMy: true }, 'task.mention', true, false],
    ['tasks off and only mine', { tasks: false, tasksMy: true }, 'task.comment', false, false],
    ['deals off', { deals: false }, 'lead.remind', false, false],
    ['regulations off', { regulations: false }, 'regulation.read', false, false],
    ['news off', { news: false }, 'news.remind', false, false],
    ['the others off', { tasks: false, regulations: false, news: false }, 'lead.remind', true, true],
    ['of what has no switch', { tasks: false, tasksMy: true }, 'board.joined', true, true],
  ])("%s: notifies of own and watched records by the user's switches", async (_, patch, kind, own, watched) => {
    await clear()
    await settings('anna', { ...usual, ...patch })
    await send(['anna'], { kind, title: 'своя' })
    await send(['anna', 'boris'], { kind, title: 'чужая', own: [id('boris')] })
    const titles = (await listOf('anna')).items.map((one: { title: string }) => one.title)
    expect(titles.includes('своя')).toBe(own)
    expect(titles.includes('чужая')).toBe(watched)
    expect((await listOf('boris')).items).toHaveLength(1)
    await settings('anna', usual)
  })

  it('notifies everyone, even if the settings of one are invalid', async () => {
    await clear()
    await settings('vera', { tasks: true })
    const poison = (value: string) =>
      clinic.db.query(sql`update user_settings set "value" = ${value}::jsonb
        where "name" = 'notifications' and "idUser" = ${id('vera')}`)
    await poison('{"tasks":"boom","sendToEmail":"boom"}')
    await send(['vera', 'boris'])
    for (const login of ['vera', 'boris']) expect((await listOf(login)).items).toHaveLength(1)
    await clinic.context.jobs.run('notifications.mail')
    await poison('{}')
  })

  it('is read one by one, all at once, and deleted; by its recipient only', async () => {
    await clear()
    for (const title of ['а', 'б', 'в']) await send(['anna', 'boris'], { title })
    const [first, second] = (await listOf('anna')).items
    expect((await as('boris').put(`/notifications/${first.id}`, { dateRead: new Date().toISOString() })).status).toBe(
      404,
    )
    expect((await as('anna').put(`/notifications/${first.id}`, { title: 'х' })).status).toBe(422)
    expect((await as('anna').put(`/notifications/${first.id}`, { dateRead: new Date().toISOString() })).status).toBe(
      200,
    )
    expect((await as('anna').delete(`/notifications/${second.id}`)).status).toBe(204)
    expect((await as('anna').post('/notifications/read-all')).body).toEqual({ read: 1 })
    expect((await as('anna').get('/notifications?filter[dateRead][null]=1&count=1')).body._meta.totalCount).toBe(0)
    expect((await as('boris').get('/notifications?filter[dateRead][null]=1&count=1')).body._meta.totalCount).toBe(3)
    expect((await as('anna').post('/notifications', { title: 'х', kind: 'х' })).status).toBe(403)
    expect((await clinic.anonymous.post('/notifications/read-all')).status).toBe(401)
  })
})

describe('mails', () => {
  /** Queues and sends what is due; pauses and retry delays are over. */
  const run = async ({ context, db } = clinic) => {
    await context.jobs.run('notifications.mail')
    await db.query(sql`update outbox set "dateDue" = now() where "state" = 'waiting'`)
    await db.query(sql`delete from outbox_lanes`)
    await context.outbox.run('mail.unread')
  }
  /** Moves the notices this many minutes back. */
  const age = (minutes: number) =>
    clinic.db.query(sql`update notifications set "dateCreate" = now() - make_interval(mins => ${minutes})`)
  const later = () => clinic.db.query(sql`update notifications set "dateMailed" = "dateMailed" - interval '10 minutes'`)
  const begin = async () => {
    await clear()
    mail.letters.length = 0
    mail.answer = 'accept'
    await settings('anna', { sendToEmail: true })
  }

  it('collect unread notices after five minutes, once, for those who want them', async () => {
    await begin()
    for (const title of ['Пациент Иванов', 'Сдать <отчёт>'])
      await send(['anna', 'boris'], { title, link: '/tasks?board=1' })
    await run()
    expect(mail.letters).toEqual([])
    await age(6)
    const [read] = (await listOf('anna')).items
    await send(['anna'], { title: 'Ещё одно' })
    await clinic.db.query(sql`update notifications set "dateCreate" = now() - interval '6 minutes'`)
    await as('anna').put(`/notifications/${read.id}`, { dateRead: new Date().toISOString() })
    const second = await clinic.secondProcess()
    try {
      await Promise.all([run(), run(second), run()])
    } finally {
      await second.close()
    }
    await run()
    expect(mail.letters.map((letter) => letter.to)).toEqual([['anna@clinic.test']])
    const { text } = mail.letters[0] as { text: string }
    const subject = decodeHeader(/^Subject: (.*(?:\r\n .*)*)/m.exec(text)?.[1] ?? '')
    expect(subject).toBe('Ординатор: 2 новых уведомления')
    const body = decodeBody(text)
    expect(body).toContain('Пациент Иванов')
    expect(body).toContain('http://clinic.test/app/tasks?board=1')
    expect(body).toContain('Ещё одно')
    expect(body).not.toContain('Сдать')
  })

  it('are limited to one in five minutes', async () => {
    await begin()
    await send(['anna'], { title: 'раз' })
    await age(6)
    await run()
    await send(['anna'], { title: 'два' })
    await age(6)
    await run()
    expect(mail.letters).toHaveLength(1)
    await later()
    await run()
    expect(mail.letters).toHaveLength(2)
    expect(decodeBody(mail.letters[1]?.text as string)).not.toContain('раз')
  })

  it('are retried after a temporary refusal, and not after a permanent one', async () => {
    await begin()
    await send(['anna'])
    await age(6)
    mail.answer = 'refuse for now'
    await run()
    await run()
    expect(mail.letters).toEqual([])
    mail.answer = 'accept'
    await run()
    expect(mail.letters).toHaveLength(1)

    await begin()
    await send(['anna'])
    await age(6)
    mail.answer = 'refuse for good'
    await run()
    mail.answer = 'accept'
    await later()
    await run()
    expect(mail.letters).toEqual([])
  })

  it('are not repeated if they may have been sent, and the next notice has a mail of its own', async () => {
    await begin()
    await send(['anna'], { title: 'раз' })
    await age(6)
    mail.answer = 'hang up'
    await run()
    mail.answer = 'accept'
    await run()
    await later()
    await run()
    expect(mail.letters).toEqual([])
    await send(['anna'], { title: 'два' })
    await age(6)
    await run()
    expect(mail.letters).toHaveLength(1)
    expect(decodeBody(mail.letters[0]?.text as string)).not.toContain('раз')
  })

  it('that wait for the mail server list what is unread when it accepts them', async () => {
    await begin()
    await send(['anna'], { title: 'раз' })
    await age(6)
    mail.answer = 'refuse for now'
    await run()
    good(await as('anna').post('/notifications/read-all'))
    await send(['anna'], { title: 'два' })
    await age(6)
    mail.answer = 'accept'
    await run()
    expect(mail.letters).toHaveLength(1)
    expect(decodeBody(mail.letters[0]?.text as string)).not.toContain('раз')
    await send(['anna'], { title: 'три' })
    await age(6)
    mail.answer = 'refuse for now'
    await later()
    await run()
    good(await as('anna').post('/notifications/read-all'))
    mail.answer = 'accept'
    await run()
    expect(mail.letters).toHaveLength(1)
  })

  it('are disabled without a mail server, and the profile shows it', async () => {
    expect((await as('anna').get('/notifications/channels')).body).toEqual({ mail: true })
    const bare = await testApp({ prepare: (app) => addPerson(app, 'anna') })
    try {
      expect((await bare.as('anna').get('/notifications/channels')).body).toEqual({ mail: false })
      const before = mail.letters.length
      await bare.context.jobs.run('notifications.mail')
      expect(mail.letters).toHaveLength(before)
    } finally {
      await bare.close()
    }
  })
})

describe('a mail server', () => {
  const letter = { to: 'a@b.test', subject: 'С', text: 'т', html: '<p>т</p>' }
  const outcome = async (url: string) =>
    (await createMailer({ url, from: 'x@y.test', timeout: 300 }).send(letter)).outcome

  it('silent after receiving the mail may have accepted it', async () => {
    const silent = await startMailSimulator()
    silent.answer = 'silent'
    expect(await outcome(silent.url)).toBe('unknown')
  })

  it('unreachable, missing, or with another password gets it later', async () => {
    const deaf = await startMailSimulator({ onConnect: () => {} })
    const picky = await startMailSimulator({
      authOptional: false,
      allowInsecureAuth: true,
      onAuth: (_auth, _session, done) => done(new Error('no')),
    })
    const gone = await startMailSimulator()
    await gone.close()
    expect(await outcome(deaf.url)).toBe('later')
    expect(await outcome(gone.url)).toBe('later')
    expect(await outcome(picky.url.replace('//', '//me:wrong@'))).toBe('later')
    await picky.close()
  })
})

const decodeHeader = (value: string): string =>
  value
    .split(/\r\n /)
    .map((part) =>
      part.replace(/=\?UTF-8\?(B|Q)\?(.*?)\?=/gi, (_, kind: string, coded: string) =>
        kind.toUpperCase() === 'B' ? Buffer.from(coded, 'base64').toString() : decodeQuoted(coded.replaceAll('_', ' ')),
      ),
    )
    .join('')

const decodeQuoted = (text: string): string =>
  Buffer.from(
    text
      .replace(/=\r?\n/g, '')
      .replace(/=([0-9A-F]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    'latin1',
  ).toString()

const decodeBody = (text: string): string =>
  text
    .split(/\r\n--.*?\r\n/)
    .map((part) => {
      const [head = '', ...body] = part.split('\r\n\r\n')
      const content = body.join('\r\n\r\n')
      return /base64/i.test(head) ? Buffer.from(content, 'base64').toString() : decodeQuoted(content)
    })
    .join('\n')
