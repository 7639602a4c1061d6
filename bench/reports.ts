/**
 * Reports: every report of a network, over a month and over three years, one request at a time. Visits, their services,
 * payments, the ledger and the appeals before each tenth visit are generated in the database; chats, calls and violations
 * are not, so their reports would have no data and are left out.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { reports } from '@ordinator/model/reports'
import { figuresPath } from '@ordinator/model/reportWire'
import { dayIn, plusDays } from '@ordinator/model/zone'
import { type BenchClinic, release, startClinic } from './clinic.ts'
import { type Line, median, ms, type Part } from './table.ts'

const LOGIN = 'bench-1'
/** Visits of three years. */
export const REPORT_SIZES = [50_000, 500_000, 5_000_000]
const FILIALS = 20
const DAYS = 3 * 365
const REPEATS = 3
const TOKEN_MS = 5 * 60_000
const METHODS = ['cash', 'card', 'sbp', 'transfer']
const GOALS = { month: 300, 'three years': 2_000 } as const
/** The reports for which the data set has facts. */
const MEASURED = [
  'revenue',
  'payments',
  'transactions',
  'debts',
  'revenue-by-discounts',
  'visits',
  'load',
  'return',
  'revenue-by-customer-sources',
  'campaigns',
  'funnel',
  'appeals',
]
/** Those of them that are computed from the facts alone. */
const LIVE = ['debts', 'return', 'funnel', 'appeals']

/** Those of them that keep daily aggregates. */
const ROLLED = MEASURED.filter((key) => !LIVE.includes(key))

export async function measureReports(sizes: readonly number[]): Promise<Part> {
  const lines: Line[] = []
  for (const size of sizes) {
    const clinic = await startClinic({ tasks: 2_000, durable: false })
    const began = performance.now()
    await fill(clinic, size)
    const visits = size.toLocaleString('en')
    lines.push({ what: `${visits} visits: made in`, product: `${Math.round((performance.now() - began) / 1000)} s` })
    const tokenNow = lastingToken(clinic)
    lines.push({ what: `${visits} visits: days counted in`, product: `${await countDays(clinic, tokenNow)} s` })
    const until = dayIn('Europe/Moscow', Date.now())
    const spans = { month: plusDays(until, -30), 'three years': plusDays(until, -DAYS) }
    for (const report of reports.filter(({ key }) => MEASURED.includes(key)))
      for (const [span, from] of Object.entries(spans)) {
        if (report.isNow && span !== 'month') continue
        const token = await tokenNow()
        const asked = report.isNow ? '' : `?from=${from}&until=${until}`
        const times: number[] = []
        let status = 200
        for (let at = 0; at < REPEATS && status === 200; at++) {
          const start = performance.now()
          const answer = await fetch(`${clinic.product.url}${figuresPath(report)}${asked}`, {
            headers: { authorization: `Bearer ${token}` },
          })
          const text = await answer.text()
          times.push(performance.now() - start)
          status = answer.status
          if (status !== 200 && status !== 503) throw new Error(`${report.key}: ${status} ${text.slice(0, 300)}`)
        }
        const goal = GOALS[span as keyof typeof GOALS]
        const time = median(times)
        lines.push({
          what: `${visits}: ${report.key}, ${span}`,
          product: status === 200 ? ms(time) : `job (over ${ms(time)})`,
          goal: { text: `≤ ${goal} ms`, met: status === 200 && time <= goal },
        })
      }
    await release()
  }
  return { title: `Reports: ${FILIALS} branches, three years`, lines }
}

/** An access token, renewed before it ends: it lasts less than a large run. */
export function lastingToken(clinic: BenchClinic): () => Promise<string> {
  let [token, since] = ['', Number.NEGATIVE_INFINITY]
  return async () => {
    if (performance.now() - since > TOKEN_MS) {
      token = await clinic.signIn(LOGIN)
      since = performance.now()
    }
    return token
  }
}

/** Data generated in the database has no history entries, so all days are aggregated anew. */
export async function countDays(
  { product: { url } }: BenchClinic,
  tokenNow: () => Promise<string>,
  counted = DAYS,
): Promise<number> {
  const began = performance.now()
  const ask = async (path: string, body?: object): Promise<{ items: { dirty: number; days: number }[] }> => {
    const token = await tokenNow()
    const answer = await fetch(`${url}${path}`, {
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(body ? { method: 'POST', body: JSON.stringify(body) } : {}),
    })
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`)
    return answer.json() as Promise<{ items: { dirty: number; days: number }[] }>
  }
  for (const report of ROLLED) await ask('/reports/rollups/recount', { report })
  for (;;) {
    const { items } = await ask('/reports/rollups')
    if (items.every(({ dirty, days }) => dirty === 0 && days >= counted - 5)) break
    await sleep(500)
  }
  return Math.round((performance.now() - began) / 1_000)
}

/**
 * Rows are written in the order of their days, as a clinic writes them.
 * @param days before today over which the visits are spread
 */
export async function fill({ client, data }: BenchClinic, visits: number, spread = DAYS): Promise<void> {
  const run = (text: string, values: unknown[] = []) => client.query({ text, values })
  const one = async (text: string, values: unknown[] = []): Promise<number> =>
    Number((await client.query<{ id: string }>({ text: `${text} returning "id"`, values })).rows[0]?.id)
  const idUser = data.idUsers[0] as number
  const doctors = data.idUsers.slice(0, 30)
  await run(
    `insert into "user_permissions" ("idUser", "permission") select $1, p from unnest($2::text[]) p on conflict do nothing`,
    [idUser, ['mainSettings', ...new Set(reports.flatMap(({ any }) => [...any]))]],
  )
  await run(
    `insert into filials ("nameFilial", "timeZone") select 'Сеть ' || n, 'Europe/Moscow' from generate_series(1, $1::int) n`,
    [FILIALS],
  )
  const idOrganization = await one(`insert into organizations ("shortName", "kind") values ('Сеть', 'own')`)
  await run(
    `insert into services ("nameService", "priceService", "userCreate", "userChange") select 'Услуга ' || n, 500 + n * 40, $1, $1
      from generate_series(1, 60) n`,
    [idUser],
  )
  await run(`insert into customers ("surname") select 'Сетевой ' || n from generate_series(1, $1::int) n`, [
    Math.ceil(visits / 8),
  ])
  await run(
    `insert into cash_desks ("name", "idFilial", "idOrganization") select 'Касса ' || "id", "id", $1 from filials`,
    [idOrganization],
  )
  const accounts = `insert into ledger_accounts ("kind", "idOrganization", "idCustomer", "idDesk", "method")`
  await run(`${accounts} select 'patient', $1, "id", null, null from customers`, [idOrganization])
  await run(`${accounts} values ('revenue', $1, null, null, null)`, [idOrganization])
  await run(`${accounts} select 'desk', $1, null, d."id", m from cash_desks d, unnest($2::text[]) m`, [
    idOrganization,
    METHODS,
  ])
  await run(
    `insert into staff_events ("type", "idUser", "idFilial", "localDate", "localFrom", "localTo", "dateFrom", "dateTo", "idAuthor")
      select 'shift', u.id, f."id", d::date, '08:00', '20:00', (d::date + interval '8 hours') at time zone 'Europe/Moscow',
        (d::date + interval '20 hours') at time zone 'Europe/Moscow', $2
      from unnest($1::bigint[]) with ordinality u(id, at)
        join (select "id", row_number() over (order by "id") as at from filials) f on f.at = 1 + u.at % $3::int,
        generate_series(current_date - $4::int, current_date, '1 day') d`,
    [doctors, idUser, FILIALS, spread],
  )
  await run('analyze')
  await run(
    `create temp table plan as select n, current_date - ((($1::bigint - n) * $2) / $1::bigint)::int as day,
        (select min("id") from filials) + n % $3 as filial, ($4::bigint[])[1 + (n / 7) % 30] as doctor,
        (select min("id") from customers) + (n * 7919) % (select count(*) from customers) as customer,
        (select min("id") from services) + (n / 3) % 60 as service, (500 + ((n / 3) % 60) * 40)::numeric as price,
        case when n % 20 = 0 then 'cancelled' when n % 14 = 0 then 'noShow' else 'completed' end as status
      from generate_series(1, $1::bigint) n`,
    [visits, spread, FILIALS, doctors],
  )
  const when = `(p.day + interval '8 hours' + make_interval(mins => (p.n % 22)::int * 30)) at time zone 'Europe/Moscow'`
  await run(
    `with visit as (insert into appointments ("id", "idCustomer", "idFilial", "idUser", "localDate", "localStart", "dateFrom", "dateTo",
        "visitStatus", "idAuthor", "dateCreate")
      overriding system value select 10000000 + p.n, p.customer, p.filial, p.doctor, p.day, '10:00', ${when}, ${when} + interval '30 minutes', p.status, $1,
        ${when} - interval '2 days'
      from plan p returning "id")
    insert into coupons ("id", "idAppointment", "idService", "idUser", "idFilial", "localDate", "localStart", "dateFrom", "dateTo", "minutes", "cancelled")
      overriding system value select 10000000 + p.n, 10000000 + p.n, p.service, p.doctor, p.filial, p.day, '10:00', ${when}, ${when} + interval '30 minutes',
        30, p.status = 'cancelled' from plan p join visit v on v."id" = 10000000 + p.n`,
    [idUser],
  )
  await run(
    `insert into appeals ("idUser", "idCustomer", "idFilial", "entityType", "dateStart", "dateEnd")
      select $1, p.customer, p.filial, 'call', ${when} - interval '49 hours', ${when} - interval '48 hours' from plan p where p.n % 10 = 1`,
    [idUser],
  )
  await run(`insert into coupon_services ("id", "idCoupon", "idService", "price", "completed") overriding system value
    select 10000000 + p.n, 10000000 + p.n, p.service, p.price, p.status = 'completed' from plan p`)
  // Every second completed service has a payment row; one in five of these rows is a refund.
  await run(
    `insert into payments ("id", "kind", "idStatus", "idCustomer", "idOrganization", "idDesk", "localDate", "sum", "idAuthor")
      overriding system value select 10000000 + p.n, case when p.n % 10 = 4 then 'refund' else 'payment' end, 2, p.customer, $1,
        (select k."id" from cash_desks k where k."idFilial" = p.filial), p.day, p.price, $2
      from plan p where p.status = 'completed' and p.n % 2 = 0`,
    [idOrganization, idUser],
  )
  await run(
    `insert into payments_parts ("idPayment", "method", "sum")
      select y."id", ($1::text[])[1 + (y."id" / 3) % 4], y."sum" from payments y where y."id" > 10000000`,
    [METHODS],
  )
  await run(`insert into ledger_txs ("id", "key", "kind", "localDate", "idCouponService") overriding system value
    select 10000000 + p.n, 'c' || p.n, 'charge', p.day, 10000000 + p.n from plan p where p.status = 'completed'`)
  await run(`insert into ledger_txs ("id", "key", "kind", "localDate", "idPayment") overriding system value
    select 20000000 + y."id", 'p' || y."id", y."kind", y."localDate", y."id" from payments y where y."id" > 10000000`)
  await run(`alter table ledger_entries disable trigger user`)
  await run(`insert into ledger_entries ("idTx", "idAccount", "amount")
    select 10000000 + p.n, e.account, e.amount from plan p
      join ledger_accounts a on a."kind" = 'patient' and a."idCustomer" = p.customer
      cross join (select "id" from ledger_accounts where "kind" = 'revenue' limit 1) r
      cross join lateral (values (a."id", (p.price * 100)::bigint), (r."id", -(p.price * 100)::bigint)) e(account, amount)
    where p.status = 'completed'`)
  await run(`insert into ledger_entries ("idTx", "idAccount", "amount")
    select 20000000 + y."id", e.account, e.amount * case y."kind" when 'refund' then -1 else 1 end from payments y
      join payments_parts t on t."idPayment" = y."id"
      join ledger_accounts a on a."kind" = 'patient' and a."idCustomer" = y."idCustomer"
      join ledger_accounts d on d."kind" = 'desk' and d."idDesk" = y."idDesk" and d."method" = t."method"
      cross join lateral (values (a."id", -(y."sum" * 100)::bigint), (d."id", (y."sum" * 100)::bigint)) e(account, amount)
    where y."id" > 10000000`)
  await run(`alter table ledger_entries enable trigger user`)
  await run(`insert into ledger_lines ("idLine", "idAccount", "idTx", "charged", "allocated")
    select 10000000 + p.n, a."id", 10000000 + p.n, (p.price * 100)::bigint,
      case when p.n % 2 = 0 and p.n % 10 <> 4 then (p.price * 100)::bigint else 0 end
    from plan p join ledger_accounts a on a."kind" = 'patient' and a."idCustomer" = p.customer where p.status = 'completed'`)
  await run(`insert into ledger_credits ("idTx", "idAccount", "idPayment", "free")
    select 20000000 + y."id", a."id", y."id", 0 from payments y
      join ledger_accounts a on a."kind" = 'patient' and a."idCustomer" = y."idCustomer" where y."id" > 10000000 and y."kind" = 'payment'`)
  await run(`insert into ledger_allocations ("idTx", "idLine", "sum")
    select d."idTx", l."idLine", l."allocated" from ledger_credits d join ledger_lines l on l."idLine" = d."idPayment" where l."allocated" > 0`)
  await run('drop table plan')
  await run('vacuum analyze')
}
