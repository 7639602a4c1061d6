/** KPI: counters of events, figures by formulas, plans and scores. */
import { monthsLater } from '@ordinator/model/areas/expenses/states'
import { Organization } from '@ordinator/model/areas/filials/organization'
import type { KpiFigure } from '@ordinator/model/areas/kpi/calls'
import { type IndicatorDeclaration, indicators } from '@ordinator/model/areas/kpi/indicators'
import { dayIn } from '@ordinator/model/zone'
import sql from 'sql-template-tag'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { systemActor } from '#records/actor.ts'
import { good } from '#testing/good.ts'
import { type Caller, type Clinic, testApp } from '#testing/harness.ts'
import { withoutTime } from '#testing/locks.ts'
import { addPerson } from '#testing/people.ts'
import { billing, worldOf } from '#testing/visits.ts'
import { fixMonths } from './counts.ts'

let clinic: Clinic
let keeper: Caller
let desk: Awaited<ReturnType<typeof billing>>

beforeAll(async () => {
  let idOrganization = 0
  clinic = await testApp({
    async prepare(app) {
      await addPerson(app, 'keeper', [...worldOf.rights, ...billing.rights, 'viewKpiReport'])
      await addPerson(app, 'outsider')
      idOrganization = (
        await app.engine.for(systemActor).create(Organization, { shortName: 'ООО «Своя»', kind: 'own' })
      ).id
    },
  })
  keeper = clinic.as('keeper')
  await keeper.token()
  desk = await billing(keeper, worldOf(clinic, keeper), idOrganization)
})
afterAll(() => clinic.close())

const month = () => dayIn('Europe/Moscow', Date.now()).slice(0, 7)

it('counts completed, missed and paid visits, and scores a person by the plans', async () => {
  const define = async (code: string, formula: string, more: object = {}) =>
    good(await keeper.post('/kpi/definitions', { code, name: code, formula, ...more }), 201).id
  const came = await define('came', '100 * визиты / записи')
  const missed = await define('missed', '100 * неявки / записи', { direction: 'down' })
  const revenue = await define('revenue', 'выручка', { unit: 'rubles' })
  const held = await desk.visit([1])
  good(await desk.done(held.lines[0] as number), 204)
  for (const status of ['inProgress', 'completed']) good(await desk.to(held.id, status))
  good(await desk.take(held.idCustomer, 400))
  await desk.visit([1])
  const plan = (idKpi: number, value: number, weight: number) =>
    keeper.post('/kpi/plans', { month: `${month()}-15`, idKpi, idUser: desk.idUser, plan: value, weight })
  good(await plan(came, 100, 1), 201)
  good(await plan(missed, 10, 1), 201)
  good(await plan(revenue, 500, 2), 201)
  const { figures, score, counts, passed } = good(
    await keeper.get(`/reports/kpi-analysis?month=${month()}&user=${desk.idUser}`),
  )
  expect(counts).toMatchObject({
    записи: 2,
    визиты: 1,
    оплаченные: 1,
    первые_визиты: 1,
    неявки: 0,
    выручка: 1000,
    оплачено: 400,
    оплачено_когортой: 400,
  })
  // Advertising counts only for the clinic.
  expect(counts).not.toHaveProperty('реклама')
  expect(good(await keeper.get(`/reports/kpi-analysis?month=${month()}`)).counts).toMatchObject({ реклама: 0 })
  type Figure = (typeof figures)[number]
  // Two visits were booked, of which one has come: shares keep their plan, a sum has it in part.
  expect(figures.map((one: Figure) => [one.fact, one.planNow === one.plan, one.light])).toEqual([
    [50, true, 'red'],
    [0, true, 'green'],
    [1000, false, 'green'],
  ])
  expect(figures[2].planNow).toBeCloseTo(500 * passed, 1)
  // 1 · 0.5 + 1 · 1.2 + 2 · 1.2, over 4.
  expect(score).toBe(1.025)
  const { people } = good(await keeper.get(`/reports/kpi-analysis/people?month=${month()}`))
  expect(people).toEqual([expect.objectContaining({ idUser: desk.idUser, score: 1.025 })])
})

it('keeps a closed month unchanged by later changes', async () => {
  const closed = monthsLater(`${month()}-01`, -3).slice(0, 7)
  const before = `${closed}-10T09:00:00Z`
  const [held, missed, moved] = [await desk.visit([1]), await desk.visit([1]), await desk.visit([1])]
  const put = async (id: number, status: string, day: string, at: string) => {
    await clinic.db.query(sql`update appointments set "visitStatus" = ${status}, "localDate" = ${day}, "dateFrom" = ${at},
      "dateTo" = ${at}::timestamptz + interval '30 minutes', "dateCreate" = ${at}::timestamptz - interval '1 day', "dateChange" = ${at},
      "dateCompleted" = ${status === 'completed' ? at : null} where "id" = ${id}`)
    await clinic.db.query(sql`update coupons set "localDate" = ${day}, "dateFrom" = ${at},
      "dateTo" = ${at}::timestamptz + interval '30 minutes' where "idAppointment" = ${id}`)
    // Removes the history of creating the visit, which the desk did only today.
    await clinic.db.query(sql`delete from history where "path" = 'appointments' and "idEntity" = ${id}`)
    await clinic.db.query(sql`delete from appointments_changes where "idAppointment" = ${id}`)
  }
  await put(held.id, 'completed', `${closed}-10`, before)
  await put(missed.id, 'noShow', `${closed}-11`, `${closed}-11T09:00:00Z`)
  await put(moved.id, 'booked', `${closed}-12`, `${closed}-12T09:00:00Z`)
  const counts = async () =>
    good(await keeper.get(`/reports/kpi-analysis?month=${closed}&user=${desk.idUser}`)).counts as Record<string, number>
  await fixMonths(clinic.context)
  const then = await counts()
  expect(then).toMatchObject({ записи: 3, визиты: 1, неявки: 1, минуты_записи: 60 })
  // A change by a person today is an event of today.
  good(await desk.to(held.id, 'inProgress'))
  good(await desk.to(missed.id, 'booked'))
  const today = dayIn('Europe/Moscow', Date.now())
  good(await keeper.post(`/appointments/${moved.id}/move`, { localDate: today, localStart: '23:00' }))
  const known: Readonly<Record<string, IndicatorDeclaration>> = indicators
  expect(await counts()).toMatchObject(
    Object.fromEntries(Object.entries(then).filter(([name]) => !known[name]?.current)),
  )
  const { figures, fixed } = good(await keeper.get(`/reports/kpi-analysis?month=${closed}&user=${desk.idUser}`))
  expect(fixed).not.toBeNull()
  // The number of today is kept beside the fixed one.
  expect(figures.find((one: { name: string }) => one.name === 'came')).toMatchObject({ fact: 33.33, now: 0 })
})

it('refuses a formula with an unknown counter, and a plan for two subjects at once', async () => {
  expect(await keeper.post('/kpi/definitions', { code: 'x', name: 'x', formula: 'постоянство' })).toMatchObject({
    status: 422,
    body: [{ field: 'formula', message: /Нет такого счётчика/ }],
  })
  const [one] = good(await keeper.get('/kpi/definitions?limit=1')).items
  const plan = { month: `${month()}-01`, idKpi: one.id, plan: 1, idUser: desk.idUser, post: 'Врач' }
  expect(await keeper.post('/kpi/plans', plan)).toMatchObject({ status: 422, body: [{ field: 'post' }] })
})

it('requires the report right; own figures are visible to everyone', async () => {
  const outsider = clinic.as('outsider')
  expect((await outsider.get(`/reports/kpi-analysis?month=${month()}`)).status).toBe(403)
  expect(good(await outsider.get('/reports/kpi-analysis/mine'))).toMatchObject({ figures: [], score: null })
})

it('is counted in the background when a request has no time for it, and shown by the same request', async () => {
  const idKpi = good(await keeper.get('/kpi/definitions?limit=1')).items[0].id
  const [{ id: idUser } = { id: 0 }] = await clinic.db.query<{ id: number }>(
    sql`select "id" from users where "login" = 'keeper'`,
  )
  good(await keeper.post('/kpi/plans', { month: `${month()}-01`, idKpi, idUser, plan: 1 }), 201)
  interface Shown {
    figures?: KpiFigure[]
    people?: { figures: KpiFigure[] }[]
  }
  const facts = ({ figures, people = [] }: Shown) =>
    (figures ?? people.flatMap((one) => one.figures)).map(({ name, fact, plan }) => [name, fact, plan])
  for (const path of [
    `/reports/kpi-analysis?month=${month()}&user=${desk.idUser}`,
    `/reports/kpi-analysis/people?month=${month()}`,
    '/reports/kpi-analysis/mine',
  ]) {
    const quick = facts(good(await keeper.get(path)))
    expect(quick.length).toBeGreaterThan(0)
    const slow = good(await withoutTime(clinic.db, 'appointments', () => keeper.get(path)))
    expect([facts(slow), typeof slow.run]).toEqual([[], 'number'])
    expect(good(await keeper.get(path)).run).toBe(slow.run)
    await clinic.context.jobs.drain()
    const later = good(await keeper.get(path))
    expect([facts(later), later.run]).toEqual([quick, undefined])
  }
})
