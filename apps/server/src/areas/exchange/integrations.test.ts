import sql from 'sql-template-tag'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { sendSms, smsGateway } from '#platform/sms.ts'
import { good } from '#testing/good.ts'
import { type Caller, type Clinic, testApp } from '#testing/harness.ts'
import { addPerson } from '#testing/people.ts'
import { END, startSecureServer } from '#testing/secureServer.ts'
import { type SmsSimulator, startSmsSimulator } from '#testing/smsSimulator.ts'
import { startWebhookReceiver, type WebhookReceiver } from '#testing/webhookReceiver.ts'

let gateway: SmsSimulator
let receiver: WebhookReceiver
let clinic: Clinic
let admin: Caller
let idChief: number

beforeAll(async () => {
  gateway = await startSmsSimulator()
  receiver = await startWebhookReceiver()
  clinic = await testApp({
    env: { SMS_URL: gateway.url, AMI_URL: 'ami://ordinator:secret@127.0.0.1:1' },
    outbound: { allow: ['127.0.0.1'], timeout: 400 },
    prepare: async (app) => {
      idChief = (await addPerson(app, 'chief', ['mainSettings', 'viewCustomers'])).id
      await addPerson(app, 'clerk', ['viewCustomers'])
    },
  })
  admin = clinic.as('chief')
})
afterAll(async () => {
  await clinic.close()
  await gateway.close()
  await receiver.close()
})
beforeEach(async () => {
  gateway.mood = 'delivers'
  await clinic.db.query(sql`delete from exchange_messages where "adapter" <> 'ami'`)
  await clinic.db.query(sql`delete from adapter_states`)
  await clinic.db.query(sql`delete from notifications`)
})

const cards = async () => good(await admin.get('/integrations')).items as { key: string; state: string }[]
const card = async (key: string) => (await cards()).find((one) => one.key === key)
const check = (key: string) => admin.post(`/integrations/${key}/check`)
const send = (key: string) =>
  sendSms(clinic.context, smsGateway(gateway.url), 'Сообщение пациенту', {
    to: '+79051234567',
    key,
    text: 'Иванова, ждём вас',
  })
const line = (minutesAgo: number, status: string, adapter = 'sms') =>
  clinic.db.query(sql`insert into exchange_messages ("dateCreate", "dateLast", "adapter", "operation", "status", "attempts", "errorText")
    values (now(), now() - make_interval(mins => ${minutesAgo}), ${adapter}, 'Сообщение', ${status}, 2, 'Шлюз не ответил')`)
const watch = () => clinic.context.jobs.run('integrations.watch')
const notices = async () =>
  (
    await clinic.db.query<{ kind: string; title: string }>(sql`select "kind", "title" from notifications
      where "idUser" = ${idChief} and ("title" like 'СМС%' or "title" like 'MAX%') order by "id"`)
  ).map(({ kind }) => kind)

describe('rights', () => {
  it('are those of the main settings', async () => {
    expect((await clinic.as('clerk').get('/integrations')).status).toBe(403)
    expect((await clinic.as('clerk').post('/integrations/sms/check')).status).toBe(403)
    expect((await clinic.anonymous.get('/integrations')).status).toBe(401)
  })
})

describe('a card', () => {
  it('shows the connection and the place of its settings', async () => {
    expect(await card('sms')).toMatchObject({
      mode: 'prod',
      state: 'unknown',
      errors: 0,
      setIn: 'Настройка сервера SMS_URL',
    })
    expect(await card('mail')).toMatchObject({ mode: 'off', state: 'off' })
    expect(await card('telegram')).toMatchObject({ mode: 'off', page: 'chatChannels' })
    expect(await card('webhooks')).toMatchObject({ page: 'webhooks', queue: 0 })
    expect(await card('nsi')).toMatchObject({ mode: 'off' })
    expect(await card('laboratory')).toMatchObject({ mode: 'off' })
    expect(await card('1c')).toMatchObject({ mode: 'off', name: '1С: обмен файлами' })
    expect((await check('mail')).status).toBe(409)
    expect((await check('nothing')).status).toBe(404)
  })

  it('follows the messages: working, silent, working again; a single refusal is no problem', async () => {
    await send('one')
    expect(await card('sms')).toMatchObject({ state: 'works', errors: 0 })
    gateway.mood = 'broken'
    await send('two')
    expect(await card('sms')).toMatchObject({
      state: 'fails',
      errors: 1,
      error: 'Шлюз не ответил: сообщение могло уйти',
    })
    gateway.mood = 'delivers'
    await send('two')
    expect(await card('sms')).toMatchObject({ state: 'works', errors: 0, error: null })
    gateway.mood = 'refuses'
    await send('three')
    expect(await card('sms')).toMatchObject({ state: 'works', errors: 1 })
    await send('four')
    await send('five')
    expect(await card('sms')).toMatchObject({ state: 'fails', errors: 3, error: 'Шлюз отказал' })
  })

  it('counts the errors of a day, and none older', async () => {
    await line(23 * 60, 'rejected')
    await line(25 * 60, 'rejected')
    await line(25 * 60, 'network_error')
    expect(await card('sms')).toMatchObject({ errors: 1 })
  })

  it('shows the expiry of the certificate presented at the last check', async () => {
    const server = await startSecureServer()
    const url = `${server.url}/hooks`
    const hook = good(await admin.post('/webhooks', { name: 'Сайт', url, events: [] }), 201)
    expect(await card('webhooks')).toMatchObject({ dateCertificate: null })
    // The certificate is not trusted, so nothing is sent; its expiry is known anyway.
    expect(good(await check('webhooks'))).toMatchObject({ isAnswering: false, error: 'Не приняли проверку: «Сайт»' })
    expect(await card('webhooks')).toMatchObject({ dateCertificate: END })
    good(await admin.delete(`/webhooks/${hook.id}`), 204)
    await server.close()
  })

  it('stores no patient data in the journal', async () => {
    gateway.mood = 'refuses'
    await send('secret')
    const lines = JSON.stringify(await clinic.db.query(sql`select * from exchange_messages where "adapter" = 'sms'`))
    expect(lines).toContain('secret')
    expect(lines).not.toMatch(/Иванова|79051234567|чёрном/)
  })

  it('reports a missing telephony connection', async () => {
    await expect.poll(() => card('ami')).toMatchObject({ state: 'fails', error: 'АТС не отвечает' })
    const lines = await clinic.db.query(sql`select "idempotencyKey" from exchange_messages where "adapter" = 'ami'`)
    expect(lines).toHaveLength(1)
    expect(good(await check('ami'))).toMatchObject({ isAnswering: false, error: 'АТС не отвечает' })
  })
})

describe('a check', () => {
  it('sends a request, and its reply determines the state', async () => {
    await line(1, 'network_error')
    expect(await card('sms')).toMatchObject({ state: 'fails' })
    expect(good(await check('sms'))).toMatchObject({ isAnswering: true, error: null })
    expect(await card('sms')).toMatchObject({ state: 'works', isChecking: false })
  })

  it('runs one at a time', async () => {
    await clinic.db.query(
      sql`insert into adapter_states ("key", "checkingUntil") values ('sms', now() + interval '9 s')`,
    )
    expect(await check('sms')).toMatchObject({ status: 409, body: { message: 'Связь уже проверяется' } })
    expect(await card('sms')).toMatchObject({ isChecking: true })
  })

  it('names the webhooks that failed a test', async () => {
    const hook = good(await admin.post('/webhooks', { name: 'Учёт', url: receiver.url, events: [] }), 201)
    expect(good(await check('webhooks'))).toMatchObject({ isAnswering: true })
    receiver.mood = 'silent'
    expect(good(await check('webhooks'))).toMatchObject({ isAnswering: false, error: 'Не приняли проверку: «Учёт»' })
    await clinic.db.query(sql`update webhooks set "active" = false where "id" = ${hook.id}`)
  })
})

describe('administrators', () => {
  it('are notified once of a system that refuses for fifteen minutes, and once of its recovery', async () => {
    for (const minutes of [16, 15.5, 2]) await line(Math.floor(minutes), 'rejected')
    await watch()
    await watch()
    expect(await notices()).toEqual(['integrations.failing'])
    await send('again')
    await watch()
    await watch()
    expect(await notices()).toEqual(['integrations.failing', 'integrations.back'])
  })

  it('are not notified earlier, nor of a silence that ends with a check', async () => {
    for (let n = 0; n < 3; n++) await line(10, 'rejected')
    await watch()
    expect(await notices()).toEqual([])
    await clinic.db.query(sql`delete from exchange_messages where "adapter" = 'sms'`)
    await line(30, 'network_error')
    await watch()
    expect(await notices()).toEqual([])
    expect(await card('sms')).toMatchObject({ state: 'works' })
  })
})
