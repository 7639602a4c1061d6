/** Reminders by messenger, SMS and email: in the clinic's order, each once, with refusals and timeouts. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { good } from '#testing/good.ts'
import { type Caller, type Clinic, testApp } from '#testing/harness.ts'
import { type MailSimulator, startMailSimulator } from '#testing/mailSimulator.ts'
import { outboxDue } from '#testing/outboxDue.ts'
import { addPerson } from '#testing/people.ts'
import { type SmsSimulator, startSmsSimulator } from '#testing/smsSimulator.ts'
import { startTelegramSimulator, type TelegramSimulator, TOKEN } from '#testing/telegramSimulator.ts'
import { worldOf } from './testing/world.ts'

let sms: SmsSimulator
let mail: MailSimulator
let telegram: TelegramSimulator
let clinic: Clinic
let keeper: Caller
let worlds: ReturnType<typeof worldOf>
let webhookPath: string

beforeAll(async () => {
  ;[sms, mail, telegram] = await Promise.all([startSmsSimulator(), startMailSimulator(), startTelegramSimulator()])
  clinic = await testApp({
    env: {
      SMS_URL: sms.url,
      SMTP_URL: mail.url,
      MAIL_FROM: 'Клиника <clinic@clinic.test>',
      TELEGRAM_URL: telegram.url,
    },
    outbound: { allow: ['127.0.0.1'] },
    prepare: (app) =>
      addPerson(app, 'keeper', [
        ...worldOf.rights,
        'editLiveAssistDomainMap',
        'supportOperator',
        'displayTableLiveAssist',
      ]),
  })
  keeper = clinic.as('keeper')
  await keeper.token()
  worlds = worldOf(clinic, keeper)
  const channel = good(
    await keeper.post('/live-assist/channels', { name: 'Бот клиники', kind: 'telegram', token: TOKEN }),
    201,
  )
  good(await keeper.post(`/live-assist/channels/${channel.id}/connect`))
  webhookPath = (telegram.webhook?.url ?? '').replace('http://clinic.test', '')
  await hours('00:00', '23:59')
})
afterAll(async () => {
  await clinic.close()
  await Promise.all([sms.close(), mail.close(), telegram.close()])
})
beforeEach(async () => {
  await outboxDue(clinic.db)
  sms.mood = 'delivers'
  mail.answer = 'accept'
  telegram.mood = 'takes'
  await order('messenger', 'sms', 'email')
})

const order = async (...reminderChannels: string[]) => good(await keeper.put('/settings/common', { reminderChannels }))
const hours = async (start: string, end: string) =>
  good(await keeper.put('/settings/common', { messageHours: { start, end } }))
/** A run, its messages, and the run that reads their outcome. */
const run = async () => {
  await clinic.context.jobs.run('visits.reminders')
  await clinic.context.jobs.drain()
  await clinic.context.jobs.run('visits.reminders')
}
/** Ends the pause of postponed messages. */
const putOffIsOver = async () => {
  await clinic.db.query({ text: 'update messages set "dateDue" = now() where "dateDue" > now()' })
  await outboxDue(clinic.db)
}

let serial = 0
const update = (id: number, message: object) => ({
  update_id: ++serial + 5000,
  message: {
    message_id: ++serial + 5000,
    from: { id, is_bot: false, first_name: `Рустам ${id}` },
    chat: { id, type: 'private' },
    date: 1,
    ...message,
  },
})

/** A visit in twenty hours. */
async function visit(idCustomer: number) {
  const { book, idFilial } = await worlds.make()
  const { id } = good(await book('10:00', { idCustomer }), 201)
  await stands(id, '20 hours')
  return { id: id as number, idFilial }
}
/** Moves a visit and its announced time to this distance from now. */
async function stands(id: number, interval: string) {
  await clinic.db.query({
    text: `with m as (select date_trunc('minute', now()) + $2::interval as at), reminders as (
        update appointments_reminders r set "dateFrom" = m.at from m where r."idAppointment" = $1),
      about as (update messages g set "dateFrom" = m.at from m where g."idAppointment" = $1)
      update appointments set "dateFrom" = m.at, "dateTo" = m.at + interval '30 minutes', "dateCreate" = now() - interval '9 days',
        "localDate" = (m.at at time zone 'Europe/Moscow')::date, "localStart" = to_char(m.at at time zone 'Europe/Moscow', 'HH24:MI')
      from m where "id" = $1`,
    values: [id, interval],
  })
}

interface Reached {
  phone?: boolean
  email?: boolean
  chat?: boolean
}

/** A patient with a visit in twenty hours, and the messages received. */
async function patient({ phone = true, email = true, chat = true }: Reached = {}) {
  const mark = ++serial
  const to = { phone: `+7912777${String(mark).padStart(4, '0')}`, email: `p${mark}@patients.test`, id: 90_000 + mark }
  const idCustomer = good(
    await keeper.post('/customers', {
      surname: 'Почтов',
      name: 'Пётр',
      ...(phone && { phone: to.phone }),
      ...(email && { email: to.email }),
    }),
    201,
  ).id as number
  const says = async (text: string) => {
    const headers = { 'x-telegram-bot-api-secret-token': telegram.webhook?.secret ?? '' }
    good(await clinic.anonymous.post(webhookPath, update(to.id, { text }), { headers }))
    await clinic.context.jobs.drain()
  }
  let idChat = 0
  if (chat) {
    await says('Здравствуйте')
    const { items } = good(await keeper.get(`/live-assist?filter[name]=${encodeURIComponent(`Рустам ${to.id}`)}`))
    idChat = items[0].id
    good(await keeper.put(`/live-assist/${idChat}`, { idCustomer }))
  }
  const { id, idFilial } = await visit(idCustomer)
  const came = () => ({
    sms: sms.messages.filter((one) => one.to === to.phone).length,
    letters: mail.letters.filter((one) => one.to.includes(to.email)).length,
    telegram: telegram.outgoing.filter((one) => one.to === String(to.id) && one.text.includes('Ждём вас')).length,
  })
  const read = async () => good(await keeper.get(`/appointments/${id}?expand=reminders`))
  return { id, idCustomer, idChat, idFilial, says, came, read }
}

describe('a reminder', () => {
  it('uses the first channel of the order that reaches the patient, and no other', async () => {
    const [all, noChat, post] = [
      await patient(),
      await patient({ chat: false }),
      await patient({ chat: false, phone: false }),
    ]
    const nobody = await patient({ chat: false, phone: false, email: false })
    const second = await clinic.secondProcess()
    await Promise.all([run(), second.context.jobs.run('visits.reminders')])
    await second.close()
    await run()
    expect([all.came(), noChat.came(), post.came()]).toEqual([
      { sms: 0, letters: 0, telegram: 1 },
      { sms: 1, letters: 0, telegram: 0 },
      { sms: 0, letters: 1, telegram: 0 },
    ])
    expect((await all.read()).reminders).toMatchObject([{ channel: 'messenger', status: 'accepted' }])
    expect((await noChat.read()).reminders).toMatchObject([{ channel: 'sms', status: 'accepted' }])
    expect((await post.read()).reminders).toMatchObject([{ channel: 'email', status: 'accepted' }])
    expect((await nobody.read()).reminders).toEqual([])
    const reminders = (await keeper.get(`/appointments/${post.id}?expand=reminders`)).text
    expect(reminders).not.toContain('patients.test')
    await order('email', 'messenger')
    const other = await patient()
    await run()
    expect(other.came()).toEqual({ sms: 0, letters: 1, telegram: 0 })
    await order()
    const none = await patient()
    await run()
    expect((await none.read()).reminders).toEqual([])
  })

  it('uses no channel that the patient has refused', async () => {
    const [noChat, none] = [await patient(), await patient()]
    good(await keeper.put(`/customers/${noChat.idCustomer}`, { noMessenger: true }))
    good(await keeper.put(`/customers/${none.idCustomer}`, { noMessenger: true, noSms: true, noEmail: true }))
    const changed = await patient({ chat: false })
    await hours('00:00', '00:01')
    await clinic.context.jobs.run('visits.reminders')
    // The message waits for the allowed hours; meanwhile the patient refuses the channel.
    good(await keeper.put(`/customers/${changed.idCustomer}`, { noSms: true }))
    await hours('00:00', '23:59')
    await putOffIsOver()
    await run()
    expect([noChat.came(), none.came(), changed.came()]).toEqual([
      { sms: 1, letters: 0, telegram: 0 },
      { sms: 0, letters: 0, telegram: 0 },
      { sms: 0, letters: 1, telegram: 0 },
    ])
    expect((await none.read()).reminders).toEqual([])
  })

  it('falls back once when refused, and stores the reason if all channels refuse', async () => {
    telegram.mood = 'blocked'
    const one = await patient()
    await run()
    expect(one.came()).toEqual({ sms: 1, letters: 0, telegram: 0 })
    expect((await one.read()).reminders).toMatchObject([{ channel: 'sms', status: 'accepted', tried: ['messenger'] }])
    sms.mood = 'refuses'
    const two = await patient({ chat: false })
    await run()
    expect(two.came()).toEqual({ sms: 0, letters: 1, telegram: 0 })
    mail.answer = 'refuse for good'
    const three = await patient()
    await run()
    await run()
    expect(three.came()).toEqual({ sms: 0, letters: 0, telegram: 0 })
    expect((await three.read()).reminders).toMatchObject([
      { status: 'failed', tried: ['messenger', 'sms', 'email'], reason: 'Почта не приняла письмо' },
    ])
  })

  it('that may have been delivered is not sent by another channel; an unavailable mail server is retried', async () => {
    await order('email', 'sms')
    mail.answer = 'hang up'
    const lost = await patient()
    await run()
    await run()
    expect((await lost.read()).reminders).toMatchObject([{ channel: 'email', status: 'unknown' }])
    expect(lost.came()).toMatchObject({ sms: 0 })
    await order('sms', 'email')
    mail.answer = 'refuse for now'
    await putOffIsOver()
    const later = await patient({ phone: false })
    await run()
    expect((await later.read()).reminders).toMatchObject([{ status: 'queued', dateSent: null }])
    mail.answer = 'accept'
    await run()
    expect(later.came()).toMatchObject({ letters: 0 })
    await putOffIsOver()
    await run()
    await run()
    expect(later.came()).toEqual({ sms: 0, letters: 1, telegram: 0 })
  })

  it('that the gateway may have sent goes by no messenger; a silent gateway is soon skipped', async () => {
    await order('sms', 'messenger')
    sms.mood = 'lost'
    const one = await patient()
    await run()
    await order('messenger', 'sms')
    await run()
    expect(one.came()).toEqual({ sms: 1, letters: 0, telegram: 0 })
    sms.mood = 'delivers'
    await putOffIsOver()
    await run()
    expect((await one.read()).reminders).toMatchObject([{ channel: 'sms', status: 'accepted' }])
    const some = await Promise.all([1, 2, 3, 4, 5].map(() => patient({ chat: false, email: false })))
    const post = await patient({ chat: false, phone: false })
    sms.mood = 'lost'
    const before = sms.messages.length
    await order('sms', 'email')
    await clinic.context.jobs.run('visits.reminders')
    expect(sms.messages.length - before).toBeGreaterThan(0)
    const paused = `select "lane" from outbox_lanes where "datePaused" is not null`
    expect(await clinic.db.query({ text: paused })).toEqual([{ lane: 'sms' }])
    expect(post.came().letters).toBe(1)
    sms.mood = 'delivers'
    await putOffIsOver()
    await run()
    expect(some.map((each) => each.came().sms)).toEqual([1, 1, 1, 1, 1])
  })

  it('waits for the allowed hours on every channel', async () => {
    telegram.mood = 'blocked'
    const one = await patient()
    await clinic.context.jobs.run('visits.reminders')
    await clinic.context.jobs.drain()
    const now = new Date(Date.now() + 3 * 3_600_000).toISOString().slice(11, 16)
    await hours(now < '12:00' ? '20:00' : '02:00', now < '12:00' ? '21:00' : '03:00')
    await clinic.context.jobs.run('visits.reminders')
    expect(one.came()).toEqual({ sms: 0, letters: 0, telegram: 0 })
    await hours('00:00', '23:59')
    await putOffIsOver()
    await clinic.context.jobs.run('visits.reminders')
    expect(one.came()).toEqual({ sms: 1, letters: 0, telegram: 0 })
  })

  it('of a restricted card, or during a live chat with the patient, is not sent by chat', async () => {
    const [limited, talking] = [await patient(), await patient()]
    await clinic.db.query({
      text: `update customers set "secretLevel" = 'vip' where "id" = $1`,
      values: [limited.idCustomer],
    })
    good(await keeper.post(`/live-assist/${talking.idChat}/take`))
    await run()
    for (const one of [limited, talking]) expect(one.came()).toEqual({ sms: 1, letters: 0, telegram: 0 })
  })
})

describe('a reply in the chat', () => {
  it('«1» confirms the visit, once', async () => {
    const one = await patient()
    await run()
    await one.says('1')
    await run()
    await one.says('спасибо')
    await run()
    expect(await one.read()).toMatchObject({
      visitStatus: 'confirmed',
      reminders: [{ reply: '1', meaning: 'confirm' }],
    })
  })

  it('is not matched to a visit that is over', async () => {
    const one = await patient()
    await run()
    await stands(one.id, '-1 hours')
    await one.says('спасибо')
    const next = await visit(one.idCustomer)
    await run()
    await one.says('1')
    await run()
    expect(good(await keeper.get(`/appointments/${next.id}`)).visitStatus).toBe('confirmed')
    expect(await one.read()).toMatchObject({ visitStatus: 'booked', reminders: [{ reply: null }] })
  })

  it('counts for all reminders of the visit', async () => {
    const one = await patient()
    const login = `desk-of-chats${++serial}`
    const { id: idUser } = await addPerson(clinic.context, login, ['viewCalendar', 'editAppointments'])
    await worlds.post('filials/desks', { idFilial: one.idFilial, idUser })
    await run()
    await stands(one.id, '1 hours')
    await run()
    await one.says('0')
    await run()
    await run()
    expect((await one.read()).reminders).toMatchObject([
      { kind: 'day', meaning: 'decline' },
      { kind: 'hours', meaning: 'decline' },
    ])
    const { items } = good(await clinic.as(login).get('/notifications?filter[kind]=visitReply.told'))
    expect(items).toHaveLength(1)
  })

  it('any other text goes to the desk, and cancels nothing', async () => {
    const one = await patient()
    const login = `desk-of-chats${++serial}`
    const { id: idUser } = await addPerson(clinic.context, login, ['viewCalendar', 'editAppointments'])
    await worlds.post('filials/desks', { idFilial: one.idFilial, idUser })
    await run()
    await one.says('Не смогу, перенесите')
    await run()
    expect(await one.read()).toMatchObject({ visitStatus: 'booked', reminders: [{ meaning: 'other' }] })
    const { items } = good(await clinic.as(login).get('/notifications?filter[kind]=visitReply.told'))
    expect(items).toMatchObject([{ title: 'Пациент ответил на напоминание', idEntity: one.id }])
  })
})
