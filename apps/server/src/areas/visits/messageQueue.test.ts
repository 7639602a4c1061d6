/** Queue of messages to patients: one does not block others, and each is sent only while still valid. */
import type { MessageEvent } from '@ordinator/model/areas/messages/events'
import sql from 'sql-template-tag'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { good } from '#testing/good.ts'
import { type Caller, type Clinic, testApp } from '#testing/harness.ts'
import { type MailSimulator, startMailSimulator } from '#testing/mailSimulator.ts'
import { outboxDue } from '#testing/outboxDue.ts'
import { addPerson } from '#testing/people.ts'
import { type SmsSimulator, startSmsSimulator } from '#testing/smsSimulator.ts'
import { dayAfter, worldOf } from './testing/world.ts'

let sms: SmsSimulator
let mail: MailSimulator
let clinic: Clinic
let keeper: Caller
let worlds: ReturnType<typeof worldOf>

beforeAll(async () => {
  ;[sms, mail] = await Promise.all([startSmsSimulator(), startMailSimulator()])
  clinic = await testApp({
    env: { SMS_URL: sms.url, SMTP_URL: mail.url, MAIL_FROM: 'Клиника <clinic@clinic.test>' },
    prepare: async (app) => {
      await addPerson(app, 'clerk', ['viewCustomers', 'viewMessages', 'editMessageTemplates'])
      await addPerson(app, 'keeper', [...worldOf.rights, 'editMessageTemplates', 'viewMessages', 'sendMessages'])
    },
  })
  keeper = clinic.as('keeper')
  worlds = worldOf(clinic, keeper)
})
afterAll(async () => {
  await clinic.close()
  await Promise.all([sms.close(), mail.close()])
})
beforeEach(async () => {
  sms.mood = 'delivers'
  mail.answer = 'accept'
  await clinic.db.query(sql`delete from messages`)
  await clinic.db.query(sql`delete from outbox`)
  await outboxDue(clinic.db)
  await clinic.db.query(sql`update message_templates set "active" = false, "delayUnit" = 'minutes'`)
  await hours('00:00', '23:59')
})

const hours = async (start: string, end: string) =>
  good(await keeper.put('/settings/common', { messageHours: { start, end } }))
const collect = () => clinic.context.jobs.run('messages.collect')
const send = () => clinic.context.jobs.run('messages.send')
const template = async (event: MessageEvent, text: string, more: object = {}) =>
  good(await keeper.post('/message-templates', { name: event, event, text, active: true, ...more }), 201).id as number

let serial = 0
const phoneOf = () => `+7912777${String(++serial).padStart(4, '0')}`
const cameTo = (phone: string) => sms.messages.filter(({ to }) => to === phone).map(({ text }) => text)
async function patient(more: object = {}) {
  const phone = phoneOf()
  const { id } = good(await keeper.post('/customers', { surname: 'Вестов', name: 'Пётр', phone, ...more }), 201)
  const log = async () => good(await keeper.get(`/messages?filter[idCustomer]=${id}&sort=id`)).items
  return { id: id as number, phone, came: () => cameTo(phone), log }
}
const born = () => {
  const [year, month, day] = dayAfter(0).split('-')
  return `${day}.${month}.${Number(year) - 30}`
}
async function booked() {
  const who = await patient()
  const world = await worlds.make()
  const { id } = good(await world.book('10:00', { idCustomer: who.id }), 201)
  return { ...who, idVisit: id as number }
}
/** Queues a number of messages of today's birthday. */
const queue = (idCustomer: number, to: { phone?: string; email?: string; idFilial?: number }, count = 1) =>
  clinic.db.query(sql`insert into messages ("idCustomer", "event", "key", "phone", "email", "idFilial")
    select ${idCustomer}, 'birthday', ${`queue-${++serial}-`} || n, ${to.phone ?? null}, ${to.email ?? null},
      ${to.idFilial ?? null}::bigint from generate_series(1, ${count}) n`)

it("lets other messages pass a hundred that wait for their branch's hours, and shows the time of sending", async () => {
  await template('birthday', 'С праздником')
  const one = await patient({ birthday: born() })
  const [open, closed] = [await worlds.make({ shifts: false }), await worlds.make({ shifts: false })]
  const isMorning = new Date().getUTCHours() < 12
  const zone = (idFilial: number, timeZone: string) =>
    clinic.db.query(sql`update filials set "timeZone" = ${timeZone} where "id" = ${idFilial}`)
  await zone(open.idFilial, isMorning ? 'UTC' : 'Etc/GMT-12')
  await zone(closed.idFilial, isMorning ? 'Etc/GMT-12' : 'UTC')
  await hours('00:00', '11:59')
  await queue(one.id, { phone: phoneOf(), idFilial: closed.idFilial }, 100)
  await queue(one.id, { phone: one.phone, idFilial: open.idFilial })
  await send()
  expect(one.came()).toEqual(['С праздником'])
  expect(
    await clinic.db.one(sql`select count(*)::int as n, bool_and("dateDue" > now() and "dateDue" <= now() + interval '12 hours 1 minute') as due
      from messages where "status" = 'queued'`),
  ).toEqual({ n: 100, due: true })
})

it('pauses the mail server after temporary refusals, and retries later', async () => {
  await template('birthday', 'С праздником')
  const one = await patient({ birthday: born() })
  await queue(one.id, { email: 'a@b.test' }, 6)
  mail.answer = 'refuse for now'
  await send()
  await send()
  const count = (status: string) =>
    clinic.db.one(sql`select count(*)::int as n from messages where "status" = ${status}`)
  expect(await count('queued')).toEqual({ n: 6 })
  // The lane is paused after a pass without success; none is tried anew at once.
  expect(await clinic.db.query(sql`select "lane" from outbox_lanes where "datePaused" is not null`)).toEqual([
    { lane: 'mail.messages' },
  ])
  expect(await clinic.db.one(sql`select max("attempts")::int as most from outbox`)).toEqual({ most: 1 })
  mail.answer = 'accept'
  await outboxDue(clinic.db)
  await send()
  expect(await count('accepted')).toEqual({ n: 6 })
  expect(mail.letters.filter(({ to }) => to.includes('a@b.test'))).toHaveLength(6)
})

it('drops outdated messages, messages to deceased patients, and messages days late', async () => {
  await template('birthday', 'С праздником')
  const people = []
  for (let n = 0; n < 4; n++) people.push(await patient({ birthday: born() }))
  await collect()
  const [other, died, late, fine] = people as [
    (typeof people)[0],
    (typeof people)[0],
    (typeof people)[0],
    (typeof people)[0],
  ]
  await clinic.db.query(sql`update customers set "birthday" = "birthday" - 10 where "id" = ${other.id}`)
  await clinic.db.query(sql`update customers set "dateDeath" = current_date where "id" = ${died.id}`)
  await clinic.db.query(
    sql`update messages set "dateCreate" = now() - interval '3 days' where "idCustomer" = ${late.id}`,
  )
  await send()
  expect([other.came(), died.came(), late.came(), fine.came()]).toEqual([[], [], [], ['С праздником']])
  expect(await late.log()).toMatchObject([{ status: 'failed', reason: 'Писать об этом уже поздно' }])
  const [failed] = await died.log()
  good(await keeper.post(`/messages/${failed.id}/repeat`))
  await send()
  expect(died.came()).toEqual([])
})

it('goes to the number that the card has when it goes out, and to nobody when it has none', async () => {
  await template('birthday', 'С праздником')
  const [moved, gone, merged] = [
    await patient({ birthday: born() }),
    await patient({ birthday: born() }),
    await patient({ birthday: born() }),
  ]
  await collect()
  const now = phoneOf()
  good(await keeper.put(`/customers/${moved.id}`, { phone: now }))
  good(await keeper.put(`/customers/${gone.id}`, { phone: null }))
  good(await keeper.delete(`/customers/${merged.id}?sure=1`), 204)
  await send()
  expect([moved.came(), cameTo(now), gone.came(), merged.came()]).toEqual([[], ['С праздником'], [], []])
  expect(await moved.log()).toMatchObject([{ status: 'accepted' }])
  // Replies are matched by the number that it went to.
  expect(await clinic.db.query(sql`select "phone" from messages where "idCustomer" = ${moved.id}`)).toEqual([
    { phone: now },
  ])
  expect(await gone.log()).toMatchObject([{ status: 'failed', reason: 'Нечем написать' }])
})

it('changed or deleted meanwhile, a template speaks with its words of now, or not at all', async () => {
  const id = await template('birthday', 'Прежние слова')
  const [first, second] = [await patient({ birthday: born() }), await patient({ birthday: born() })]
  await collect()
  good(await keeper.put(`/message-templates/${id}`, { text: 'Новые слова' }))
  await clinic.db.query(sql`update messages set "dateDue" = now() + interval '1 day' where "idCustomer" = ${second.id}`)
  await send()
  expect(first.came()).toEqual(['Новые слова'])
  good(await keeper.delete(`/message-templates/${id}?sure=1`), 204)
  await clinic.db.query(sql`update messages set "dateDue" = null where "idCustomer" = ${second.id}`)
  await send()
  expect([second.came(), (await second.log())[0]?.status]).toEqual([[], 'failed'])
})

it('is sent to the chosen patients with one template, once a day, with the right', async () => {
  await template('custom', 'Другие слова', { name: 'Другое' })
  const words = await template('custom', '{имя}, мы переехали', { name: 'Переезд' })
  const [one, two, mute] = [await patient(), await patient({ name: 'Анна' }), await patient({ noSms: true })]
  const chosen = { customers: [one.id, two.id, two.id, mute.id, 999_999] }
  expect((await clinic.as('clerk').post(`/message-templates/${words}/send`, chosen)).status).toBe(403)
  const mail = async (id: number, body: object) => good(await keeper.post(`/message-templates/${id}/send`, body))
  const at = await Promise.all([mail(words, chosen), mail(words, chosen)])
  // Repeated or concurrent requests queue each message once.
  expect(at.reduce((sum, { queued }) => sum + queued, 0)).toBe(2)
  expect(at.map(({ unreached }) => unreached)).toEqual([2, 2])
  await send()
  await send()
  expect([one.came(), two.came(), mute.came()]).toEqual([['Пётр, мы переехали'], ['Анна, мы переехали'], []])
  expect(await mail(words, { customers: [one.id] })).toEqual({ queued: 0, already: 1, unreached: 0 })
  const [line] = await one.log()
  expect(line).toMatchObject({ event: 'custom', idTemplate: words, status: 'accepted', parts: 1 })
  expect(line.idAuthor).not.toBeNull()
})

it('has a price before it is sent: of the reachable people, by the longest name', async () => {
  good(await keeper.put('/settings/common', { smsPrice: 4.2 }))
  const letters = 64
  const words = await template('custom', `{имя}, ${'а'.repeat(letters)}`, { name: 'Цена', channel: 'sms' })
  const [short, long, mute] = [
    await patient({ name: 'Ян' }),
    await patient({ name: 'Константин' }),
    await patient({ name: 'Максимилиан', noSms: true }),
  ]
  const estimate = async (...who: { id: number }[]) =>
    good(await keeper.post(`/message-templates/${words}/estimate`, { customers: who.map(({ id }) => id) }))
  expect(await estimate(short, mute)).toEqual({ people: 1, parts: 1, cost: 4.2 })
  expect(await estimate(short, long, mute)).toEqual({ people: 2, parts: 2, cost: 16.8 })
  expect(await estimate(mute)).toMatchObject({ people: 0, cost: 0 })
  good(await keeper.put('/settings/common', { smsPrice: 0 }))
})

it('sends advertising only with consent, and nothing with a disabled template or one of another event', async () => {
  const who = await patient()
  const send = (id: number) => keeper.post(`/message-templates/${id}/send`, { customers: [who.id] })
  const ad = await template('custom', 'Скидка', { name: 'Реклама', advertising: true })
  expect(good(await send(ad))).toEqual({ queued: 0, already: 0, unreached: 1 })
  const off = await template('custom', 'Пока нет', { name: 'Выключен', active: false })
  const other = await template('birthday', 'С праздником')
  for (const id of [off, other]) {
    const { status, body } = await send(id)
    expect([status, body.code]).toEqual([409, 'template'])
  }
})

it("is resent to the card's current phone", async () => {
  await template('birthday', 'С праздником')
  const one = await patient({ birthday: born() })
  sms.mood = 'refuses'
  await collect()
  await send()
  const phone = phoneOf()
  await clinic.db.query(sql`update customers set "phone" = ${phone} where "id" = ${one.id}`)
  sms.mood = 'delivers'
  const [failed] = await one.log()
  good(await keeper.post(`/messages/${failed.id}/repeat`))
  await send()
  expect([one.came(), cameTo(phone)]).toEqual([[], ['С праздником']])
})

it('announces one event in several steps, each with its own template and once', async () => {
  const ids = [
    await template('booking', 'Сразу'),
    await template('booking', 'Через час', { delay: 1, delayUnit: 'hours' }),
  ]
  const one = await booked()
  await collect()
  await send()
  expect(one.came()).toEqual(['Сразу'])
  await clinic.db.query(sql`update message_templates set "dateActive" = now() - interval '1 day' where "active"`)
  await clinic.db.query(
    sql`update appointments set "dateCreate" = now() - interval '2 hours' where "id" = ${one.idVisit}`,
  )
  for (let n = 0; n < 2; n++) {
    await collect()
    await send()
  }
  expect(one.came()).toEqual(['Сразу', 'Через час'])
  expect((await one.log()).map(({ idTemplate }: { idTemplate: number }) => idTemplate)).toEqual(ids)
})

it('makes no message from a messenger template for a patient with only a phone', async () => {
  await template('booking', 'В Telegram', { channel: 'tg' })
  const one = await booked()
  await collect()
  expect(await one.log()).toEqual([])
})

it('continues with the other templates when one fails', async () => {
  const broken = await template('booking', 'Сломан')
  await clinic.db.query(sql`update message_templates set "delayUnit" = 'nonsense' where "id" = ${broken}`)
  await template('birthday', 'С праздником')
  const one = await patient({ birthday: born() })
  await collect().catch(() => {})
  await send()
  expect(one.came()).toEqual(['С праздником'])
})

it('does not resend by another channel a message that may have gone as SMS', async () => {
  await template('birthday', 'Письмо', { channel: 'email' })
  const one = await patient({ birthday: born() })
  const words = await template('birthday', 'С праздником', { channel: 'sms' })
  await queue(one.id, { phone: one.phone, email: 'twice@clinic.test' })
  sms.mood = 'lost'
  await send()
  expect(await one.log()).toMatchObject([{ status: 'queued', channel: 'sms' }])
  good(await keeper.put(`/message-templates/${words}`, { active: false }))
  good(await keeper.put(`/customers/${one.id}`, { noSms: true }))
  await outboxDue(clinic.db)
  sms.mood = 'delivers'
  await send()
  expect(await one.log()).toMatchObject([{ status: 'accepted', channel: 'sms' }])
  expect(one.came()).toEqual(['С праздником'])
  expect(mail.letters.filter(({ to }) => to.includes('twice@clinic.test'))).toEqual([])
})

it('outdated after it may have gone is unknown, and left to a person, who may send it again', async () => {
  await template('birthday', 'С праздником')
  const one = await patient({ birthday: born() })
  await queue(one.id, { phone: one.phone })
  sms.mood = 'lost'
  await send()
  await clinic.db.query(sql`update customers set "birthday" = "birthday" - 10 where "id" = ${one.id}`)
  await outboxDue(clinic.db)
  await send()
  const [row] = await one.log()
  expect(row).toMatchObject({ status: 'unknown', channel: 'sms' })
  const states = () => clinic.db.query(sql`select "state" from outbox order by "id"`)
  expect(await states()).toEqual([{ state: 'unknown' }])
  // No call was made: the others go on at once.
  expect(await clinic.db.query(sql`select 1 from outbox_lanes where "lane" = 'sms'`)).toEqual([])
  await clinic.db.query(sql`update customers set "birthday" = "birthday" + 10 where "id" = ${one.id}`)
  sms.mood = 'delivers'
  good(await keeper.post(`/messages/${row.id}/repeat`))
  await send()
  expect(await one.log()).toMatchObject([{ status: 'accepted', repeats: 1 }])
  expect(await states()).toEqual([])
})

it('is sent again from the journal only by its last channel', async () => {
  await template('birthday', 'С праздником')
  const one = await patient({ birthday: born() })
  await queue(one.id, { phone: one.phone, email: 'next@clinic.test' })
  sms.mood = 'refuses'
  mail.answer = 'refuse for good'
  await send()
  expect(await one.log()).toMatchObject([{ status: 'failed', tried: ['sms', 'email'] }])
  const lines = await clinic.db.query<{ id: number; adapter: string; status: string }>(sql`
    select "id"::int as id, "adapter", "status" from exchange_messages where "entityType" = 'messages' order by "id" desc limit 2`)
  expect(lines).toMatchObject([
    { adapter: 'mail', status: 'rejected' },
    { adapter: 'sms', status: 'rejected' },
  ])
  const [byMail, bySms] = lines.map(({ id }) => id) as [number, number]
  sms.mood = 'delivers'
  mail.answer = 'accept'
  expect(await clinic.context.outbox.repeat([bySms])).toBe(0)
  expect(await clinic.context.outbox.repeat([byMail])).toBe(1)
  await send()
  expect(await one.log()).toMatchObject([{ status: 'accepted', channel: 'email' }])
  expect(one.came()).toEqual([])
})

it('after a killed server sends once by SMS, and leaves a mail to a person if it may have gone', async () => {
  await template('birthday', 'С праздником')
  const one = await patient({ birthday: born() })
  const unread = (way: string) => `kill-${way}@clinic.test`
  await queue(one.id, { phone: one.phone })
  await queue(one.id, { email: unread('before') })
  await queue(one.id, { email: unread('after') })
  const lanes = sql`values ('sms', now() + interval '1 hour', 1), ('mail.messages', now() + interval '1 hour', 1)`
  await clinic.db.query(sql`insert into outbox_lanes ("lane", "datePaused", "failures") ${lanes}`)
  await send()
  // The state left by a server killed while it was sending: the second mail was not yet given to the mail server.
  await clinic.db.query(sql`update outbox o set "state" = 'claimed', "claim" = gen_random_uuid(),
    "dateDue" = now() - interval '1 second', "memo" = case when m."email" is distinct from ${unread('before')}
      then jsonb_build_object('gateway', null, 'attempts', 0) end
    from messages m where m."id" = (o."payload" ->> 'id')::bigint`)
  const sent = await clinic.db.one<{ key: string }>(sql`select "key" from messages where "phone" = ${one.phone}`)
  sms.messages.push({
    id: 'sms-killed',
    key: sent?.key ?? '',
    to: one.phone,
    text: 'С праздником',
    status: 'delivered',
  })
  await clinic.db.query(sql`delete from outbox_lanes`)
  await send()
  expect((await one.log()).map(({ status }: { status: string }) => status)).toEqual(['accepted', 'accepted', 'unknown'])
  const letters = (to: string) => mail.letters.filter((letter) => letter.to.includes(to)).length
  expect([letters(unread('before')), letters(unread('after'))]).toEqual([1, 0])
  expect(await clinic.db.query(sql`select "state" from outbox`)).toEqual([{ state: 'unknown' }])
})

it('a payment message contains the sum of real money, and is not sent without any', async () => {
  await template('payment', 'Получено {сумма}')
  const [gave, advance] = [await patient(), await patient()]
  await clinic.db.tx(async (tx) => {
    await tx.query(sql`set local session_replication_role = replica`)
    for (const [who, card] of [
      [gave, 300],
      [advance, 0],
    ] as const) {
      const made = await tx.one<{
        id: number
      }>(sql`insert into payments ("kind", "idStatus", "idCustomer", "idOrganization",
        "idDesk", "localDate", "sum", "idAuthor") values ('payment', 2, ${who.id}, 1, 1, current_date, 1000, 1) returning "id"`)
      await tx.query(sql`insert into payments_parts ("idPayment", "method", "sum")
        values (${made?.id}, 'advance', ${1000 - card}), (${made?.id}, 'card', ${card})`)
    }
  })
  await collect()
  await send()
  expect([gave.came(), advance.came()]).toEqual([[expect.stringMatching(/^Получено 300,00\s₽$/)], []])
})
