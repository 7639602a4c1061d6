/**
 * Finance: payroll of a month for 300 employees and 60,000 services, alone and beside closed months of the same size;
 * the advertising report on 10,000 appeals, alone and among a million.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { type BenchClinic, release, startClinic } from './clinic.ts'
import { type Line, median, ms, type Part } from './table.ts'

const LOGIN = 'bench-1'
const PEOPLE = 300
const SERVICES = 60_000
const RUN_GOAL = 10_000
const SHOWN = 10_000
const APPEALS = 1_000_000
const REPEATS = 25
const REPORT_GOAL = 1.5
const RIGHTS = ['payroll', 'viewAdvertising', 'viewExpenses']

export async function measureFinance(): Promise<Part> {
  const clinic = await startClinic({ tasks: 2_000, durable: false })
  await clinic.client.query({
    text: `insert into "user_permissions" ("idUser", "permission") select $1, p from unnest($2::text[]) p`,
    values: [clinic.data.idUsers[0], RIGHTS],
  })
  const token = await clinic.signIn(LOGIN)
  const call = async (method: string, path: string, body?: object): Promise<any> => {
    const answer = await fetch(clinic.product.url + path, {
      method,
      headers: { authorization: `Bearer ${token}`, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    })
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${(await answer.text()).slice(0, 300)}`)
    return answer.json()
  }
  const lines = [...(await payrollLines(clinic, call)), ...(await advertisingLines(clinic, call))]
  await release()
  return { title: `Pay of ${PEOPLE} people, advertising of ${APPEALS.toLocaleString('en')} appeals`, lines }
}

type Call = (method: string, path: string, body?: object) => Promise<any>

async function payrollLines({ client, data }: BenchClinic, call: Call): Promise<Line[]> {
  const idFilial = await fillBranch({ client, data })
  const months = ['2026-10-01', '2026-09-01', '2026-08-01', '2026-07-01']
  const [last = '', ...before] = months
  await fillMonth({ client, data }, idFilial, last)
  const calculate = async (idPeriod: number) => {
    const began = performance.now()
    const { id } = await call('POST', `/payroll/periods/${idPeriod}/calculate`, { trial: false })
    for (;;) {
      const run = await call('GET', `/payroll/runs/${id}`)
      if (run.status === 'done') return { took: performance.now() - began, run }
      if (run.status === 'failed') throw new Error(run.error)
      await sleep(50)
    }
  }
  const lines: Line[] = []
  const line = (what: string, { took, run }: Awaited<ReturnType<typeof calculate>>) =>
    lines.push({
      what: `${what}: ${run.added.toLocaleString('en')} lines made, ${run.changed.toLocaleString('en')} changed`,
      product: ms(took),
      goal: { text: `≤ ${RUN_GOAL} ms`, met: took <= RUN_GOAL },
    })
  const period = await call('POST', '/payroll/periods', { month: last, idFilial })
  line('the first calculation', await calculate(period.id))
  line('calculated again', await calculate(period.id))
  await client.query('update coupon_services set "price" = "price" + 10')
  line('again, all prices changed', await calculate(period.id))
  for (const month of before) {
    await fillMonth({ client, data }, idFilial, month)
    await calculate((await call('POST', '/payroll/periods', { month, idFilial })).id)
  }
  await client.query({
    text: `update payroll_periods set "status" = 'closed', "dateClosed" = now() where "id" <> $1`,
    values: [period.id],
  })
  await client.query('analyze')
  line(`again beside ${before.length} closed months of the same size`, await calculate(period.id))
  const times: number[] = []
  for (let at = 0; at < REPEATS; at++) {
    const began = performance.now()
    await call('GET', `/payroll/slips?filter[idPeriod]=${period.id}&limit=500`)
    times.push(performance.now() - began)
  }
  lines.push({ what: '  the sheet of 300 people: median', product: ms(median(times)) })
  return lines
}

async function fillBranch({ client, data }: Pick<BenchClinic, 'client' | 'data'>): Promise<number> {
  const one = async (text: string, values: unknown[] = []): Promise<number> =>
    Number((await client.query<{ id: string }>(`${text} returning "id"`, values)).rows[0]?.id)
  const idUser = data.idUsers[0]
  const idFilial = await one(`insert into filials ("nameFilial", "timeZone") values ('Мерный', 'Europe/Moscow')`)
  await one(`insert into organizations ("shortName", "kind") values ('Мерная', 'own')`)
  await client.query({
    text: `insert into users ("surname", "name", "post", "login", "filials")
      select 'Мерный ' || n, 'Врач', 'Мерщик', 'paid-' || n, array[$1::bigint] from generate_series(1, $2::int) n`,
    values: [idFilial, PEOPLE],
  })
  await client.query({
    text: `insert into services ("nameService", "priceService", "userCreate", "userChange")
      select 'Мерная услуга ' || n, 1000 + n, $1, $1 from generate_series(1, 200) n`,
    values: [idUser],
  })
  await client.query(`insert into customers ("surname") select 'Мерный ' || n from generate_series(1, 10000) n`)
  await client.query({
    text: `insert into payroll_schemes ("name", "post", "dateFrom", "idAuthor", "rules") values ('Мерная', 'Мерщик', '2020-01-01', $1, $2::jsonb)`,
    values: [
      idUser,
      JSON.stringify([
        { code: 's', type: 'salary', sum: 40_000, norm: 'none' },
        { code: 'p', type: 'percent', rate: 30, base: 'discounted', lessCosts: true },
      ]),
    ],
  })
  return idFilial
}

async function fillMonth(
  { client, data }: Pick<BenchClinic, 'client' | 'data'>,
  idFilial: number,
  month: string,
): Promise<void> {
  await client.query({
    text: `with who as (select "id", row_number() over (order by "id") - 1 as at from users where "post" = 'Мерщик'),
        service as (select "id", "priceService" as price, row_number() over (order by "id") - 1 as at from services where "nameService" like 'Мерная услуга%'),
        patient as (select "id", row_number() over (order by "id") - 1 as at from customers where "surname" like 'Мерный %'),
        plan as materialized (select n, w."id" as "idUser", p."id" as "idCustomer", $2::date + (n % 28)::int as day,
            ($2::date + (n % 28)::int + interval '10 hours') at time zone 'Europe/Moscow' as at
          from generate_series(1, $3::int) n join who w on w.at = n % $4 join patient p on p.at = (n * 7) % 10000),
        visit as (insert into appointments ("idCustomer", "idFilial", "idUser", "localDate", "localStart", "dateFrom", "dateTo", "visitStatus", "idAuthor")
          select "idCustomer", $1, "idUser", day, '10:00', at, at + interval '30 minutes', 'completed', $5 from plan returning *),
        coupon as (insert into coupons ("idAppointment", "idService", "idUser", "idFilial", "localDate", "localStart", "dateFrom", "dateTo", "minutes")
          select v."id", s."id", v."idUser", $1, v."localDate", '10:00', v."dateFrom", v."dateTo", 30
          from visit v join service s on s.at = v."id" % 200 returning *)
      insert into coupon_services ("idCoupon", "idService", "price", "completed", "dateCompleted")
        select c."id", c."idService", s.price, true, c."dateTo" from coupon c join service s on s."id" = c."idService"`,
    values: [idFilial, month, SERVICES, PEOPLE, data.idUsers[0]],
  })
  await client.query('analyze')
}

async function advertisingLines({ client, data }: BenchClinic, call: Call): Promise<Line[]> {
  // The visits of the payroll are collected as bookings in the background: they would come between the two measures.
  await client.query(`insert into ad_collected ("source", "lastId") select 'appointments', max("id") from appointments
    on conflict ("source") do update set "lastId" = excluded."lastId"`)
  await client.query('delete from advertising_conversions')
  await client.query({
    text: `insert into advertising_campaigns ("name", "channel", "dateFrom", "idAuthor", "status")
      select 'Мерная ' || n, 'context', '2020-01-01', $1, 'active' from generate_series(1, 30) n`,
    values: [data.idUsers[0]],
  })
  await client.query(`insert into advertising_costs ("idCampaign", "localDate", "cost", "clicks")
    select c."id", d::date, 100, 10 from advertising_campaigns c, generate_series(date '2024-01-01', date '2026-10-31', '1 day') d`)
  const fill = async (count: number, from: string, days: number) => {
    await client.query({
      text: `insert into advertising_conversions ("kind", "mark", "dateConversion", "idCustomer", "idFilial", "idFirst", "idLast", "firstWay", "lastWay")
        select 'appeal', 'bench:' || $2 || ':' || n, $2::date + interval '9 hours' + make_interval(days => n % $3::int, secs => n % 30000),
          1 + (select min("id") from customers) + n % 9000, (select max("id") from filials), c."id", c."id", 'utm', 'utm'
        from generate_series(1, $1::int) n join (select "id", row_number() over (order by "id") - 1 as at from advertising_campaigns) c on c.at = n % 30`,
      values: [count, from, days],
    })
    await client.query('vacuum analyze advertising_conversions')
  }
  const report = async (from: string, to: string): Promise<{ took: number; appeals: number }> => {
    const times: number[] = []
    let appeals = 0
    for (let at = 0; at < REPEATS; at++) {
      const began = performance.now()
      const answer = await call('GET', `/advertising/report?from=${from}&to=${to}&touch=last`)
      times.push(performance.now() - began)
      appeals = answer.total.appeals
    }
    return { took: median(times), appeals }
  }
  await fill(SHOWN, '2026-10-01', 28)
  const alone = await report('2026-10-01', '2026-10-31')
  await fill(APPEALS - SHOWN, '2024-01-01', 1000)
  const among = await report('2026-10-01', '2026-10-31')
  const whole = await report('2024-10-01', '2026-09-28')
  const named = (count: number) => count.toLocaleString('en')
  return [
    { what: `the report of ${named(alone.appeals)} appeals, all there are: median`, product: ms(alone.took) },
    {
      what: `  of the same among ${named(APPEALS)}: median`,
      product: ms(among.took),
      ratio: among.took / alone.took,
      goal: { text: `≤ ${REPORT_GOAL}×`, met: among.took / alone.took <= REPORT_GOAL },
    },
    { what: `  of two years, ${named(whole.appeals)} appeals: median`, product: ms(whole.took) },
  ]
}
