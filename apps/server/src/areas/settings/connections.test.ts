/**
 * «Подключения»: message services are configured on the screen, their keys are never returned, their mode is switched
 * there.
 */
import sql from 'sql-template-tag'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { good } from '#testing/good.ts'
import { type Caller, type Clinic, testApp } from '#testing/harness.ts'
import { type MailSimulator, startMailSimulator } from '#testing/mailSimulator.ts'
import { addPerson } from '#testing/people.ts'
import { type SmsSimulator, startSmsSimulator } from '#testing/smsSimulator.ts'

const PHONE = '+79120000001'
let sms: SmsSimulator
let own: SmsSimulator
let mail: MailSimulator
let clinic: Clinic
let chief: Caller
let writer: Caller

beforeAll(async () => {
  ;[sms, own, mail] = await Promise.all([startSmsSimulator(), startSmsSimulator(), startMailSimulator()])
  clinic = await testApp({
    env: { SMS_URL: own.url },
    outbound: { allow: ['127.0.0.1'], timeout: 2_000 },
    prepare: async (app) => {
      const more = { phone: PHONE, email: 'chief@clinic.test' }
      await addPerson(app, 'chief', ['mainSettings', 'editMessageTemplates', 'viewCustomers'], more)
      await addPerson(app, 'writer', ['editMessageTemplates'], { email: 'writer@clinic.test' })
    },
  })
  chief = clinic.as('chief')
  writer = clinic.as('writer')
})
afterAll(async () => {
  await clinic.close()
  await Promise.all([sms.close(), own.close(), mail.close()])
})
beforeEach(async () => {
  for (const gateway of [sms, own]) gateway.messages.length = 0
  mail.letters.length = 0
  good(await set({ smsMode: 'prod', smsAddress: '', smsToken: '', mailMode: 'prod', mailAddress: '' }))
})

const set = (body: object) => chief.put('/settings/common', body)
const card = async (key: string) =>
  good(await chief.get('/integrations')).items.find((one: { key: string }) => one.key === key)
const check = async (key: string) => good(await chief.post(`/integrations/${key}/check`))
// Rate limit per person and minute: mails are requested by another person.
const send = (channel: 'sms' | 'email' = 'sms') =>
  (channel === 'sms' ? chief : writer).post('/message-templates/test', {
    event: 'birthday',
    text: 'Добрый день',
    channel,
  })

describe('the SMS gateway', () => {
  it("is the server's own until the clinic sets another, which gets its key", async () => {
    good(await send())
    expect([own.messages.length, sms.messages.length]).toEqual([1, 0])
    good(await set({ smsAddress: `${sms.url}/`, smsToken: 'key-1' }))
    expect(await card('sms')).toMatchObject({ mode: 'prod', switch: { setting: 'smsMode', value: 'prod' } })
    expect((await check('sms')).isAnswering).toBe(true)
    good(await send())
    expect([own.messages.length, sms.messages.length, sms.authorization]).toEqual([1, 1, 'Bearer key-1'])
  })

  it('loses its key with its address, so that the key cannot be redirected', async () => {
    good(await set({ smsAddress: 'https://sms.example', smsToken: 'key-2' }))
    const after = good(await set({ smsAddress: sms.url }))
    expect(after.smsToken).toBe(false)
    good(await send())
    expect(sms.authorization).toBeUndefined()
    expect(await clinic.db.query(sql`select 1 from common_setting_secrets where name = 'smsToken'`)).toEqual([])
    const [{ name, to }] = good(await chief.get('/settings/changes?limit=1')).items
    expect([name, to]).toEqual(['smsToken', false])
  })

  it('in test mode sends everything to one phone, and nothing without one', async () => {
    good(await set({ smsMode: 'test', smsTestPhone: '' }))
    expect((await send()).status).toBe(409)
    good(await set({ smsTestPhone: '8 912 555-44-33' }))
    good(await send())
    expect(own.messages.map(({ to }) => to)).toEqual(['+79125554433'])
    expect((await card('sms')).mode).toBe('test')
  })

  it('simulated accepts everything, reports it and sends nothing; disabled accepts nothing', async () => {
    good(await set({ smsMode: 'simulator' }))
    good(await send())
    expect(own.messages).toEqual([])
    expect([(await card('sms')).mode, (await check('sms')).isAnswering]).toEqual(['simulator', true])
    good(await set({ smsMode: 'off' }))
    expect((await send()).status).toBe(409)
    expect(await card('sms')).toMatchObject({ mode: 'off', switch: { value: 'off' } })
  })

  it.each(['test', 'simulator', 'off'])('in mode %s sends no confirmation codes', async (smsMode) => {
    good(await set({ smsMode, smsTestPhone: PHONE, portalActive: true, portalSignIn: ['code', 'link'] }))
    expect(good(await clinic.anonymous.get('/portal/start')).ways).toEqual(['link'])
    good(await set({ smsMode: 'prod' }))
    expect(good(await clinic.anonymous.get('/portal/start')).ways).toEqual(['code', 'link'])
  })

  it('is switched by a change that is recorded and can be undone', async () => {
    good(await set({ smsMode: 'simulator' }))
    const [{ id, name, from, to, version, user }] = good(await chief.get('/settings/changes?limit=1')).items
    expect([name, from, to, user.shortFio]).toEqual(['smsMode', 'prod', 'simulator', expect.stringContaining('chief')])
    good(await chief.post(`/settings/changes/${id}/undo`, { version }))
    expect((await card('sms')).mode).toBe('prod')
  })
})

describe('the mail server', () => {
  it('is the configured one, with a password that is never returned', async () => {
    const entered: string[] = []
    const closed = await startMailSimulator({
      authOptional: false,
      allowInsecureAuth: true,
      onAuth({ username, password }, _session, done) {
        entered.push(`${username}:${password}`)
        done(null, { user: username })
      },
    })
    good(
      await set({
        mailAddress: closed.url,
        mailLogin: 'clinic',
        mailPassword: 'тайна',
        mailFrom: 'clinic@clinic.test',
      }),
    )
    expect((await check('mail')).isAnswering).toBe(true)
    good(await send('email'))
    expect([closed.letters[0]?.to, entered.at(-1)]).toEqual([['writer@clinic.test'], 'clinic:тайна'])
    expect(JSON.stringify((await chief.get('/settings/state')).body)).not.toContain('тайна')
    expect(JSON.stringify((await chief.get('/settings/changes')).body)).not.toContain('тайна')
    await closed.close()
  })

  it('is tested with one mailbox, simulated, and disabled', async () => {
    good(await set({ mailAddress: mail.url, mailFrom: 'clinic@clinic.test', mailMode: 'test', mailTestAddress: '' }))
    expect((await send('email')).status).toBe(409)
    good(await set({ mailTestAddress: 'all@clinic.test' }))
    good(await send('email'))
    expect(mail.letters.map(({ to }) => to)).toEqual([['all@clinic.test']])
    good(await set({ mailMode: 'simulator' }))
    good(await send('email'))
    expect(mail.letters).toHaveLength(1)
    good(await set({ mailMode: 'off' }))
    expect((await send('email')).status).toBe(409)
  })
})

describe('an internal address', () => {
  it('set by a person is never contacted', async () => {
    const guarded = await testApp({
      prepare: async (app) => {
        await addPerson(app, 'chief', ['mainSettings', 'editMessageTemplates'], {
          phone: PHONE,
          email: 'chief@clinic.test',
        })
      },
    })
    const person = guarded.as('chief')
    const asked = { smsAddress: sms.url, mailAddress: mail.url, mailFrom: 'clinic@clinic.test' }
    const refused = await person.put('/settings/common', { ...asked, mdlpAddress: 'http://10.0.0.5/api' })
    expect(refused.status).toBe(422)
    expect(
      refused.body.map(({ field, message }: { field: string; message: string }) => [field, message.split(': ').at(-1)]),
    ).toEqual([
      ['smsAddress', 'SMS_URL'],
      ['mailAddress', 'SMTP_URL'],
      ['mdlpAddress', 'MDLP_URL'],
    ])
    // An address that leads inside since it was saved is refused when it is used.
    for (const [name, value] of Object.entries(asked))
      await guarded.db.query({
        text: 'insert into common_settings (name, value) values ($1, to_jsonb($2::text))',
        values: [name, value],
      })
    const body = { event: 'birthday', text: 'Добрый день' }
    await person.post('/message-templates/test', { ...body, channel: 'sms' })
    await person.post('/message-templates/test', { ...body, channel: 'email' })
    expect([sms.messages, mail.letters]).toEqual([[], []])
    expect(good(await person.post('/integrations/sms/check')).isAnswering).toBe(false)
    expect(good(await person.post('/integrations/mail/check')).error).toContain('внутреннюю сеть')
    await guarded.close()
  })

  it.each<[object, string]>([
    [{ smsAddress: 'ftp://sms.example' }, 'smsAddress'],
    [{ mailAddress: 'https://mail.example' }, 'mailAddress'],
    [{ mailAddress: 'smtp://clinic:secret@mail.example' }, 'mailAddress'],
    [{ mailTestAddress: 'почта' }, 'mailTestAddress'],
    [{ smsTestPhone: '12' }, 'smsTestPhone'],
    [{ smsMode: 'both' }, 'smsMode'],
    [{ smsToken: 'ключ' }, 'smsToken'],
  ])('%j is refused at its field', async (body, field) => {
    const answer = await set(body)
    expect([answer.status, answer.body[0]?.field]).toEqual([422, field])
  })
})
