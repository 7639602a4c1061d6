/**
 * Cost of the search for free times: proportional to its result, not to the tables. Counted in pages, which do not
 * depend on machine load.
 */
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Queryable } from '#platform/db.ts'
import { systemActor } from '#records/actor.ts'
import { type Caller, type Clinic, testApp } from '#testing/harness.ts'
import { addPerson } from '#testing/people.ts'
import { findSlots } from './slots.ts'
import type { SlotsAsked } from './slotsSql.ts'
import { dayAfter, worldOf } from './testing/world.ts'

let clinic: Clinic
let keeper: Caller
let worlds: ReturnType<typeof worldOf>

beforeAll(async () => {
  clinic = await testApp({ prepare: (app) => addPerson(app, 'keeper', worldOf.rights) })
  keeper = clinic.as('keeper')
  await keeper.token()
  worlds = worldOf(clinic, keeper)
})
afterAll(() => clinic.close())

const [DAYS, PER_SHIFT] = [60, 8]

/** Days of the doctors, each filled with half-hours from eight o'clock on. */
const work = (
  made: { idFilial: number; idDoctors: number[]; idCustomer: number },
  from: number,
  to: number,
  taken: number,
) =>
  clinic.db.tx(async (tx) => {
    await tx.query({ text: 'set local statement_timeout = 0' })
    await tx.query({
      text: `with shift as (insert into staff_events ("type", "idUser", "idFilial", "localDate", "localFrom", "localTo", "dateFrom", "dateTo", "idAuthor")
        select 'shift', u, $2, d::date, '08:00', '20:00', d + interval '8 hours', d + interval '20 hours', u
        from unnest($1::bigint[]) u, generate_series(current_date + $3::int, current_date + $4::int, '1 day') d returning *),
      visit as (insert into appointments ("idCustomer", "idFilial", "idUser", "localDate", "localStart", "dateFrom", "dateTo", "idAuthor")
        select $5, $2, s."idUser", s."localDate", '08:00', s."dateFrom" + make_interval(mins => 30 * k), s."dateFrom" + make_interval(mins => 30 * k + 30),
          s."idUser" from shift s, generate_series(1, $6::int) k returning *),
      coupon as (insert into coupons ("idAppointment", "idService", "idUser", "idFilial", "localDate", "localStart", "dateFrom", "dateTo", "minutes")
        select v."id", (select min("id") from services), "idUser", $2, "localDate", "localStart", "dateFrom", "dateTo", 30 from visit v returning *)
      insert into visit_occupancy ("resource", "lane", "during", "idCoupon") select "idUser", 0, tstzrange("dateFrom", "dateTo"), "id" from coupon`,
      values: [made.idDoctors, made.idFilial, from, to, made.idCustomer, taken],
    })
  })

interface Node {
  'Shared Hit Blocks': number
  'Shared Read Blocks': number
}

/** Pages read by all statements of a search. */
async function pagesOf(asked: SlotsAsked): Promise<{ pages: number; statements: number; found: number }> {
  const cost = { pages: 0, statements: 0, found: 0 }
  const explained: Queryable = {
    async query<R>(query: Parameters<Queryable['query']>[0]) {
      const values = query.values ?? []
      const [row] = await clinic.db.query<{ 'QUERY PLAN': { Plan: Node }[] }>({
        text: `explain (analyze, buffers, format json) ${query.text}`,
        values,
      })
      const plan = row?.['QUERY PLAN'][0]?.Plan as Node
      cost.pages += plan['Shared Hit Blocks'] + plan['Shared Read Blocks']
      cost.statements++
      return clinic.db.query<R>({ text: query.text, values })
    },
    one: () => Promise.reject(new Error('not asked')),
    cipher: clinic.db.cipher,
  }
  cost.found = (await findSlots(explained, systemActor, asked)).length
  return cost
}

it('reads in proportion to its result: no more with a table ten times as large, and few pages a day', async () => {
  const made = await worlds.make({ doctors: 10, shifts: false })
  const asked = { idServices: [made.idService], from: dayAfter(1), to: dayAfter(DAYS), limit: 20 }
  const settle = () => clinic.db.query({ text: 'vacuum analyze visit_occupancy, staff_events' })
  await work(made, 1, DAYS, PER_SHIFT)
  await settle()
  await pagesOf(asked)
  const small = await pagesOf(asked)
  await work(made, -DAYS * 4, -1, PER_SHIFT)
  await settle()
  const large = await pagesOf(asked)
  expect(small).toMatchObject({ found: 20 })
  expect(large).toMatchObject({ found: 20 })
  expect(large.pages).toBeLessThan(small.pages * 1.5 + 50)
  // The first day is enough: concurrency limits, performers, rules, that day.
  expect(large.statements).toBe(4)
  const none = await pagesOf({ ...asked, minutes: 700 })
  expect(none.found).toBe(0)
  // Ten doctors of sixty days: no read per shift.
  expect(none.pages).toBeLessThan(10 * DAYS * 8)
})
