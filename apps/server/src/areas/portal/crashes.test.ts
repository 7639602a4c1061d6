/** Online payments of patients, with a process killed between any two of its steps and a retry by the same key. */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Deaths, deathsIn } from '#testing/crashes.ts'
import { good } from '#testing/good.ts'
import { type Caller, type Clinic, testApp } from '#testing/harness.ts'
import { booksOf } from '#testing/ledgerChecks.ts'
import { deskRights, onlineWorld } from '#testing/online.ts'
import { addPerson } from '#testing/people.ts'
import { type SmsSimulator, startSmsSimulator } from '#testing/smsSimulator.ts'

let sms: SmsSimulator
let clinic: Clinic
let deaths: Deaths
let books: ReturnType<typeof booksOf>
let desk: Caller
let world: ReturnType<typeof onlineWorld>
let idFilial: number

beforeAll(async () => {
  sms = await startSmsSimulator()
  clinic = await testApp({
    env: { SMS_URL: sms.url, TRUST_PROXY: '127.0.0.1' },
    prepare: (app) => addPerson(app, 'desk', [...deskRights, 'viewAllCashDesks']),
  })
  desk = clinic.as('desk')
  good(await desk.put('/settings/common', { portalActive: true }))
  world = onlineWorld(clinic, desk, sms)
  idFilial = await world.post('/filials', { nameFilial: 'Онлайн', timeZone: 'Europe/Moscow' })
  deaths = await deathsIn(clinic)
  books = booksOf(clinic)
})
afterAll(async () => {
  await clinic.close()
  await sms.close()
})

/** The only desk open to patients, of an organization of its own, and a patient. */
async function onlineDesk() {
  await clinic.db.query({ text: `update cash_desks set "isOnline" = false` })
  const idOrganization = await world.post('/organizations', { shortName: `ООО «${randomUUID()}»`, kind: 'own' })
  const idDesk = await world.post('/cash-desks', {
    name: `Онлайн ${randomUUID()}`,
    ...{ idFilial, idOrganization, kktMode: 'simulator', terminalMode: 'simulator', isOnline: true },
  })
  const patient = await world.patient()
  const pay = (key: string, sum: number) => patient.post('/portal/payments', { key, method: 'card', sum })
  return { idDesk, pay }
}
const paymentsOf = async (idDesk: number) =>
  good(await desk.get(`/payments?filter[idDesk]=${idDesk}`)).items.map(({ sum, idStatus }: any) => [sum, idStatus])

it('one that finds a shift past its day: it is closed and the next opened', async () => {
  const died = await deaths.each(async (dying) => {
    const { idDesk, pay } = await onlineDesk()
    good(await pay(randomUUID(), 100), 201)
    await books.printed()
    await clinic.db.query({
      text: `update cash_shifts set "dateOpened" = now() - interval '25 hours' where "idDesk" = $1`,
      values: [idDesk],
    })
    const key = randomUUID()
    await dying(() => pay(key, 700))
    good(await pay(key, 700), 201)
    await books.printed()
    expect(await paymentsOf(idDesk)).toEqual(
      expect.arrayContaining([
        [100, 2],
        [700, 2],
      ]),
    )
    expect(good(await desk.get(`/cash-shifts?filter[idDesk]=${idDesk}`)).items).toHaveLength(2)
    expect(await books.of(idDesk)).toEqual({
      drawer: 0,
      card: 800,
      printed: ['openShift', 'sell', 'closeShift', 'openShift', 'sell'],
    })
  })
  expect(died).toBeGreaterThan(12)
})

it('without a retry: the patient pays again once the bank has reported the first payment', async () => {
  const died = await deaths.each(async (dying) => {
    const { idDesk, pay } = await onlineDesk()
    await dying(() => pay(randomUUID(), 700))
    await clinic.context.jobs.run('money.settle')
    await books.printed()
    const made = await paymentsOf(idDesk)
    const taken = made.filter(([, idStatus]: number[]) => idStatus === 2).length
    expect([made.length <= 1, taken <= 1, made.some(([, idStatus]: number[]) => idStatus === 1)]).toEqual([
      true,
      true,
      false,
    ])
    expect((await books.of(idDesk)).card).toBe(700 * taken)
    good(await pay(randomUUID(), 700), 201)
    await books.printed()
    expect((await books.of(idDesk)).card).toBe(700 * (taken + 1))
  })
  expect(died).toBeGreaterThan(12)
})
