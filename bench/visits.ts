/**
 * Visits: the free times of a service over thirty doctors and sixty days, and the day of a branch, with 500,000 visits in
 * the table. One request at a time, over HTTP, as an employee who may book.
 */
import { dayIn, plusDays } from '@ordinator/model/zone'
import { type BenchClinic, release, startClinic } from './clinic.ts'
import { type Line, median, ms, type Part } from './table.ts'

const LOGIN = 'bench-1'
const VISITS = 500_000
const [DOCTORS, DAYS] = [30, 60]
/** Rights to see the grid, book and move. */
const RIGHTS = ['viewCustomers', 'viewCalendar', 'viewAllAppointments', 'createAppointments', 'editAppointments']
const REPEATS = 25
const SLOTS_GOAL = 50

export async function measureVisits(): Promise<Part> {
  const clinic = await startClinic({ tasks: 2_000, durable: false })
  const doctors = clinic.data.idUsers.slice(0, DOCTORS)
  const past = Math.ceil(VISITS / DOCTORS / 24)
  const { idFilial, idService } = await fillVisits(clinic, { doctors, past, days: DAYS })
  const token = await clinic.signIn(LOGIN)
  const day = (days: number) => plusDays(dayIn('Europe/Moscow', Date.now()), days)
  const span = `from=${day(1)}&to=${day(DAYS)}`
  const asked: [what: string, path: string, goal?: number][] = [
    ['first 20 free times', `/appointments/slots?idService=${idService}&${span}`, SLOTS_GOAL],
    [
      '20 in the whole of it: nothing so long is free',
      `/appointments/slots?idService=${idService}&${span}&minutes=420`,
    ],
    ['a day of the branch', `/appointments/day?idFilial=${idFilial}&date=${day(3)}`],
  ]
  const lines: Line[] = []
  for (const [what, path, goal] of asked) {
    const times: number[] = []
    let found = 0
    for (let at = 0; at < REPEATS; at++) {
      const began = performance.now()
      const response = await fetch(clinic.product.url + path, { headers: { authorization: `Bearer ${token}` } })
      const body = (await response.json()) as { items?: unknown[]; visits?: unknown[] }
      times.push(performance.now() - began)
      if (!response.ok) throw new Error(`${path}: ${response.status} ${JSON.stringify(body).slice(0, 300)}`)
      found = (body.items ?? body.visits ?? []).length
    }
    lines.push({
      what: `${what} (${found}): median`,
      product: ms(median(times)),
      ...(goal !== undefined && { goal: { text: `≤ ${goal} ms`, met: median(times) <= goal } }),
    })
    lines.push({ what: '  best', product: ms(Math.min(...times)) })
  }
  await release()
  return { title: `Visits: ${DOCTORS} doctors, ${DAYS} days, ${VISITS.toLocaleString('en')} visits`, lines }
}

/**
 * A branch of these doctors: the past days are full of visits, the future days are filled to 60 %. Any user of the big
 * data set may see the grid, book and move.
 */
export async function fillVisits(
  { client, data }: BenchClinic,
  { doctors, past, days }: { doctors: readonly number[]; past: number; days: number },
): Promise<{ idFilial: number; idService: number }> {
  const one = async (text: string, values: unknown[] = []): Promise<number> =>
    Number((await client.query<{ id: string }>(`${text} returning "id"`, values)).rows[0]?.id)
  const idUser = data.idUsers[0] as number
  await client.query({
    text: `insert into "user_permissions" ("idUser", "permission") select u, p from unnest($1::bigint[]) u, unnest($2::text[]) p
      on conflict do nothing`,
    values: [data.idUsers, RIGHTS],
  })
  const idFilial = await one(`insert into filials ("nameFilial", "timeZone") values ($1, 'Europe/Moscow')`, [
    `Мерный, врачей: ${doctors.length}`,
  ])
  const idService = await one(
    `insert into services ("nameService", "priceService", "userCreate", "userChange") values ('Приём', 1000, $1, $1)`,
    [idUser],
  )
  await client.query({
    text: `insert into service_durations ("idService", "minutes") values ($1, 30)`,
    values: [idService],
  })
  await client.query({
    text: `insert into customers ("surname") select 'Мерный ' || n from generate_series(1, 20000) n`,
  })
  await client.query({
    text: `with shift as (insert into staff_events ("type", "idUser", "idFilial", "localDate", "localFrom", "localTo", "dateFrom", "dateTo", "idAuthor")
        select 'shift', u, $2, d::date, '08:00', '20:00', (d::date + interval '8 hours') at time zone 'Europe/Moscow',
          (d::date + interval '20 hours') at time zone 'Europe/Moscow', $3
        from unnest($1::bigint[]) u, generate_series(current_date - $4::int, current_date + $5::int, '1 day') d returning *),
      visit as (insert into appointments ("idCustomer", "idFilial", "idUser", "localDate", "localStart", "dateFrom", "dateTo", "visitStatus", "idAuthor")
        select 1 + (s."id" * 24 + k) % 20000 + (select min("id") from customers) - 1, $2, s."idUser", s."localDate",
          to_char(interval '8 hours' + make_interval(mins => 30 * k), 'HH24:MI'), s."dateFrom" + make_interval(mins => 30 * k),
          s."dateFrom" + make_interval(mins => 30 * k + 30), case when s."dateTo" < now() then 'completed' else 'booked' end, $3
        from shift s, generate_series(0, 23) k where s."localDate" < current_date or (s."id" * 24 + k) * 7 % 10 < 6 returning *),
      coupon as (insert into coupons ("idAppointment", "idService", "idUser", "idFilial", "localDate", "localStart", "dateFrom", "dateTo", "minutes")
        select "id", $6, "idUser", $2, "localDate", "localStart", "dateFrom", "dateTo", 30 from visit returning *),
      line as (insert into coupon_services ("idCoupon", "idService", "price") select "id", $6, 1000 from coupon)
      insert into visit_occupancy ("resource", "lane", "during", "idCoupon")
        select "idUser", 0, tstzrange("dateFrom", "dateTo"), "id" from coupon`,
    values: [doctors, idFilial, idUser, past, days, idService],
  })
  await client.query({ text: 'analyze' })
  return { idFilial, idService }
}
