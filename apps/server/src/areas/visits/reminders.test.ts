import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { good } from '#testing/good.ts'
import { type Caller, type Clinic, testApp } from '#testing/harness.ts'
import { outboxDue } from '#testing/outboxDue.ts'
import { addPerson } from '#testing/people.ts'
import { type SmsSimulator, startSmsSimulator } from '#testing/smsSimulator.ts'
import { dayAfter, worldOf } from './testing/world.ts'

let sms: SmsSimulator
let clinic: Clinic
let keeper: Caller
let worlds: ReturnType<typeof worldOf>

beforeAll(async () => {
  sms = await startSmsSimulator()
  clinic = await testApp({ env: { SMS_URL: sms.url }, prepare: (app) => addPerson(app, 'keeper', worldOf.rights) })
  keeper = clinic.as('keeper')
  await keeper.token()
  worlds = worldOf(clinic, keeper)
})
afterAll(async () => {
  await clinic.close()
  await sms.close()
})
beforeEach(async () => {
  sms.mood = 'delivers'
  await outboxDue(clinic.db)
})

/** Any time of the day, so that the tests pass whenever they run. */
const always = () => hours('00:00', '23:59')
const hours = (start: string, end: string) =>
  clinic.db.query({
    text: `insert into common_settings ("name", "value") values ('messageHours', $1::jsonb)
      on conflict ("name") do update set "value" = excluded."value"`,
    values: [JSON.stringify({ start, end })],
  })
const run = () => clinic.context.jobs.run('visits.reminders')

let serial = 0
/** A booked visit of a patient with an own phone, which begins in this many hours. */
async function visitIn(inHours: number, phone = `+7912555${String(++serial).padStart(4, '0')}`) {
  const world = await worlds.make()
  const idCustomer = good(await keeper.post('/customers', { surname: 'Звонков', name: 'Пётр', phone }), 201).id
  const { id } = good(await world.book('10:00', { idCustomer }), 201)
  const put = async (at: number) => {
    await clinic.db.query({
      text: `with m as (select date_trunc('minute', now()) + make_interval(mins => ($2::float8 * 60)::int) as at)
        update appointments set "dateFrom" = m.at, "dateTo" = m.at + interval '30 minutes', "dateCreate" = now() - interval '9 days',
          "localDate" = (m.at at time zone 'Europe/Moscow')::date, "localStart" = to_char(m.at at time zone 'Europe/Moscow', 'HH24:MI')
        from m where "id" = $1`,
      values: [id, at],
    })
  }
  await put(inHours)
  const sent = () => sms.messages.filter(({ to }) => to === phone)
  const read = async () => good(await keeper.get(`/appointments/${id}?expand=reminders`))
  return { id, phone, idFilial: world.idFilial, put, sent, read }
}
const reply = (from: string, text: string) => sms.replies.push({ number: sms.replies.length + 1, from, text })

describe('a reminder', () => {
  it('is sent a day and two hours before, each once, with any number of servers', async () => {
    await always()
    const [far, day, soon] = [await visitIn(30), await visitIn(20), await visitIn(1.5)]
    const second = await clinic.secondProcess()
    await Promise.all([run(), second.context.jobs.run('visits.reminders'), run()])
    await run()
    await second.close()
    expect([far.sent().length, day.sent().length, soon.sent().length]).toEqual([0, 1, 1])
    expect(day.sent()[0]?.text).toMatch(
      /^Ждём вас \d\d\.\d\d\.\d{4} в \d\d:\d\d.* Ответьте 1, если придёте, или 0, если нет\.$/,
    )
    expect((await day.read()).reminders).toMatchObject([{ kind: 'day', status: 'accepted' }])
    await day.put(1.9)
    await run()
    expect(day.sent()).toHaveLength(2)
  })

  it('and any other SMS shows its reply beside it in the thread', async () => {
    await always()
    const { id, phone, idFilial } = await visitIn(72 + 20)
    const { idCustomer } = good(await keeper.get(`/appointments/${id}`))
    await clinic.db.query({
      text: `insert into messages ("idCustomer", "idFilial", "event", "key", "phone", "channel", "status", "text", "dateSent")
        values ($1, $2, 'custom', $3, $4, 'sms', 'delivered', 'Скидка на осмотр', now())`,
      values: [idCustomer, idFilial, `asked-${id}`, phone],
    })
    reply(phone, 'Запишите меня')
    reply(phone, 'Завтра')
    await run()
    await run()
    const [kept] = await clinic.db.query<{ reply: string; hasReply: boolean }>({
      text: `select "reply", "dateReply" is not null as "hasReply" from messages where "key" = $1`,
      values: [`asked-${id}`],
    })
    expect(kept).toEqual({ reply: 'Запишите меня\nЗавтра', hasReply: true })
  })

  it('waits for the allowed hours', async () => {
    const visit = await visitIn(20)
    const now = new Date(Date.now() + 3 * 3_600_000).toISOString().slice(11, 16)
    // An hour range that excludes now.
    await hours(now < '12:00' ? '20:00' : '02:00', now < '12:00' ? '21:00' : '03:00')
    await run()
    expect(visit.sent()).toHaveLength(0)
    await always()
    await run()
    expect(visit.sent()).toHaveLength(1)
  })

  it('stores the reason of a refusal; without a reply the outcome is unknown, and the message is one', async () => {
    await always()
    const refused = await visitIn(20)
    sms.mood = 'refuses'
    await run()
    expect((await refused.read()).reminders).toMatchObject([{ status: 'failed', reason: 'Номер в чёрном списке' }])
    sms.mood = 'lost'
    const lost = await visitIn(20)
    await run()
    expect((await lost.read()).reminders).toMatchObject([{ status: 'queued', dateSent: null }])
    sms.mood = 'delivers'
    await outboxDue(clinic.db)
    await run()
    await run()
    expect([refused.sent().length, lost.sent().length]).toEqual([0, 1])
  })

  it('is not sent for a visit cancelled before', async () => {
    await always()
    const visit = await visitIn(20)
    sms.mood = 'broken'
    await run()
    good(await keeper.post(`/appointments/${visit.id}/status`, { status: 'cancelled', cancelReason: 'ill' }))
    sms.mood = 'delivers'
    await outboxDue(clinic.db)
    await run()
    expect(visit.sent()).toHaveLength(0)
    // The gateway has not answered: it may have gone.
    expect((await visit.read()).reminders).toMatchObject([{ status: 'unknown' }])
  })
})

describe('a reply', () => {
  it('«1» confirms all visits of the phone, once', async () => {
    await always()
    const one = await visitIn(20)
    const two = await visitIn(21, one.phone)
    await run()
    reply(one.phone.replace('+7', '8'), '1')
    await run()
    await run()
    for (const visit of [one, two])
      expect(await visit.read()).toMatchObject({
        visitStatus: 'confirmed',
        reminders: [{ reply: '1', meaning: 'confirm' }],
      })
  })

  it('any other text goes to the desk, and cancels nothing', async () => {
    await always()
    const visit = await visitIn(20)
    const { id: idUser } = await addPerson(clinic.context, `desk${serial}`, ['viewCalendar', 'editAppointments'])
    await worlds.post('filials/desks', { idFilial: visit.idFilial, idUser })
    await run()
    reply(visit.phone, 'да, но один')
    await run()
    expect(await visit.read()).toMatchObject({ visitStatus: 'booked', reminders: [{ meaning: 'other' }] })
    const { items } = good(await clinic.as(`desk${serial}`).get('/notifications?filter[kind]=visitReply.told'))
    expect(items).toMatchObject([{ title: 'Пациент ответил на напоминание', idEntity: visit.id }])
  })

  it('to an outdated time confirms nothing: a message announces the new time', async () => {
    await always()
    const visit = await visitIn(20)
    await run()
    await visit.put(40)
    reply(visit.phone, '1')
    await run()
    await run()
    expect((await visit.read()).visitStatus).toBe('booked')
    expect(visit.sent()).toHaveLength(2)
    reply(visit.phone, 'да')
    await run()
    expect((await visit.read()).visitStatus).toBe('confirmed')
    expect(visit.sent()).toHaveLength(2)
  })
})

it('sends no reminders for a distant day', async () => {
  await always()
  const world = await worlds.make()
  const { id } = good(await world.book('11:00', { localDate: dayAfter(30) }), 201)
  await run()
  expect(good(await keeper.get(`/appointments/${id}?expand=reminders`)).reminders).toEqual([])
})
