import { Customer } from '@ordinator/model/areas/customers/customer'
import { Contact } from '@ordinator/model/areas/sales/contact'
import { Funnel, Stage } from '@ordinator/model/areas/sales/funnel'
import { Lead } from '@ordinator/model/areas/sales/lead'
import sql from 'sql-template-tag'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { systemActor } from '#records/actor.ts'
import { type AmiSimulator, startAmiSimulator } from '#testing/amiSimulator.ts'
import { type Caller, type Clinic, testApp } from '#testing/harness.ts'
import { addPerson } from '#testing/people.ts'

let clinic: Clinic
let ami: AmiSimulator
let operator: Caller
let idOperator: number
let colleague: Caller
let doctor: Caller
const system = () => clinic.context.engine.for(systemActor)

beforeAll(async () => {
  ami = await startAmiSimulator()
  clinic = await testApp({
    env: { AMI_URL: ami.url },
    prepare: async (app) => {
      const all = ['viewCallJournal', 'viewCustomers', 'viewAppeals', 'viewSalesManagement', 'viewCashDesk'] as const
      idOperator = (await addPerson(app, 'operator', [...all], { sipPhone: '201' })).id
      await addPerson(app, 'colleague', ['viewCallJournal', 'viewCustomers'], { sipPhone: '202' })
      await addPerson(app, 'seller', ['viewAppeals', 'editAppeals', 'viewCustomers'])
      await addPerson(app, 'doctor', [], { sipPhone: '203' })
    },
  })
  operator = clinic.as('operator')
  colleague = clinic.as('colleague')
  doctor = clinic.as('doctor')
  for (const one of [operator, colleague, doctor]) await one.token()
  await vi.waitFor(() => expect(ami.logins).toBeGreaterThan(0), 60_000)
})
afterAll(async () => {
  await clinic.close()
  await ami.close()
})

let serial = 0
const phoneFor = () => `+7906${String(Date.now()).slice(-4)}${String(100 + ++serial)}`
const sessionFor = () => `i${Date.now()}.${++serial}`

/** An outside call that rings these short numbers. */
function rings(session: string, phone: string, sips: readonly string[]): void {
  const more = { Linkedid: session }
  ami.emit('Newchannel', {
    ...more,
    Uniqueid: session,
    Channel: `PJSIP/trunk-${session}`,
    CallerIDNum: phone,
    Exten: '84950000000',
  })
  for (const sip of sips)
    ami.emit('Newchannel', { ...more, Uniqueid: `${session}-${sip}`, Channel: `PJSIP/${sip}-0000000a` })
}
function answers(session: string, sip: string): void {
  for (const Uniqueid of [session, `${session}-${sip}`])
    ami.emit('BridgeEnter', { Uniqueid, Linkedid: session, BridgeUniqueid: `bridge-${session}` })
}
function hangs(session: string, sips: readonly string[]): void {
  for (const Uniqueid of [...sips.map((sip) => `${session}-${sip}`), session]) ami.emit('Hangup', { Uniqueid })
}

interface Shown {
  id: number
  state: string
  wrapsSince: string | null
  callers: {
    id: number
    fio: string
    debt: number | null
    deals: { title: string }[]
    lastWords: { text: string } | null
  }[]
}
const shown = async (who: Caller, phone: string): Promise<Shown | undefined> => {
  const answer = await who.get('/calls/incoming')
  expect(answer.status).toBe(200)
  return answer.body.items.find((call: { phone: string }) => call.phone === phone)
}
const setState = (who: Caller, phone: string, state: string | undefined) =>
  vi.waitFor(
    async () => {
      const call = await shown(who, phone)
      expect(call?.state).toBe(state)
      return call as Shown
    },
    { timeout: 30_000, interval: 50 },
  )

it("shows the caller's card to all it rings, until another answers, and ends for the participant", async () => {
  const phone = phoneFor()
  const { id } = await system().create(Customer, {
    surname: 'Звонкова',
    name: 'Анна',
    phone,
    birthday: '05.03.1980',
    allergies: 'Пенициллин',
  })
  await clinic.as('seller').post('/appeals', { idCustomer: id, description: 'Хочет на МРТ' })
  const funnel = await system().create(Funnel, { name: 'Звонки' })
  const stage = await system().create(Stage, { name: 'Новые', idFunnel: funnel.id })
  const lead = await clinic.context.engine
    .for({ ...systemActor, id: idOperator })
    .create(Lead, { title: 'МРТ колена', idStage: stage.id })
  await system().create(Contact, { idLead: lead.id, name: 'Анна', idCustomer: id })
  const session = sessionFor()
  rings(session, phone, ['201', '202'])
  const mine = await setState(operator, phone, 'ringing')
  expect(mine.callers).toMatchObject([
    {
      id,
      fio: 'Звонкова Анна',
      birthday: '05.03.1980',
      allergies: 'Пенициллин',
      debt: 0,
      nextVisit: null,
      deals: [{ title: 'МРТ колена' }],
      lastWords: { text: 'Хочет на МРТ' },
    },
  ])
  // The colleague has no rights to deals, appeals and money.
  const theirs = await setState(colleague, phone, 'ringing')
  expect(theirs.callers).toMatchObject([{ id, debt: null, deals: [], lastWords: null }])
  expect(await shown(doctor, phone)).toBeUndefined()
  // The other phone has not stopped ringing yet: the answer is enough.
  answers(session, '201')
  await setState(operator, phone, 'talking')
  await setState(colleague, phone, undefined)
  ami.emit('Hangup', { Uniqueid: `${session}-202` })
  hangs(session, ['201'])
  await setState(operator, phone, 'ended')
  expect(await shown(colleague, phone)).toBeUndefined()
})

it('the wrap-up lasts until the operator is ready, or takes the next call', async () => {
  const talk = async () => {
    const [phone, session] = [phoneFor(), sessionFor()]
    rings(session, phone, ['201'])
    await setState(operator, phone, 'ringing')
    answers(session, '201')
    await setState(operator, phone, 'talking')
    return { phone, over: () => hangs(session, ['201']) }
  }
  const wraps = async (phone: string) => (await shown(operator, phone))?.wrapsSince
  const first = await talk()
  first.over()
  const ended = await setState(operator, first.phone, 'ended')
  expect(ended.wrapsSince).toEqual(expect.any(String))
  // Only the own wrap-up can be ended, and once.
  expect((await colleague.post(`/calls/${ended.id}/ready`)).status).toBe(404)
  for (let at = 0; at < 2; at++) expect((await operator.post(`/calls/${ended.id}/ready`)).status).toBe(204)
  expect(await wraps(first.phone)).toBe(null)
  const second = await talk()
  second.over()
  const { id } = await setState(operator, second.phone, 'ended')
  expect(await wraps(second.phone)).toEqual(expect.any(String))
  const third = await talk()
  expect(await wraps(second.phone)).toBe(null)
  const rows = await clinic.db.query<{ id: number; ready: boolean }>(
    sql`select "id"::int as id, "dateReady" >= "dateEnd" as ready from calls where "id" in (${ended.id}, ${id}) order by 1`,
  )
  expect(rows).toEqual([
    { id: ended.id, ready: true },
    { id, ready: true },
  ])
  third.over()
  await setState(operator, third.phone, 'ended')
})

it('one of several owners of a number is chosen; a missed call is shown to all it rang', async () => {
  const phone = phoneFor()
  const mother = await system().create(Customer, { surname: 'Семейная', name: 'Мать', phone })
  const child = await system().create(Customer, { surname: 'Семейная', name: 'Дочь', phoneMother: phone })
  const session = sessionFor()
  rings(session, phone, ['201', '203'])
  const call = await setState(operator, phone, 'ringing')
  expect(call.callers.map(({ id }) => id)).toEqual([mother.id, child.id])
  // Without access to patients only the number is shown.
  expect((await setState(doctor, phone, 'ringing')).callers).toEqual([])
  expect((await operator.post(`/calls/${call.id}/customer`, { idCustomer: child.id })).status).toBe(204)
  expect((await shown(operator, phone))?.callers.map(({ id }) => id)).toEqual([child.id])
  hangs(session, ['201', '203'])
  await setState(operator, phone, 'missed')
  await setState(doctor, phone, 'missed')
})

it('of a restricted card only the name is shown, and the rest once a reason is given', async () => {
  const phone = phoneFor()
  const { id } = await system().create(Customer, {
    surname: 'Закрытова',
    phone,
    birthday: '05.03.1980',
    allergies: 'Йод',
    secretLevel: 'vip',
  })
  const session = sessionFor()
  rings(session, phone, ['201'])
  const bare = { id, fio: 'Закрытова', birthday: null, allergies: null, debt: null }
  expect((await setState(operator, phone, 'ringing')).callers).toMatchObject([bare])
  await operator.post(`/customers/${id}/open`, { reason: 'Звонит сама, просит перенести визит' })
  expect((await shown(operator, phone))?.callers).toMatchObject([{ id, allergies: 'Йод', debt: 0 }])
  hangs(session, ['201'])
})

it('an outside window opens the card once, within a minute, and reads it until the call ends', async () => {
  const phone = phoneFor()
  const { id } = await system().create(Customer, { surname: 'Окнова', phone })
  const { token: plugin } = (await operator.post('/calls/telephony-token')).body
  const anyone = clinic.anonymous
  const session = sessionFor()
  const ask = (token: string) => anyone.post('/widgets/incoming-call/token', { token, session })
  expect((await ask(plugin)).status).toBe(410)
  rings(session, phone, ['201'])
  await setState(operator, phone, 'ringing')
  // An access token is not valid as a plugin's, and the plugin's opens nothing else.
  expect((await ask((await operator.token()) ?? '')).status).toBe(401)
  expect((await anyone.get('/customers', { headers: { authorization: `Bearer ${plugin}` } })).status).toBe(401)
  const stranger = (await doctor.post('/calls/telephony-token')).body.token
  expect((await ask(stranger)).status).toBe(410)
  const given = await ask(plugin)
  expect(given.body.url).toContain(`/app/widgets/incoming-call#${given.body.token}`)
  const opened = await anyone.post('/widgets/incoming-call', { token: given.body.token })
  expect(opened.body.call.callers).toMatchObject([{ id, fio: 'Окнова' }])
  expect((await anyone.post('/widgets/incoming-call', { token: given.body.token })).status).toBe(410)
  const look = () => anyone.post('/widgets/incoming-call/look', { key: opened.body.key })
  expect((await look()).body.call.state).toBe('ringing')
  expect((await anyone.post('/widgets/incoming-call/look', { key: given.body.token })).status).toBe(410)
  const late = (await ask(plugin)).body.token
  await clinic.db.query(sql`update call_widgets set "dateCreate" = now() - interval '61 seconds' where "key" is null`)
  expect((await anyone.post('/widgets/incoming-call', { token: late })).status).toBe(410)
  hangs(session, ['201'])
  await setState(operator, phone, 'missed')
  await clinic.db.query(
    sql`update calls set "dateEnd" = now() - interval '3 minutes' where "idCallSession" = ${session}`,
  )
  expect((await look()).body).toEqual({ call: null })
})

it('the check list is marked by the participant and by listeners, and scored by its required items', async () => {
  const phone = phoneFor()
  const session = sessionFor()
  rings(session, phone, ['201'])
  const { id: idCall } = await setState(operator, phone, 'ringing')
  const made = await operator.post('/calls/checks', { idCall, greeting: 'yes', name: 'no', booking: 'na' })
  expect([made.status, made.body.score]).toEqual([201, 50])
  const next = await operator.put(`/calls/checks/${made.body.id}`, { needs: 'yes' })
  expect(next.body.score).toBe(67)
  expect((await colleague.put(`/calls/checks/${made.body.id}`, { needs: 'no' })).status).toBe(403)
  expect((await doctor.get(`/calls/checks/${made.body.id}`)).status).toBe(403)
  hangs(session, ['201'])
})
