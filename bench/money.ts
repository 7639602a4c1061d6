/** Money: the account of a patient with 5,000 lines, and a month of 100,000 payments in the ledger, the payments and the shifts. */
import { type BenchClinic, release, startClinic } from './clinic.ts'
import { type Line, median, ms, type Part } from './table.ts'

const LOGIN = 'bench-1'
const LINES = 5_000
const PAYMENTS = 100_000
const DESKS = 3
const DAYS = 30
const REPEATS = 25
const ACCOUNT_GOAL = 30
const METHODS = ['cash', 'card', 'sbp', 'transfer']

export async function measureMoney(): Promise<Part> {
  const clinic = await startClinic({ tasks: 2_000, durable: false })
  const idCustomer = await fill(clinic)
  const token = await clinic.signIn(LOGIN)
  const get = async (path: string) => {
    const answer = await fetch(clinic.product.url + path, { headers: { authorization: `Bearer ${token}` } })
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${(await answer.text()).slice(0, 300)}`)
    return answer.json()
  }
  const times: number[] = []
  for (let at = 0; at < REPEATS; at++) {
    const began = performance.now()
    await get(`/customers/${idCustomer}/account`)
    times.push(performance.now() - began)
  }
  const lines: Line[] = [
    {
      what: `the account of a patient with ${LINES.toLocaleString('en')} lines: median`,
      product: ms(median(times)),
      goal: { text: `≤ ${ACCOUNT_GOAL} ms`, met: median(times) <= ACCOUNT_GOAL },
    },
    { what: '  best', product: ms(Math.min(...times)) },
    ...(await monthLines(clinic, get)),
  ]
  await release()
  return { title: `Money: a month of ${PAYMENTS.toLocaleString('en')} payments`, lines }
}

type Sums = Record<string, number>

/** Compares the month's totals by the ledger, by the payments and by the reports of the shifts of its cash desks. */
async function monthLines({ client }: BenchClinic, get: (path: string) => Promise<any>): Promise<Line[]> {
  const sumsOf = async (text: string): Promise<Sums> => {
    const { rows } = await client.query<{ key: string; sum: string }>(text)
    return Object.fromEntries(rows.map(({ key, sum }) => [key, Number(sum)]))
  }
  const ledger = await sumsOf(`select t."kind" || ' ' || a."method" as key, abs(sum(e."amount"))::text as sum
    from ledger_txs t join ledger_entries e on e."idTx" = t."id" join ledger_accounts a on a."id" = e."idAccount"
    where a."kind" = 'desk' group by 1`)
  const payments = await sumsOf(`select p."kind" || ' ' || t."method" as key, (sum(t."sum") * 100)::bigint::text as sum
    from payments p join payments_parts t on t."idPayment" = p."id" group by 1`)
  const { rows } = await client.query<{ id: string }>('select "id" from cash_shifts order by 1')
  const shifts: Sums = {}
  const add = (key: string, rubles: number) => {
    if (rubles) shifts[key] = (shifts[key] ?? 0) + Math.round(rubles * 100)
  }
  const times: number[] = []
  for (const { id } of rows) {
    const began = performance.now()
    const { methods } = await get(`/cash-shifts/${id}/report`)
    times.push(performance.now() - began)
    for (const { method, taken, returned } of methods) {
      add(`payment ${method}`, taken)
      add(`refund ${method}`, returned)
    }
  }
  const textOf = (sums: Sums) => JSON.stringify(Object.entries(sums).toSorted())
  const met = textOf(ledger) === textOf(payments) && textOf(ledger) === textOf(shifts)
  const all = Object.values(ledger).reduce((sum, one) => sum + one, 0)
  return [
    {
      what: `the month by ledger, payments and ${rows.length} shifts: kopecks moved`,
      product: all.toLocaleString('en'),
      goal: { text: 'the same', met },
    },
    { what: '  the report of a shift: median', product: ms(median(times)) },
  ]
}

/** @returns the customer with the long account */
async function fill({ client, data }: BenchClinic): Promise<number> {
  const one = async (text: string, values: unknown[] = []): Promise<number> =>
    Number((await client.query<{ id: string }>(`${text} returning "id"`, values)).rows[0]?.id)
  await client.query({
    text: `insert into "user_permissions" ("idUser", "permission") select $1, p from unnest($2::text[]) p`,
    values: [data.idUsers[0], ['viewCustomers', 'viewCashDesk', 'viewAllCashDesks']],
  })
  const idFilial = await one(`insert into filials ("nameFilial", "timeZone") values ('Мерный', 'Europe/Moscow')`)
  const idOrganization = await one(`insert into organizations ("shortName", "kind") values ('Мерная', 'own')`)
  const idCustomer = await one(`insert into customers ("surname") values ('Многолетний')`)
  await client.query(`insert into customers ("surname") select 'Мерный ' || n from generate_series(1, 10000) n`)
  await client.query({
    text: `with desk as (insert into cash_desks ("name", "idFilial", "idOrganization") select 'Касса ' || n, $1, $2
        from generate_series(1, $3::int) n returning "id")
      insert into cash_shifts ("idDesk", "number", "localDate", "dateOpened", "dateClosed", "opening")
      select d."id", n, date '2026-09-30' + n, timestamptz '2026-09-30 08:00+03' + n * interval '1 day',
        timestamptz '2026-09-30 20:00+03' + n * interval '1 day', 0 from desk d, generate_series(1, $4::int) n`,
    values: [idFilial, idOrganization, DESKS, DAYS],
  })
  const accounts = `insert into ledger_accounts ("kind", "idOrganization", "idCustomer", "idDesk", "method")`
  await client.query(`${accounts} select 'patient', $1, "id", null, null from customers`, [idOrganization])
  await client.query(`${accounts} values ('revenue', $1, null, null, null)`, [idOrganization])
  await client.query(`${accounts} select 'desk', $1, null, d."id", m from cash_desks d, unnest($2::text[]) m`, [
    idOrganization,
    METHODS,
  ])
  // Every tenth payment is a refund; sums have kopecks.
  await client.query({
    text: `with shift as (select "id", "idDesk", "localDate", row_number() over (order by "id") - 1 as at from cash_shifts),
        patient as (select "id", "idCustomer", row_number() over (order by "id") - 1 as at from ledger_accounts where "kind" = 'patient'),
        plan as materialized (select n, s."id" as "idShift", s."idDesk", s."localDate", p."id" as "idAccount", p."idCustomer",
            case when n % 10 = 0 then 'refund' else 'payment' end as kind, ($3::text[])[1 + (n / 7) % 4] as method,
            100 + (n::bigint * 7919) % 900000 as amount
          from generate_series(1, $1::int) n
            join shift s on s.at = n % (select count(*) from shift) join patient p on p.at = n % (select count(*) from patient)),
        payment as (insert into payments ("kind", "idStatus", "idCustomer", "idOrganization", "idDesk", "idShift", "localDate", "sum", "comment", "idAuthor")
          select kind, 2, "idCustomer", $2, "idDesk", "idShift", "localDate", amount / 100.0, n::text, $4 from plan returning "id", "comment"),
        part as (insert into payments_parts ("idPayment", "method", "sum")
          select y."id", method, amount / 100.0 from plan join payment y on y."comment" = n::text),
        tx as (insert into ledger_txs ("key", "kind", "localDate", "idPayment", "idShift")
          select 'bench:' || n, kind, "localDate", y."id", "idShift" from plan join payment y on y."comment" = n::text
          returning "id", "key")
      insert into ledger_entries ("idTx", "idAccount", "amount")
      select t."id", e.account, e.amount from plan join tx t on t."key" = 'bench:' || n
        join ledger_accounts d on d."kind" = 'desk' and d."idDesk" = plan."idDesk" and d."method" = plan.method
        cross join lateral (values (d."id", case plan.kind when 'payment' then plan.amount else -plan.amount end),
          (plan."idAccount", case plan.kind when 'payment' then -plan.amount else plan.amount end)) e(account, amount)`,
    values: [PAYMENTS, idOrganization, METHODS, data.idUsers[0]],
  })
  await client.query({
    text: `with t as (insert into ledger_txs ("key", "kind", "localDate") select 'many-' || n, 'charge', '2026-01-01'
          from generate_series(1, $2::int) n returning "id"),
        a as (select "id", "kind" from ledger_accounts where "kind" = 'patient' and "idCustomer" = $1
          union all (select "id", "kind" from ledger_accounts where "kind" = 'revenue' limit 1))
      insert into ledger_entries ("idTx", "idAccount", "amount")
      select t."id", a."id", case a."kind" when 'patient' then 100 else -100 end from t, a`,
    values: [idCustomer, LINES],
  })
  await client.query('analyze')
  return idCustomer
}
