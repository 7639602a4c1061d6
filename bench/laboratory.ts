/**
 * The laboratory as its table of results grows: the frequent reads, one request at a time, at a month and at three years
 * of 2,000 orders a day; ten analysers that keep sending while their server is killed.
 */
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { frame, resultOf } from '../apps/server/src/areas/laboratory/testing/laboratory.ts'
import { ENQ, EOT } from '../apps/server/src/areas/laboratory/wire/e1381.ts'
import { type BenchClinic, release, startClinic } from './clinic.ts'
import { alone } from './growth.ts'
import { type Line, median, ms, type Part } from './table.ts'

/** Results: one month, and three years. Ten results per order. */
export const LAB_SIZES = [600_000, 20_000_000]
const LOGIN = 'bench-1'
const RESULTS = 10
const ANALYTES = 40
const PATIENTS = 50_000
/** Orders with values still to be entered or confirmed, at each size. */
const OPEN = 800
const MAX_GROWTH = 1.5

interface Made {
  idCustomer: number
  idAnalyte: number
  barcode: string
}

const reads: readonly { what: string; path(made: Made): string }[] = [
  { what: 'orders: 50, the newest', path: () => '/laboratory/orders?limit=50&sort=-id&expand=customer,doctor,filial' },
  {
    what: 'orders: 50 of one state',
    path: () => '/laboratory/orders?limit=50&sort=-id&filter[status]=inWork&expand=customer',
  },
  { what: 'the matrix of what is in work', path: () => '/laboratory/results/matrix?section=biochemistry' },
  {
    what: 'history of a patient × analyte',
    path: ({ idCustomer, idAnalyte }) => `/laboratory/results/history?idCustomer=${idCustomer}&idAnalyte=${idAnalyte}`,
  },
  { what: 'last values of a patient', path: ({ idCustomer }) => `/laboratory/customers/${idCustomer}/results` },
  { what: 'what waits now', path: () => '/laboratory/now' },
  { what: 'critical ones, with the badges', path: () => '/common/badges' },
]

export async function measureLaboratory(sizes: number[]): Promise<Part> {
  const notes: string[] = []
  const lines: Line[] = []
  const times = reads.map((): Awaited<ReturnType<typeof alone>>[] => [])
  const scans: number[] = []
  for (const [turn, size] of sizes.entries()) {
    const began = performance.now()
    const clinic = await startClinic({ tasks: 2_000, durable: false })
    const made = await laboratory(clinic, size)
    notes.push(`${size.toLocaleString('en')} results in ${((performance.now() - began) / 1000).toFixed(0)} s`)
    const token = await clinic.signIn(LOGIN)
    for (const [i, { path }] of reads.entries()) times[i]?.push(await alone(clinic, path(made), token))
    scans.push(await scanned(clinic, token, made.barcode))
    if (turn === sizes.length - 1) lines.push(...(await devices(clinic)))
    await release()
  }
  for (const [i, { what }] of reads.entries()) {
    const found = times[i] ?? []
    const [first, last] = [found[0], found.at(-1)]
    if (!first || !last) continue
    const growth = (last.server + last.postgres) / (first.server + first.postgres)
    lines.push({
      what,
      product: found.map(({ best }) => ms(best)).join(' / '),
      yardstick: found.map(({ server, postgres }) => `${server.toFixed(1)} + ${postgres.toFixed(1)}`).join(' / '),
      ratio: growth,
      goal: { text: `≤ ${MAX_GROWTH}×`, met: growth <= MAX_GROWTH },
    })
  }
  lines.push({
    what: 'a scan: until the server has answered',
    product: scans.map(ms).join(' / '),
    goal: { text: '≤ 150 ms', met: Math.max(...scans) <= 150 },
  })
  return {
    title: `The laboratory at ${sizes.map((size) => size.toLocaleString('en')).join(' / ')} results: the best of 25 calls (product); the processor's ms, server + PostgreSQL (yardstick); its growth (ratio)`,
    lines,
    notes,
  }
}

/** Creates the laboratory's data: finished orders of three years, and today's open ones. */
async function laboratory({ client, data }: BenchClinic, size: number): Promise<Made> {
  // Inserting millions of rows exceeds the statement timeout.
  await client.query('set statement_timeout = 0')
  const orders = Math.max(OPEN + 1, Math.round(size / RESULTS))
  const run = async (text: string, values: unknown[] = []) =>
    (await client.query<{ id: number }>({ text, values })).rows
  const one = async (text: string, values: unknown[] = []) => Number((await run(text, values))[0]?.id)
  const idFilial = await one(`insert into filials ("nameFilial") values ('Лаборатория') returning "id"`)
  const idOwn = await one(`insert into laboratory_list ("name", "idFilial") values ('Своя', $1) returning "id"`, [
    idFilial,
  ])
  await run(
    `insert into customers ("surname", "name", "gender", "birthday")
      select 'Пациент' || n, 'Имя', case n % 2 when 0 then 'male' else 'female' end, date '1950-01-01' + n % 20000 from generate_series(1, $1::int) n`,
    [PATIENTS],
  )
  const first = await one(`select min("id") as id from customers where "surname" like 'Пациент%'`)
  const firstAnalyte = await one(
    `with made as (insert into laboratory_analytes ("name", "code", "unit", "section")
      select 'Показатель ' || n, 'A' || n, 'ммоль/л', 'biochemistry' from generate_series(1, $1::int) n returning "id") select min("id") as id from made`,
    [ANALYTES],
  )
  await run(
    `insert into laboratory_norms ("idAnalyte", "low", "high", "criticalHigh") select "id", 3, 6, 20 from laboratory_analytes`,
  )
  const firstTest = await one(
    `with made as (insert into laboratory_catalog ("name", "code", "idLaboratory", "section")
      select "name", "code", $1, 'biochemistry' from laboratory_analytes order by "id" returning "id") select min("id") as id from made`,
    [idOwn],
  )
  await run(
    `insert into laboratory_components ("idTest", "idAnalyte", "order") select $1::bigint + n, $2::bigint + n, 1 from generate_series(0, $3::int - 1) n`,
    [firstTest, firstAnalyte, ANALYTES],
  )
  // Indexes are created after the rows, which is much faster.
  const { rows: kept } = await client.query<{ name: string; made: string }>({
    text: `select indexname as name, indexdef as made from pg_indexes where tablename in ('laboratory_orders', 'laboratory_samples',
      'laboratory_order_items', 'laboratory_results') and indexname not like '%_pkey'`,
  })
  for (const { name } of kept) await run(`drop index "${name}"`)
  for (const table of ['laboratory_orders', 'laboratory_samples', 'laboratory_order_items', 'laboratory_results'])
    await run(`alter table ${table} disable trigger all`)
  // The last `OPEN` orders are today's and in progress.
  const at = `now() - make_interval(secs => ($1::int - n) * 94608000.0 / $1::int)`
  const isOpen = `n > $1::int - ${OPEN}`
  await run(
    `insert into laboratory_orders ("id", "number", "idCustomer", "idFilial", "status", "placedAt", "takenAt", "doneAt", "dueAt", "dateCreate", "idAuthor")
      overriding system value select n, 'Л-' || n, $2::bigint + n % ${PATIENTS}, $3::bigint, case when ${isOpen} then 'inWork' else 'issued' end,
        ${at}, ${at}, case when ${isOpen} then null else ${at} end, ${at} + interval '1 day', ${at}, $4::bigint from generate_series(1, $1::int) n`,
    [orders, first, idFilial, data.idAdmin],
  )
  await run(
    `insert into laboratory_samples ("id", "idOrder", "barcode", "idLaboratory", "status", "takenAt", "dateCreate")
      overriding system value select n, n, (2700000000 + n)::text, $2::bigint, case when ${isOpen} then 'inWork' else 'disposed' end, ${at}, ${at}
      from generate_series(1, $1::int) n`,
    [orders, idOwn],
  )
  await run(
    `insert into laboratory_order_items ("id", "idOrder", "idTest", "idLaboratory", "idSample", "status", "doneAt", "dueAt", "cost")
      overriding system value select (n - 1) * ${RESULTS} + k, n, $2::bigint + (n + k) % ${ANALYTES}, $3::bigint, n,
        case when ${isOpen} then 'inWork' else 'done' end, case when ${isOpen} then null else ${at} end, ${at}, 50
      from generate_series(1, $1::int) n, generate_series(1, ${RESULTS}) k`,
    [orders, firstTest, idOwn],
  )
  // Half of the open orders' results are already measured.
  await run(
    `insert into laboratory_results ("idItem", "idAnalyte", "idCustomer", "takenAt", "value", "valueNum", "unit", "normText", "flag", "status", "dateCreate")
      select (n - 1) * ${RESULTS} + k, $2::bigint + (n + k) % ${ANALYTES}, $3::bigint + n % ${PATIENTS}, ${at}, (3 + (n + k) % 40 / 10.0)::text,
        3 + (n + k) % 40 / 10.0, 'ммоль/л', '3–6', case when (n + k) % 40 > 30 then 'H' else 'N' end,
        case when ${isOpen} then 'raw' else 'medical' end, ${at}
      from generate_series(1, $1::int) n, generate_series(1, ${RESULTS}) k where not (${isOpen}) or k <= ${RESULTS / 2}`,
    [orders, firstAnalyte, first],
  )
  for (const table of ['laboratory_orders', 'laboratory_samples', 'laboratory_order_items', 'laboratory_results'])
    await run(`alter table ${table} enable trigger all`)
  for (const { made } of kept) await run(made)
  for (const table of ['laboratory_orders', 'laboratory_samples', 'laboratory_order_items']) {
    await run(`select setval(pg_get_serial_sequence($1, 'id'), (select max("id") from ${table}))`, [table])
    await run(`vacuum analyze ${table}`)
  }
  await run('vacuum analyze laboratory_results')
  await run('analyze customers')
  await run(
    `insert into "user_permissions" ("idUser", "permission") select $1, p from unnest($2::text[]) p on conflict do nothing`,
    [
      data.idUsers[0],
      [
        'viewCustomers',
        'viewLaboratoriesOrders',
        'takeLabSamples',
        'enterLabResults',
        'approveLabResults',
        'editLaboratories',
      ],
    ],
  )
  return { idCustomer: first + 7, idAnalyte: firstAnalyte + 3, barcode: String(2_700_000_000 + orders) }
}

/** Milliseconds until the scan of a tube is answered. */
async function scanned({ product }: BenchClinic, token: string, code: string): Promise<number> {
  const times: number[] = []
  for (let i = 0; i < 25; i++) {
    const began = performance.now()
    const answer = await fetch(`${product.url}/laboratory/samples/scan`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ code }),
    })
    if (!answer.ok) throw new Error(`scan: ${answer.status} ${await answer.text()}`)
    await answer.text()
    times.push(performance.now() - began)
  }
  return median(times.slice(5))
}

const DEVICES = 10
const A_MINUTE = 500
const SECONDS = 40
const KILLS = [8_000, 22_000]

/** Ten analysers send 500 results a minute each, one per message, while the server is killed (-9) and another takes over. */
async function devices({ db, product, another }: BenchClinic): Promise<Line[]> {
  const each = Math.round((A_MINUTE * SECONDS) / 60)
  const ports = Array.from({ length: DEVICES }, (_, at) => 41_000 + Math.floor(Math.random() * 9_000) + at)
  const run = (text: string, values: unknown[] = []) =>
    db.query<{ id: number; barcode: string; code: string }>({ text, values })
  for (const [at, port] of ports.entries()) {
    const [device] = await run(
      `insert into laboratory_devices ("name", "protocol", "transport", "port", "active") values ($1, 'astm', 'tcp-server', $2, true) returning "id"`,
      [`Анализатор ${at}`, port],
    )
    await run(
      `insert into laboratory_device_codes ("idDevice", "code", "idAnalyte", "unit") select $1, "code", "id", 'mmol/l' from laboratory_analytes`,
      [device?.id],
    )
  }
  // Results of today's orders without a value: enough of them for the messages to send.
  const wanted = await run(
    `select s."barcode", a."code", i."id" from laboratory_order_items i join laboratory_samples s on s."id" = i."idSample"
      join laboratory_components k on k."idTest" = i."idTest" join laboratory_analytes a on a."id" = k."idAnalyte"
      where i."status" = 'inWork' and not exists (select 1 from laboratory_results r where r."idItem" = i."id") order by i."id" desc limit $1`,
    [each * DEVICES],
  )
  const [before] = await db.query<{ n: number }>({
    text: `select count(*)::int as n from laboratory_results where "idDevice" is not null`,
  })
  const began = performance.now()
  let again = 0
  const speak = async (at: number) => {
    const own = wanted.filter((_, i) => i % DEVICES === at)
    for (const [i, { barcode, code }] of own.entries()) {
      const due = (i * 60_000) / A_MINUTE - (performance.now() - began)
      if (due > 0) await sleep(due)
      const bytes = Buffer.concat([
        Buffer.from([ENQ]),
        frame(1, resultOf(barcode, `4.${i % 90}`, 'mmol/l', code)),
        Buffer.from([EOT]),
      ])
      while (!(await acknowledged(ports[at] as number, bytes))) {
        again++
        await sleep(500)
      }
    }
  }
  let server = product
  const killer = (async () => {
    for (const at of KILLS) {
      const wait = at - (performance.now() - began)
      if (wait > 0) await sleep(wait)
      server.kill()
      server = await another()
    }
  })()
  // The server opens the ports at its next check of the devices.
  await Promise.all([...ports.keys()].map(speak))
  await killer
  const seconds = (performance.now() - began) / 1000
  const [kept] = await db.query<{ n: number; lines: number }>({
    text: `select count(*)::int as n, count(distinct ("idItem", "idAnalyte"))::int as lines from laboratory_results where "idDevice" is not null`,
  })
  const count = (kept?.n ?? 0) - (before?.n ?? 0)
  return [
    {
      what: `${DEVICES} devices × ${A_MINUTE} results a minute, the server killed ${KILLS.length} times`,
      product: `${wanted.length} sent, ${count} kept, ${kept?.lines ?? 0} lines`,
      yardstick: `${seconds.toFixed(0)} s, ${again} sent again`,
      goal: { text: 'none lost, none doubled', met: count === wanted.length && kept?.lines === count },
    },
  ]
}

/** True when the message was acknowledged: ENQ and its frame. */
const acknowledged = (port: number, bytes: Buffer): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    let received = 0
    const end = (good: boolean) => {
      socket.destroy()
      resolve(good)
    }
    socket.setTimeout(5_000, () => end(false))
    socket.on('error', () => end(false))
    socket.on('close', () => resolve(false))
    socket.on('data', (data) => {
      received += data.length
      if (received >= 2) end(!data.includes(21))
    })
    socket.write(bytes)
  })
