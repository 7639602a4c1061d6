/**
 * Property test: rollups equal a count of all facts, after any writes, moves or reversals, and at any moment of a pass.
 */
import { randomUUID } from 'node:crypto'
import { AdCampaign } from '@ordinator/model/areas/advertising/campaign'
import { Customer, CustomerSource } from '@ordinator/model/areas/customers/customer'
import { StaffEvent } from '@ordinator/model/areas/visits/shift'
import { Appointment, Coupon, CouponService } from '@ordinator/model/areas/visits/visit'
import { runs } from '@ordinator/model/testing/runs'
import { dayIn, plusDays } from '@ordinator/model/zone'
import fc from 'fast-check'
import sql from 'sql-template-tag'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { chargeVisit } from '#areas/money/index.ts'
import { systemActor } from '#records/actor.ts'
import { tableSql } from '#records/reports/rollup.ts'
import { type Caller, type Clinic, testApp } from '#testing/harness.ts'
import { readFigures } from './figures.ts'
import { filterOf } from './query.ts'
import { dirtyAll, liveDays, nameOf, type RolledSource, rolledSources, rollUp } from './rollups.ts'

let clinic: Clinic
let admin: Caller
let sources: RolledSource[]
const today = dayIn('Europe/Moscow', Date.now())
const period = { from: plusDays(today, -420), until: plusDays(today, 10) }
const pastHooks = { pastHooks: 'The test writes days that are over' }

beforeAll(async () => {
  clinic = await testApp({ demo: true })
  admin = clinic.as('admin')
  sources = rolledSources(clinic.context)
  await rollUp(clinic.context)
})
afterAll(() => clinic.close())

const reading = () => ({ db: clinic.db.reads, registry: clinic.context.registry, actor: systemActor })

let turn = 0
/**
 * Compares every figure of every report with a rollup, by month and branch and by each of its groupings in turn, with a
 * count of all facts.
 */
async function expectSame(writes: string): Promise<void> {
  for (const source of sources) {
    const { report, rollup } = source
    const { rollup: _, ...facts } = source
    const filter = filterOf(report, period, systemActor)
    const fields = [...rollup.kept, ...Object.keys(rollup.derived ?? {})].filter((name) => report.by.includes(name))
    const field = fields[turn++ % fields.length]
    for (const by of [['month', 'filial'], ...(field ? [[field]] : [])]) {
      const [rolled, counted] = await Promise.all([
        readFigures(reading(), source, filter, by),
        readFigures(reading(), facts, filter, by),
      ])
      const which = `${writes}: ${report.key} by ${by}`
      expect(rolled.total.values, which).toEqual(counted.total.values)
      const groups = ({ groups }: typeof rolled) =>
        groups.map(({ key, values }) => [JSON.stringify(key), values] as const).toSorted(([a], [b]) => (a < b ? -1 : 1))
      expect(groups(rolled), which).toEqual(groups(counted))
      expect(rolled.balance, which).toEqual(counted.balance)
    }
  }
}

/** The n-th record of a kind. */
const some = <T>(text: string, at: number): Promise<T | undefined> =>
  clinic.db.one<T>({
    text: `select * from (${text}) x offset (select $1::bigint % greatest(1, count(*)) from (${text}) y) limit 1`,
    values: [at],
  })
const inTx = <T>(run: Parameters<ReturnType<typeof engine>['tx']>[0]): Promise<T> => engine().tx(run) as Promise<T>
const engine = () => clinic.context.engine.for(systemActor)

/** Ordinary writes of a clinic, each on the n-th record of a kind. */
const acts = {
  async pay(at: number) {
    const desk = await some<{ id: number }>(
      'select d."id" from cash_desks d join cash_shifts s on s."idDesk" = d."id" and s."dateClosed" is null order by d."id"',
      at,
    )
    const owes = await some<{ id: number }>(
      'select a."idCustomer" as id from ledger_lines w join ledger_accounts a on a."id" = w."idAccount" where w."charged" > w."allocated" order by w."idLine"',
      at,
    )
    if (desk && owes)
      await admin.post('/payments/take', {
        key: randomUUID(),
        idDesk: desk.id,
        idCustomer: owes.id,
        parts: [{ method: 'cash', sum: 100 + at }],
      })
  },
  async refund(at: number) {
    const payment = await some<{ id: number; sum: string; method: string }>(
      `select p."id", r."sum", r."method" from payments p join payments_parts r on r."idPayment" = p."id"
       where p."kind" = 'payment' and p."idStatus" = 2 order by p."id" desc limit 40`,
      at,
    )
    if (payment)
      await admin.post(`/payments/${payment.id}/refund`, {
        key: randomUUID(),
        parts: [{ method: payment.method, sum: 1 + (at % 50) }],
        reason: 'Пациент передумал',
      })
  },
  /** Moves a coupon to another day, with its visit. */
  async moveVisit(at: number) {
    const one = await some<{ id: number; coupon: number; day: string }>(
      'select a."id", c."id" as coupon, c."localDate" as day from appointments a join coupons c on c."idAppointment" = a."id" order by a."id"',
      at * 37,
    )
    if (!one) return
    const localDate = plusDays(one.day, (at % 41) - 30)
    await inTx(async (all) => {
      await all.asSystem.updateWhere(Coupon, ({ row }) => sql`${row}."id" = ${one.coupon}`, { localDate }, pastHooks)
      await all.asSystem.updateWhere(Appointment, ({ row }) => sql`${row}."id" = ${one.id}`, { localDate }, pastHooks)
    })
  },
  /** Changes the outcome of a past visit: completed, missed, cancelled. */
  async status(at: number) {
    const one = await some<{ id: number }>('select "id" from appointments order by "id"', at * 53)
    const visitStatus = (['completed', 'noShow', 'cancelled'] as const)[at % 3] as 'completed'
    if (one)
      await inTx(async (all, tx) => {
        await all.asSystem.updateWhere(
          Appointment,
          ({ row }) => sql`${row}."id" = ${one.id}`,
          { visitStatus },
          pastHooks,
        )
        await chargeVisit(all, tx, one.id)
      })
  },
  /** Gives, cancels or reprices a line; the ledger follows. */
  async correct(at: number) {
    const one = await some<{ id: number; visit: number; completed: boolean }>(
      'select l."id", c."idAppointment" as visit, l."completed" from coupon_services l join coupons c on c."id" = l."idCoupon" order by l."id"',
      at * 29,
    )
    if (one)
      await inTx(async (all, tx) => {
        const values = { completed: at % 2 ? !one.completed : one.completed, price: 300 + at * 10, discount: at % 7 }
        await all.asSystem.updateWhere(CouponService, ({ row }) => sql`${row}."id" = ${one.id}`, values, pastHooks)
        await chargeVisit(all, tx, one.visit)
      })
  },
  async merge(at: number) {
    const pair = await clinic.db.query<{ id: number }>({
      text: `select distinct a."idCustomer" as id from appointments a join customers c on c."id" = a."idCustomer" and not c."deleted"
        where a."visitStatus" = 'completed' order by 1 offset $1 limit 2`,
      values: [at],
    })
    const [kept, merged] = pair.map(({ id }) => id)
    if (!kept || !merged) return
    const done = await admin.post(`/customers/${kept}/merge`, { idMerged: merged, take: [] })
    if (done.status === 200 && at % 2) await admin.post(`/customers/merges/${done.body.id}/undo`)
  },
  async source(at: number) {
    const source = await some<{ id: number }>('select "id" from customer_sources order by "id"', at)
    const patient = await some<{ id: number }>('select distinct "idCustomer" as id from payments order by 1', at * 11)
    if (source && patient) await inTx((all) => all.asSystem.update(Customer, patient.id, { idSource: source.id }))
  },
  /** Another source is advertised. */
  async campaign(at: number) {
    const source = await some<{ id: number }>('select "id" from customer_sources order by "id"', at)
    const campaign = await some<{ id: number }>('select "id" from advertising_campaigns order by "id"', at * 3)
    if (source && campaign) await inTx((all) => all.asSystem.update(AdCampaign, campaign.id, { idSource: source.id }))
  },
  async rename(at: number) {
    const source = await some<{ id: number }>('select "id" from customer_sources order by "id"', at)
    if (source)
      await inTx((all) => all.asSystem.update(CustomerSource, source.id, { sourceName: `Источник ${randomUUID()}` }))
  },
  /** Adds, extends or removes a break in a past shift. */
  async absence(at: number) {
    const one = await some<{ id: number; dateFrom: string }>(
      `select "id", "dateFrom" from staff_events where "type" <> 'shift' and not "deleted" and "comment" = 'Опоздание' order by "id"`,
      at,
    )
    const shift = await some<{ idUser: number; idFilial: number; localDate: string; dateFrom: string; dateTo: string }>(
      `select "idUser", "idFilial", "localDate", "dateFrom", "dateTo" from staff_events where "type" = 'shift' and not "deleted" order by "id"`,
      at * 31,
    )
    if (!shift) return
    await inTx(async (all) => {
      if (one && at % 3 === 0)
        return all.asSystem.deleteWhere(StaffEvent, ({ row }) => sql`${row}."id" = ${one.id}`, pastHooks)
      if (one && at % 3 === 1)
        return all.asSystem.updateWhere(
          StaffEvent,
          ({ row }) => sql`${row}."id" = ${one.id}`,
          { dateFrom: shift.dateFrom, dateTo: shift.dateTo, localDate: shift.localDate, idUser: shift.idUser },
          pastHooks,
        )
      return all.asSystem.createFrom(
        StaffEvent,
        sql`staff_events s where s."idUser" = ${shift.idUser} and s."dateFrom" = ${shift.dateFrom}::timestamptz and s."type" = 'shift'`,
        {
          type: 'meeting',
          comment: 'Опоздание',
          idUser: sql`s."idUser"`,
          idFilial: sql`s."idFilial"`,
          localDate: sql`s."localDate"`,
          localFrom: sql`s."localFrom"`,
          localTo: sql`s."localTo"`,
          dateFrom: sql`s."dateFrom"`,
          dateTo: sql`s."dateFrom" + interval '40 minutes'`,
          idAuthor: sql`s."idUser"`,
        },
        pastHooks,
      )
    })
  },
  pass: () => rollUp(clinic.context),
  /** A pass that has marked the writes and counted none of them. */
  stopped: () => rollUp(clinic.context, AbortSignal.abort()),
}
type Act = keyof typeof acts

it('equals the count of all facts after any writes, with a pass at any moment', async () => {
  await expectSame('at first')
  const act = fc.record({
    what: fc.constantFrom(...(Object.keys(acts) as Act[])),
    at: fc.nat(200),
  })
  await fc.assert(
    fc.asyncProperty(fc.array(act, { minLength: 6, maxLength: 14 }), async (list) => {
      for (const { what, at } of list) await acts[what](at)
      const writes = list.map(({ what, at }) => `${what}(${at})`).join(' ')
      await expectSame(writes)
      await rollUp(clinic.context)
      await expectSame(`${writes} pass`)
    }),
    {
      numRuns: runs(3, 60),
      endOnFailure: true,
      // Merged cards are one patient in every set of patients, and two again after the undo.
      examples: [
        [
          [0, 2, 3].flatMap((at): { what: Act; at: number }[] => [
            { what: 'merge', at },
            { what: 'campaign', at },
            { what: 'pass', at },
          ]),
        ],
      ],
    },
  )
})

it('reads counted days only from the rollup', async () => {
  await rollUp(clinic.context)
  for (const source of sources) {
    const live = await liveDays(clinic.db, source, { from: plusDays(today, -50), until: plusDays(today, -3) })
    expect([source.report.key, live]).toEqual([source.report.key, []])
  }
  // Proves the source: a write past the engine is not in the rollup, and is in a count of all days.
  const [source] = sources.filter(({ report }) => report.key === 'visits') as [RolledSource]
  const filter = filterOf(source.report, period, systemActor)
  const before = await readFigures(reading(), source, filter, [])
  await clinic.db.query(sql`update ${tableSql(nameOf(source))} set "_m_booked" = "_m_booked" + 1`)
  const after = await readFigures(reading(), source, filter, [])
  expect(after.total.values.booked).toBeGreaterThan(before.total.values.booked as number)
  await clinic.db.tx((tx) => dirtyAll(tx, source))
  expect((await readFigures(reading(), source, filter, [])).total.values).toEqual(before.total.values)
  await rollUp(clinic.context)
  expect((await readFigures(reading(), source, filter, [])).total.values).toEqual(before.total.values)
})

it('loses nothing when the worker is killed in the middle', async () => {
  await acts.correct(17)
  await acts.moveVisit(23)
  const name = nameOf(sources[0] as RolledSource)
  const killed = await clinic.db.tx(async (tx) => {
    // The count waits for this lock, and is killed while waiting.
    await tx.query(sql`lock table ${tableSql(name)} in access exclusive mode`)
    await dirtyAll(clinic.db, sources[0] as RolledSource)
    const pass = rollUp(clinic.context).catch((error: Error) => error)
    await expect
      .poll(
        () =>
          clinic.db.one(sql`select pg_terminate_backend(l.pid) as done from pg_locks l
            where not l.granted and l.relation = ${`rollups."${name}"`}::regclass`),
        { timeout: 60_000 },
      )
      .toEqual({ done: true })
    return { pass }
  })
  expect(await killed.pass).toBeInstanceOf(Error)
  await expectSame('killed')
  await rollUp(clinic.context)
  await expectSame('after the next pass')
})
