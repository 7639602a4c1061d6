/**
 * The stock ledger as it grows: a storekeeper's requests, one at a time, each size in its own clinic; then posting a
 * document of 1,000 lines and a scan, at the largest size.
 */
import { dayIn, plusDays } from '@ordinator/model/zone'
import { closeDays } from '../apps/server/src/areas/warehouse/ledger.ts'
import { type BenchClinic, release, startClinic } from './clinic.ts'
import { alone } from './growth.ts'
import { type Line, median, ms, type Part } from './table.ts'

export const STOCK_SIZES = [50_000, 5_000_000]
const GOODS = 1_000
const WAREHOUSES = 3
const DAYS = 1_095
/** Moves per batch: one receipt, then issues piece by piece. */
const OF_BATCH = 20
const LINES = 1_000
const SCANS = 40
const LOGIN = 'bench-admin'
const MAX_GROWTH = 1.5
const POST_GOAL = 2_000
const SCAN_GOAL = 100

const today = dayIn('Europe/Moscow', Date.now())
const monthOf = (day: string) => `${day.slice(0, 8)}01`
const [mid, lastYear] = [plusDays(today, -200), plusDays(today, -365)]

const reads: { what: string; path: (idProduct: number) => string }[] = [
  { what: 'balance of all goods at a date', path: () => `/warehouse/balance?from=${mid}&to=${mid}` },
  { what: 'balance report of this month', path: () => '/warehouse/balance' },
  {
    what: 'balance report of a month of a year ago',
    path: () => `/warehouse/balance?from=${monthOf(lastYear)}&to=${lastYear}`,
  },
  { what: 'balance report of the last year', path: () => `/warehouse/balance?from=${lastYear}` },
  { what: 'card of a good', path: (id) => `/warehouse/goods/${id}/card` },
]

type Times = Awaited<ReturnType<typeof alone>>

export async function measureStock(sizes: number[]): Promise<Part> {
  const notes: string[] = []
  const times = reads.map((): Times[] => [])
  let tail: Line[] = []
  for (const size of sizes) {
    const clinic = await startClinic({ tasks: 2_000, durable: false })
    const began = performance.now()
    const { idProduct, idWarehouse } = await fill(clinic, size)
    const filled = performance.now()
    const closes = await closeDays(clinic.db)
    await clinic.client.query('analyze warehouse_turns; analyze warehouse_closes; analyze warehouse_months')
    notes.push(
      `${size.toLocaleString('en')} moves: made in ${((filled - began) / 1000).toFixed(0)} s, ${closes} closes in ${((performance.now() - filled) / 1000).toFixed(0)} s`,
    )
    const token = await clinic.signIn(LOGIN)
    for (const [i, { path }] of reads.entries()) times[i]?.push(await alone(clinic, path(idProduct), token))
    if (size === sizes.at(-1)) tail = await writes(clinic, idWarehouse, token)
    await release()
  }
  const lines = reads.map(({ what }, i): Line => {
    const found = times[i] as Times[]
    const [first, last] = [found[0], found.at(-1)] as [Times, Times]
    const growth = (last.server + last.postgres) / (first.server + first.postgres)
    return {
      what,
      product: found.map(({ best }) => ms(best)).join(' / '),
      yardstick: found.map(({ server, postgres }) => `${server.toFixed(1)} + ${postgres.toFixed(1)}`).join(' / '),
      ratio: growth,
      goal: { text: `≤ ${MAX_GROWTH}×`, met: growth <= MAX_GROWTH },
    }
  })
  return {
    title: `Stock at ${sizes.map((size) => size.toLocaleString('en')).join(' / ')} moves: the best of 25 calls (product); the processor's ms, server + PostgreSQL, the median call (yardstick); its growth from the first to the last (ratio)`,
    lines: [...lines, ...tail],
    notes,
  }
}

/** Goods, batches and moves of three years, by insert-select; every batch except the last of each product is used up. */
async function fill({ client, data }: BenchClinic, moves: number): Promise<{ idProduct: number; idWarehouse: number }> {
  const one = async (text: string, values: unknown[] = []): Promise<number> =>
    Number((await client.query<{ id: string }>({ text: `${text} returning "id"`, values })).rows[0]?.id)
  const idFilial = await one(`insert into filials ("nameFilial", "timeZone") values ('Мерный', 'Europe/Moscow')`)
  const idWarehouse = await one(
    `insert into warehouses ("name", "idFilial") select 'Склад ' || n, $1 from generate_series(1, ${WAREHOUSES}) n`,
    [idFilial],
  )
  const idProduct = await one(
    `insert into services ("nameService", "serviceCategory", "unit", "userCreate", "userChange")
    select 'Товар ' || n, 1, 'шт.', $1, $1 from generate_series(1, ${GOODS}) n`,
    [data.idUsers[0]],
  )
  const batches = moves / OF_BATCH
  await client.query('begin')
  await client.query('set local session_replication_role = replica')
  await client.query(`set local maintenance_work_mem = '1GB'; set local work_mem = '256MB'`)
  const { rows: indexes } = await client.query<{ name: string; definition: string }>(`
    select i.indexname as name, i.indexdef as definition from pg_indexes i
    where i.schemaname = 'public' and i.tablename in ('warehouse_moves', 'warehouse_batches', 'warehouse_stock')
      and not exists (select 1 from pg_constraint c where c.conname = i.indexname)`)
  for (const { name } of indexes) await client.query(`drop index "${name}"`)
  // One document per day and kind.
  await client.query({
    text: `insert into warehouse_documents ("number", "kind", "status", "localDate", "idAuthor")
      select 'М-' || d || '-' || k, k, 'posted', current_date - d, $1
      from generate_series(0, ${DAYS}) d, unnest(array['receipt', 'issue']) k`,
    values: [data.idUsers[0]],
  })
  // Batch k lies in cell k % cells; the batches of a cell follow each other over the three years.
  await client.query(
    `create temporary table plan on commit drop as
    select k, $1::bigint + (k % cells) % ${WAREHOUSES} as w, $2::bigint + (k % cells) / ${WAREHOUSES} as p, k / cells as turn,
      ceil($3::numeric / cells)::int as turns
    from generate_series(0, $3::bigint - 1) k, (select ${GOODS * WAREHOUSES}::bigint as cells) c`,
    [idWarehouse, idProduct, batches],
  )
  await client.query(`insert into warehouse_batches ("id", "idProduct", "series", "expiry", "cost")
    select k + 1, p, 'С' || k, current_date + 400, 10 from plan`)
  await client.query(`insert into warehouse_stock ("idWarehouse", "idProduct", "idBatch", "qty", "reserved")
    select w, p, k + 1, case when turn = turns - 1 then 100 else 0 end, 0 from plan`)
  await client.query(`insert into warehouse_moves ("localDate", "kind", "idWarehouse", "idProduct", "idBatch", "qty", "cost", "idDocument", "dateCreate")
    select m.day, m.kind, m.w, m.p, m.k + 1, m.qty, m.qty * 10, d."id", now()
    from (select k, w, p, case when n = 0 then 'receipt' else 'issue' end as kind,
        case when n > 0 then -1 when turn = turns - 1 then ${OF_BATCH - 1 + 100} else ${OF_BATCH - 1} end as qty,
        current_date - ${DAYS} + floor((turn + (n + (k % 7) / 7.0) / ${OF_BATCH + 1}.0) * ${DAYS} / turns)::int as day
      from plan, generate_series(0, ${OF_BATCH - 1}) n) m
    join warehouse_documents d on d."localDate" = m.day and d."kind" = m.kind order by m.day`)
  await client.query(`insert into warehouse_values ("idWarehouse", "idProduct", "qty", "cost")
    select "idWarehouse", "idProduct", sum("qty"), sum("qty") * 10 from warehouse_stock group by 1, 2`)
  await client.query(`select setval(pg_get_serial_sequence('warehouse_batches', 'id'), $1)`, [batches + 1])
  for (const { definition } of indexes) await client.query(definition)
  await client.query('commit')
  await client.query(
    'vacuum (analyze) warehouse_moves, warehouse_batches, warehouse_stock, warehouse_values, warehouse_documents, services',
  )
  return { idProduct, idWarehouse }
}

/** Posting an issue of 1,000 lines, and a scan into a document of 500. */
async function writes({ client, product, data }: BenchClinic, idWarehouse: number, token: string): Promise<Line[]> {
  const call = async (path: string, body: object): Promise<void> => {
    const answer = await fetch(product.url + path, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${(await answer.text()).slice(0, 300)}`)
  }
  const draft = async (lines: number): Promise<number> => {
    const { rows } = await client.query<{ id: string }>({
      text: `insert into warehouse_documents ("kind", "status", "localDate", "idFrom", "idAuthor")
        values ('issue', 'draft', current_date, $1, $2) returning "id"`,
      values: [idWarehouse, data.idUsers[0]],
    })
    const id = Number(rows[0]?.id)
    await client.query({
      text: `insert into warehouse_lines ("idDocument", "idProduct", "qty") select $1, s."idProduct", 1 from warehouse_stock s
        where s."idWarehouse" = $2 and s."qty" > 0 order by s."idProduct" limit $3`,
      values: [id, idWarehouse, lines],
    })
    return id
  }
  const posted: number[] = []
  for (let at = 0; at < 5; at++) {
    const id = await draft(LINES)
    const began = performance.now()
    await call(`/warehouse/documents/${id}/post`, {})
    posted.push(performance.now() - began)
  }
  const scanned: number[] = []
  const id = await draft(LINES / 2)
  for (let at = 0; at < SCANS; at++) {
    // A barcode of 13 digits with its check digit, assigned to the product here.
    const ean = eanOf(at + 1)
    await client.query({
      text: `update services set "barcode" = $1 where "id" = (select min("id") + $2 from services where "serviceCategory" = 1)`,
      values: [ean, at],
    })
    const began = performance.now()
    await call(`/warehouse/documents/${id}/scan`, { code: ean })
    scanned.push(performance.now() - began)
  }
  const p95 = scanned.toSorted((a, b) => a - b)[Math.floor(SCANS * 0.95)] ?? 0
  return [
    {
      what: `posting of ${LINES.toLocaleString('en')} lines: median of 5`,
      product: ms(median(posted)),
      goal: { text: `≤ ${POST_GOAL} ms`, met: median(posted) <= POST_GOAL },
    },
    { what: '  slowest', product: ms(Math.max(...posted)) },
    {
      what: `a scan into a document of ${LINES / 2} lines: p95 of ${SCANS}`,
      product: ms(p95),
      goal: { text: `≤ ${SCAN_GOAL} ms`, met: p95 <= SCAN_GOAL },
    },
  ]
}

function eanOf(n: number): string {
  const digits = `460${String(n).padStart(9, '0')}`
  const sum = [...digits].reduce((total, digit, at) => total + Number(digit) * (at % 2 === 0 ? 1 : 3), 0)
  return `${digits}${(10 - (sum % 10)) % 10}`
}
