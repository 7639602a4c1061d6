/** Messages to patients about events: each once, by the clinic's templates, through the patient's channels. */
import type { MessageEvent } from '@ordinator/model/areas/messages/events'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { good } from '#testing/good.ts'
import { type Caller, type Clinic, testApp } from '#testing/harness.ts'
import { type MailSimulator, startMailSimulator } from '#testing/mailSimulator.ts'
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
      await addPerson(app, 'keeper', [
        ...worldOf.rights,
        'editPastAppointments',
        'editMessageTemplates',
        'viewMessages',
        'sendMessages',
      ])
      await addPerson(app, 'reader', ['viewMessages', 'viewCustomers'])
      await addPerson(app, 'stranger', ['viewCustomers'])
    },
  })
  keeper = clinic.as('keeper')
  await keeper.token()
  worlds = worldOf(clinic, keeper)
  good(await keeper.put('/settings/common', { messageHours: { start: '00:00', end: '23:59' }, smsPrice: 4.2 }))
})
afterAll(async () => {
  await clinic.close()
  await Promise.all([sms.close(), mail.close()])
})
beforeEach(async () => {
  sms.mood = 'delivers'
  await clinic.db.query({ text: `update message_templates set "active" = false`, values: [] })
})

const run = async () => {
  for (const job of ['messages.collect', 'messages.send']) await clinic.context.jobs.run(job)
}
const template = async (event: MessageEvent, text: string, more: object = {}) =>
  good(await keeper.post('/message-templates', { name: event, event, text, active: true, ...more }), 201)

let serial = 0
const phoneOf = () => `+7912444${String(++serial).padStart(4, '0')}`
/** A patient with a phone, and the messages received. */
async function patient(more: object = {}) {
  const phone = phoneOf()
  const { id } = good(await keeper.post('/customers', { surname: 'Вестов', name: 'Пётр', phone, ...more }), 201)
  const came = () => sms.messages.filter(({ to }) => to === phone).map(({ text }) => text)
  const log = async () => good(await keeper.get(`/messages?filter[idCustomer]=${id}&sort=id`)).items
  return { id: id as number, phone, came, log }
}
async function booked() {
  const who = await patient()
  const world = await worlds.make()
  const { id } = good(await world.book('10:00', { idCustomer: who.id }), 201)
  return { ...who, idVisit: id as number, world }
}

/** A visit of today at any hour: past times may be booked. */
async function visitOfToday() {
  const who = await patient()
  const world = await worlds.make({ shifts: false })
  const localDate = dayAfter(0)
  await worlds.shift(world.idDoctors[0] as number, world.idFilial, { localDate, localFrom: '00:00', localTo: '24:00' })
  const { id } = good(await world.book('12:00', { idCustomer: who.id, localDate }), 201)
  return { ...who, idVisit: id as number }
}

describe('a template', () => {
  it('is validated when saved', async () => {
    const wrong = async (body: object, field: string, message: RegExp) => {
      const errors = good(
        await keeper.post('/message-templates', { name: 'Ш', event: 'booking', text: 'Т', ...body }),
        422,
      )
      expect(errors).toEqual([{ field, message: expect.stringMatching(message) }])
    }
    await wrong({ text: 'Ждём {дат}' }, 'text', /может быть, \{дата\}/)
    await wrong({ event: 'birthday', text: '{дата}' }, 'text', /нет \{дата\}/)
    await wrong({ event: 'birthday', delay: 5 }, 'delay', /своё время/)
    expect((await clinic.as('reader').get('/message-templates')).status).toBe(403)
  })

  it('is previewed with a visit whose card the user can see', async () => {
    const { idVisit } = await booked()
    const body = { event: 'booking', text: '{имя}, ждём {дата} в {время}[, {врач}]', idAppointment: idVisit }
    const preview = good(await keeper.post('/message-templates/preview', body))
    expect(preview.text).toMatch(/^Пётр, ждём \d\d\.\d\d\.\d{4} в 10:00, Врачёв/)
    expect(preview.cost).toBe(4.2)
    // Each part of a long SMS costs.
    expect(good(await keeper.post('/message-templates/preview', { ...body, text: 'я'.repeat(71) })).cost).toBe(8.4)
    const outsider = `words${++serial}`
    await addPerson(clinic.context, outsider, ['editMessageTemplates'])
    expect((await clinic.as(outsider).post('/message-templates/preview', body)).status).toBe(403)
  })

  it('is test-sent only to the own phone and mailbox', async () => {
    await clinic.db.query({
      text: `update users set "phone" = '+79120000001', "email" = 'keeper@clinic.test' where "login" = 'keeper'`,
      values: [],
    })
    const body = { event: 'birthday', text: 'С днём рождения, {имя}!' }
    expect(good(await keeper.post('/message-templates/test', { ...body, channel: 'sms' }))).toMatchObject({
      isUnknown: false,
    })
    expect(sms.messages.at(-1)).toMatchObject({ to: '+79120000001', text: 'С днём рождения, Анна!' })
    sms.mood = 'refuses'
    good(await keeper.post('/message-templates/test', { ...body, channel: 'sms' }), 422)
    good(await keeper.post('/message-templates/test', { ...body, channel: 'email' }))
    expect(mail.letters.at(-1)?.to.join()).toContain('keeper@clinic.test')
  })
})

describe('a visit event', () => {
  it('is announced once, also by two servers, and only since the template is enabled', async () => {
    const before = await booked()
    await template('booking', `Вы записаны на {дата} в {время}, {врач}. ${'Ждём вас! '.repeat(6)}`)
    const one = await booked()
    const second = await clinic.secondProcess()
    await Promise.all([run(), second.context.jobs.run('messages.collect'), run()])
    await Promise.all([run(), second.context.jobs.run('messages.send')])
    await second.close()
    expect([before.came().length, one.came().length]).toEqual([0, 1])
    expect(await one.log()).toMatchObject([
      { event: 'booking', channel: 'sms', status: 'accepted', parts: 2, cost: 8.4, idAppointment: one.idVisit },
    ])
    await clinic.context.jobs.run('messages.fates')
    expect(await one.log()).toMatchObject([{ status: 'delivered', dateDelivered: expect.any(String) }])
  })

  it('waits for the delay of the template', async () => {
    await template('booking', 'Вы записаны', { delay: 2, delayUnit: 'hours' })
    const one = await booked()
    await run()
    expect(one.came()).toEqual([])
    await clinic.db.query({
      text: `update message_templates set "dateActive" = now() - interval '1 day' where "active"`,
      values: [],
    })
    await clinic.db.query({
      text: `update appointments set "dateCreate" = now() - interval '3 hours' where "id" = $1`,
      values: [one.idVisit],
    })
    await run()
    expect(one.came()).toEqual(['Вы записаны'])
  })

  it('when moved, cancelled or over, uses the matching template', async () => {
    await template('changed', 'Перенесён на {время}')
    await template('cancelled', 'Отменён')
    await template('review', 'Как прошло?')
    const moved = await booked()
    good(
      await keeper.post(`/appointments/${moved.idVisit}/move`, {
        localDate: dayAfter(30),
        localStart: '11:00',
      }),
    )
    const gone = await booked()
    good(await keeper.post(`/appointments/${gone.idVisit}/status`, { status: 'cancelled', cancelReason: 'ill' }))
    const over = await visitOfToday()
    for (const status of ['arrived', 'inProgress', 'completed'])
      good(await keeper.post(`/appointments/${over.idVisit}/status`, { status }))
    await run()
    await run()
    expect([moved.came(), gone.came(), over.came()]).toEqual([['Перенесён на 11:00'], ['Отменён'], ['Как прошло?']])
  })

  it('of another branch or service uses another template, or none', async () => {
    const one = await booked()
    const { idFilial, idService } = one.world
    await clinic.db.query({ text: `delete from messages where "idCustomer" = $1`, values: [one.id] })
    await template('booking', 'Общие слова', { services: [idService] })
    await template('booking', 'Слова филиала', { filials: [idFilial], services: [idService] })
    const again = good(await one.world.book('11:00', { idCustomer: one.id }), 201)
    const other = await booked()
    await run()
    expect(again.id).toBeGreaterThan(0)
    expect([one.came(), other.came()]).toEqual([['Слова филиала'], []])
  })
})

describe('a birthday', () => {
  const born = (years: number) => {
    const [year, month, day] = dayAfter(0).split('-')
    return `${day}.${month}.${Number(year) - years}`
  }

  it('is congratulated once a year; as advertising only with consent to the channel', async () => {
    await template('birthday', 'С днём рождения, {имя}!', { advertising: true })
    const [agreed, not, revoked] = [
      await patient({ birthday: born(30) }),
      await patient({ birthday: born(40) }),
      await patient({ birthday: born(50) }),
    ]
    await agrees(agreed.id, ['sms'])
    await agrees(not.id, ['email'])
    await agrees(revoked.id, ['sms'], '"revokedAt" = now()')
    await run()
    await run()
    expect([agreed.came(), not.came(), revoked.came()]).toEqual([['С днём рождения, Пётр!'], [], []])
    expect(await agreed.log()).toMatchObject([{ event: 'birthday', advertising: true }])
    // Without consent no message is created, so none can be sent.
    expect([await not.log(), await revoked.log()]).toEqual([[], []])
  })

  it('is not sent as advertising if consent is revoked before it goes out', async () => {
    await template('birthday', 'Скидка имениннику', { advertising: true })
    const one = await patient({ birthday: born(35) })
    await agrees(one.id, ['sms'])
    await clinic.context.jobs.run('messages.collect')
    expect(await one.log()).toMatchObject([{ status: 'queued', event: 'birthday' }])
    await clinic.db.query({ text: `update consents set "revokedAt" = now() where "idCustomer" = $1`, values: [one.id] })
    await clinic.context.jobs.run('messages.send')
    expect(one.came()).toEqual([])
    expect(await one.log()).toMatchObject([{ status: 'failed', reason: 'Нет действующего согласия на рекламу' }])
  })
})

/** A signed consent to advertising. */
async function agrees(idCustomer: number, channels: string[], more = '"validTo" = null') {
  const kind = good(
    await keeper.post('/consents/templates', { name: `Реклама ${++serial}`, type: 'ads', months: 0 }),
    201,
  )
  const version = good(
    await keeper.post('/consents/versions', {
      idTemplate: kind.id,
      text: '<p>Согласен</p>',
      purpose: 'Реклама',
      dateFrom: dayAfter(-1),
    }),
    201,
  )
  const { id } = good(await keeper.post('/consents', { idCustomer, idVersion: version.id, channels }), 201)
  await clinic.db.query({ text: `update consents set "signedAt" = now(), ${more} where "id" = $1`, values: [id] })
}

describe('an unsent message', () => {
  it('is resent with the right, and not with only the right to read', async () => {
    await template('booking', 'Вы записаны')
    sms.mood = 'refuses'
    const one = await booked()
    await run()
    const [failed] = await one.log()
    expect(failed).toMatchObject({ status: 'failed', reason: 'Номер в чёрном списке' })
    sms.mood = 'delivers'
    await run()
    expect(one.came()).toEqual([])
    expect((await clinic.as('reader').post(`/messages/${failed.id}/repeat`)).status).toBe(403)
    good(await keeper.post(`/messages/${failed.id}/repeat`))
    await run()
    await run()
    expect(one.came()).toEqual(['Вы записаны'])
    good(await keeper.post(`/messages/${failed.id}/repeat`), 409)
  })

  it('is in the thread of its patient, for users who can read messages', async () => {
    await template('booking', 'Вы записаны')
    const one = await booked()
    await run()
    const thread = async (who: Caller) =>
      good(await who.get(`/customers/${one.id}/thread`)).items.filter(
        ({ kind }: { kind: string }) => kind === 'messages',
      )
    expect(await thread(clinic.as('reader'))).toMatchObject([{ title: 'Запись создана' }])
    expect(await thread(clinic.as('stranger'))).toEqual([])
    expect((await clinic.as('stranger').get('/messages')).status).toBe(403)
    await clinic.db.query({ text: `update customers set "secretLevel" = 'vip' where "id" = $1`, values: [one.id] })
    const reader = clinic.as('reader')
    expect(good(await reader.get(`/messages?filter[idCustomer]=${one.id}`)).items).toEqual([])
  })
})

it('sends a booking from the desk by its template, once together with the automatic one', async () => {
  const { idVisit, came } = await booked()
  const send = (by = keeper) => by.post(`/appointments/${idVisit}/message`, {})
  expect((await send(clinic.as('stranger'))).status).toBe(403)
  expect((await send()).body).toMatchObject({ code: 'template' })
  await template('booking', 'Вы записаны на {дата} в {время}')
  for (const _ of [1, 2]) {
    good(await send())
    await run()
  }
  expect(came()).toEqual([expect.stringMatching(/^Вы записаны на \d\d\.\d\d\.\d{4} в 10:00/)])
})
