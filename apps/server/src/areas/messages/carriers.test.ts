/** SMS providers by their own protocols: sent once, refusals with messages, unknown outcomes. */
import { formatMoney } from '@ordinator/model/format'
import sql from 'sql-template-tag'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type SmsProvider, smsProvider } from '#platform/smsProviders.ts'
import { good } from '#testing/good.ts'
import { type Caller, type Clinic, testApp } from '#testing/harness.ts'
import { addPerson } from '#testing/people.ts'
import { type CarriersSimulator, startCarriersSimulator } from '#testing/smsProvidersSimulator.ts'

let carriers: CarriersSimulator
beforeAll(async () => {
  carriers = await startCarriersSimulator()
})
beforeEach(() => {
  carriers.mood = 'delivers'
  carriers.balance = 1000
})
afterAll(() => carriers.close())

const paths = { smsc: 'smsc', smsru: 'smsru', smsaero: 'aero' } as const
const gatewayOf = (provider: SmsProvider) =>
  smsProvider(provider, { url: `${carriers.url}/${paths[provider]}`, login: 'clinic', key: 'key', sender: 'CLINIC' })
const sms = { to: '+79161234567', text: 'Ждём вас завтра в 10:00', key: 'message-1' }

describe.each(['smsc', 'smsru', 'smsaero'] as const)('%s', (provider) => {
  it('sends, reports delivery and the balance', async () => {
    const gateway = gatewayOf(provider)
    const sent = await gateway.send(sms)
    expect(sent).toMatchObject({ outcome: 'accepted' })
    expect(carriers.messages.at(-1)).toMatchObject({ to: '79161234567', text: sms.text, sender: 'CLINIC' })
    const { id } = sent as { id: string }
    expect(await gateway.deliveryOf(id)).toBe('delivered')
    carriers.mood = 'fails'
    expect(await gateway.deliveryOf(id)).toBe('failed')
    expect([await gateway.balance?.(), await gateway.answers()]).toEqual([995, true])
  })

  it('shows the reason of a refusal, and treats no reply as unknown', async () => {
    const gateway = gatewayOf(provider)
    carriers.mood = 'noMoney'
    expect(await gateway.send(sms)).toMatchObject({ outcome: 'failed', reason: expect.stringMatching(/средств/) })
    carriers.mood = 'wrongSender'
    expect(await gateway.send(sms)).toMatchObject({ outcome: 'failed', reason: expect.stringMatching(/тправител/) })
    for (const mood of ['silent', 'deaf', 'broken'] as const) {
      carriers.mood = mood
      expect([mood, await gateway.send({ ...sms, key: mood })]).toEqual([mood, { outcome: 'unknown' }])
    }
    carriers.mood = 'wrongKey'
    expect(await gateway.answers()).toBe(false)
  })
})

it('SMSC is queried after no reply, by our own id', async () => {
  const gateway = gatewayOf('smsc')
  carriers.mood = 'silent'
  expect(await gateway.send({ ...sms, key: 'lost' })).toEqual({ outcome: 'unknown' })
  carriers.mood = 'delivers'
  expect(await gateway.find?.({ to: sms.to, key: 'lost' })).toEqual({ id: expect.stringContaining(':79161234567') })
  expect(await gateway.find?.({ to: sms.to, key: 'never' })).toBe('absent')
  carriers.replies.push({ id: 7, phone: '79161234567', message: 'Да' })
  expect(await gateway.repliesAfter(6)).toEqual([{ number: 7, from: '+79161234567', text: 'Да' }])
})

it('a refused connection means that nothing was accepted', async () => {
  const gateway = smsProvider('smsru', { url: 'http://127.0.0.1:59998', login: '', key: 'k', sender: '' })
  expect(await gateway.send(sms)).toMatchObject({ outcome: 'failed' })
})

describe('a clinic with a provider', () => {
  let clinic: Clinic
  let keeper: Caller
  beforeAll(async () => {
    clinic = await testApp({
      env: { SMSRU_URL: `${carriers.url}/smsru`, SMSC_URL: `${carriers.url}/smsc` },
      prepare: (app) => addPerson(app, 'keeper', ['mainSettings', 'editMessageTemplates'], { phone: '+79161234567' }),
    })
    keeper = clinic.as('keeper')
  })
  afterAll(() => clinic.close())

  it('gets a delivery report that is not trusted: the provider is queried', async () => {
    good(await keeper.put('/settings/common', { smsProvider: 'smsru', smsKey: 'key', smsSender: 'CLINIC' }))
    good(await keeper.post('/message-templates/test', { event: 'booking', text: 'Отчёт', channel: 'sms' }))
    const idGateway = carriers.messages.at(-1)?.id as string
    const made = await clinic.db.one<{ id: number }>(sql`
      with p as (insert into customers ("surname", "phone") values ('Отчётов', '+79161234567') returning "id")
      insert into messages ("idCustomer", "event", "key", "status", "channel", "idGateway", "dateSent")
        select "id", 'custom', 'report-1', 'accepted', 'sms', ${idGateway}, now() from p returning "id"::int as id`)
    const report = (provider: string) =>
      clinic.app.server.inject({
        method: 'POST',
        url: `/sms/statuses/${provider}`,
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        payload: new URLSearchParams([['data[0]', `sms_status\n${idGateway}\n103`]]).toString(),
      })
    const state = async () =>
      (await clinic.db.one<{ status: string }>(sql`select "status" from messages where "id" = ${made?.id}`))?.status
    expect((await report('smsru')).payload).toBe('100')
    await clinic.context.jobs.drain()
    expect(await state()).toBe('delivered')
    expect((await report('smsc')).statusCode).toBe(200)
    expect((await report('nobody')).statusCode).toBe(404)
  })

  it('is set up in «Подключения», tested by a message, and warned before the balance runs out', async () => {
    good(await keeper.put('/settings/common', { smsProvider: 'smsru', smsKey: 'key', smsSender: 'CLINIC' }))
    const test = { event: 'booking', text: 'Проверка', channel: 'sms' }
    const answer = await keeper.post('/message-templates/test', test)
    if (answer.status !== 200) expect(answer.body).toBe('')
    expect(carriers.messages.at(-1)).toMatchObject({ provider: 'smsru', to: '79161234567' })
    const check = async (key: string) => good(await keeper.post(`/integrations/${key}/check`))
    expect(await check('smsBalance')).toMatchObject({ isAnswering: true })
    carriers.balance = 40
    expect(await check('smsBalance')).toMatchObject({
      isAnswering: false,
      error: `На счёте ${formatMoney(40)}: пополните, иначе СМС перестанут уходить`,
    })
    // Another provider never gets the key of the former.
    good(await keeper.put('/settings/common', { smsProvider: 'smsc' }))
    expect(good(await keeper.get('/settings/common')).smsKey).toBe(false)
  })
})
