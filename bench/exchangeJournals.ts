/** Reading of journals of exchange with a year of messages. */

import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { gunzipSync } from 'node:zlib'
import { dayIn, plusDays } from '@ordinator/model/zone'
import { type BenchClinic, release, startClinic } from './clinic.ts'
import { type Line, median, ms } from './table.ts'

const REPEATS = 15
const LIST_GOAL = 1.5
const CHECK_GOAL_MS = 500
const PING_MS = 25
const OID = '1.2.643.5.1.13.13.12.2.63.9999'
export const TOKEN = 'bench-token'

async function asAdmin(clinic: BenchClinic, method: string, path: string, body?: unknown, url = clinic.product.url) {
  tokens.set(clinic, tokens.get(clinic) ?? (await clinic.signIn('bench-admin')))
  const answer = await fetch(url + path, {
    method,
    headers: {
      authorization: `Bearer ${tokens.get(clinic)}`,
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${(await answer.text()).slice(0, 400)}`)
  return answer.json()
}
const tokens = new Map<BenchClinic, string>()

export const setUp = (clinic: BenchClinic, callback: string) =>
  asAdmin(clinic, 'PUT', '/settings/common', {
    egiszMode: 'simulator',
    egiszOid: OID,
    egiszCallback: callback,
    egiszCallbackToken: TOKEN,
    egiszSend: true,
    signaturePlugin: 'simulator',
    _versions: {},
  })

/** Documents a day, and messages per document: requests and answers, including those of НСИ. */
const PER_DAY = 30
const MESSAGES = 10
const reads: readonly [string, string][] = [
  ['messages: the list and its count', '/exchange/messages?filter[adapter][in]=egisz,nsi&limit=50&count=1'],
  [
    'messages: only those with errors',
    '/exchange/messages?filter[adapter][in]=egisz,nsi&filter[status][in]=rejected,network_error,dead&limit=50&count=1',
  ],
  ['operations: the list and its count', '/egisz/operations?expand=customer,user&limit=50&count=1'],
  ['operations: only the rejected', '/egisz/operations?filter[status]=rejected&limit=50&count=1'],
  ['events: errors alone', '/egisz/events?filter[level]=error&limit=50&count=1'],
  ['documents: the list and its count', '/egisz/semds?limit=50&count=1'],
  ['figures of 30 days', `/egisz/figures?from=${day(-30)}&to=${day(0)}`],
]
function day(later: number): string {
  return plusDays(dayIn('Europe/Moscow', Date.now()), later)
}

/** The lists and reports at each size, 30 documents a day; validation of one document in the last clinic. */
export async function journals(sizes: readonly number[]): Promise<Line[]> {
  const medians = new Map<number, number[]>()
  let checks: Line[] = []
  for (const size of sizes) {
    const clinic = await startClinic({ tasks: 500, users: 3, durable: false })
    await fillJournals(clinic, size)
    const own: number[] = []
    for (const [, path] of reads) {
      await asAdmin(clinic, 'GET', path)
      const times: number[] = []
      for (let at = 0; at < REPEATS; at++) {
        const began = performance.now()
        await asAdmin(clinic, 'GET', path)
        times.push(performance.now() - began)
      }
      own.push(median(times))
    }
    medians.set(size, own)
    if (size === sizes.at(-1))
      checks = await checkLines(clinic).catch((error) => [{ what: 'check of a document', product: `failed: ${error}` }])
    await release()
  }
  const [small = 0, ...bigger] = sizes
  const base = medians.get(small) as number[]
  return [
    ...bigger.flatMap((size) =>
      reads.map(([what], at): Line => {
        const [one, other] = [(medians.get(size) as number[])[at] as number, base[at] as number]
        return {
          what: `${what}: ${size.toLocaleString('en')} beside ${small.toLocaleString('en')}`,
          product: ms(one),
          yardstick: ms(other),
          ratio: one / other,
          // Below 10 ms the figure is noise.
          goal: { text: `≤ ${LIST_GOAL}×`, met: one / other <= LIST_GOAL || one < 10 },
        }
      }),
    ),
    ...checks,
  ]
}

async function fillJournals({ client }: BenchClinic, size: number): Promise<void> {
  await client.query('begin')
  await client.query('set local session_replication_role = replica')
  await client.query(
    `insert into customers ("surname", "name", "snils") select 'Замер' || i, 'Иван', '11223344595' from generate_series(1, 200) i`,
  )
  await client.query(`insert into egisz_documents ("kind", "code", "edition", "dateFrom", "active")
    values ('consultation', '119', 4, '2020-01-01', true)`)
  const documents = Math.round(size / MESSAGES)
  const moment = `now() - make_interval(secs => ((${documents} - i) * 86400.0 / ${PER_DAY})::int)`
  const status = `case when i % 40 = 0 then 'rejected' when i % 53 = 0 then 'accepted' else 'registered' end`
  await client.query(`insert into egisz_semds ("title", "idKind", "source", "idSource", "idCustomer", "idUser", "localUid", "setUid",
      "status", "findings", "errorCount", "emdrId", "dateDocument", "dateSent", "dateRegistered")
    select 'Осмотр ' || i, (select max("id") from egisz_documents), 'examinations', i,
      (select min("id") from customers where "surname" like 'Замер%') + i % 200, (select min("id") from users), gen_random_uuid()::text,
      gen_random_uuid()::text, ${status}, case when i % 40 = 0
        then '[{"source": "register", "severity": "error", "code": "STAFF_NOT_FOUND", "message": "Не найден"}]'::jsonb else '[]' end,
      (i % 40 = 0)::int, '77.' || i, ${moment}, ${moment}, ${moment} + interval '20 seconds' from generate_series(1, ${documents}) i`)
  await client.query(`insert into egisz_operations ("dateCreate", "operation", "idSemd", "title", "idCustomer", "idUser", "status", "emdrId", "seconds")
    select "dateSent", 'register', "id", "title", "idCustomer", "idUser", case "status" when 'registered' then 'done' else "status" end,
      "emdrId", 20 from egisz_semds order by "id"`)
  await client.query(`insert into egisz_events ("dateCreate", "kind", "level", "text", "idSemd")
    select ${moment}, case when i % 2 = 0 then 'queue' else 'callback' end, case when i % 80 = 0 then 'error' else 'info' end, 'Документ ' || i, null
    from generate_series(1, ${documents}) i`)
  // A request and its answer for each document; one line in ten belongs to another exchange.
  await client.query(`insert into exchange_messages ("dateCreate", "adapter", "direction", "operation", "correlationId", "idempotencyKey",
      "status", "attempts", "dateLast", "durationMs")
    select now() - make_interval(secs => ((${size} - i) * 86400.0 / ${PER_DAY * MESSAGES})::int), case when i % 10 = 0 then 'webhook' when i % 97 = 0 then 'nsi' else 'egisz' end,
      case when i % 2 = 0 then 'in' else 'out' end, 'Регистрация ЭМД', gen_random_uuid()::text, 'key-' || i,
      case when i % 40 = 0 then 'rejected' else 'done' end, 1, now(), 30 from generate_series(1, ${size}) i`)
  await client.query('commit')
  await client.query('vacuum analyze')
}

/** Validation of a certificate of payment by the ministry's files, where they are present beside the sources. */
async function checkLines(clinic: BenchClinic): Promise<Line[]> {
  const folder = inputs()
  if (!folder) return [{ what: 'check of one document', product: 'not measured: no inputs/cda' }]
  await setUp(clinic, '')
  const { client } = clinic
  await client.query('begin')
  await client.query('set local session_replication_role = replica')
  await client.query(`update customers set "gender" = 'male', "birthday" = '1980-01-01', "phone" = '+79270000000', "address" = 'Самара',
    "regionFact" = 'Самарская область', "regionCodeFact" = '63' where "surname" = 'Замер1'`)
  await client.query(`with paid as (insert into payments ("idCustomer", "kind", "idStatus", "sum", "localDate", "idOrganization", "idDesk")
      select "id", 'payment', 2, 12500, current_date, 1, 1 from customers where "surname" = 'Замер1' returning "id")
    insert into payments_parts ("idPayment", "method", "sum") select "id", 'cash', 12500 from paid`)
  await client.query('commit')
  await asAdmin(clinic, 'POST', '/egisz/documents', {
    kind: 'taxCertificate',
    code: '193',
    edition: 2,
    dateFrom: '2026-01-01',
  })
  const edition = await asAdmin(clinic, 'POST', '/egisz/editions', {
    code: '193',
    name: 'Справка об оплате',
    typeCode: '52',
    typeName: 'Справка об оплате медицинских услуг',
    templateId: '1.2.643.5.1.13.13.14.52.9.2',
    ready: 'taxCertificate',
  })
  const put = (kind: string, name: string, content: Buffer) =>
    asAdmin(clinic, 'PUT', `/egisz/editions/${edition.id}/files`, { kind, name, content: content.toString('base64') })
  for (const path of filesIn(join(folder, '193')))
    await put('xsd', relative(join(folder, '193'), path), readFileSync(path))
  await put('schematron', '193.sch', gunzipSync(readFileSync(join(folder, '193.sch.gz'))))
  const { rows } = await client.query<{ id: number; user: number }>(
    `select (select "id"::int from customers where "surname" = 'Замер1') as id, (select min("id")::int from users) as user`,
  )
  const began = performance.now()
  const made = await asAdmin(clinic, 'POST', '/egisz/semds/tax', {
    idCustomer: rows[0]?.id,
    year: new Date().getFullYear(),
    payerInn: '500100732259',
    payerSurname: 'Тестов',
    payerName: 'Пётр',
    relation: 'self',
    idUser: rows[0]?.user,
  })
  const first = performance.now() - began
  const times: number[] = []
  const pings: number[] = []
  for (let at = 0; at < REPEATS; at++) {
    const start = performance.now()
    let over = false
    const check = asAdmin(clinic, 'POST', `/egisz/semds/${made.id}/check`).finally(() => {
      over = true
    })
    while (!over) {
      const sent = performance.now()
      await fetch(`${clinic.product.url}/health`)
      pings.push(performance.now() - sent)
      await sleep(PING_MS)
    }
    await check
    times.push(performance.now() - start)
  }
  return [
    { what: 'check of a document: the first of its kind', product: ms(first) },
    {
      what: 'check of a document: those after it, median',
      product: ms(median(times)),
      goal: { text: `≤ ${CHECK_GOAL_MS} ms`, met: median(times) <= CHECK_GOAL_MS },
    },
    { what: '  the server answers others meanwhile in: median', product: ms(median(pings)) },
    { what: '  at the worst', product: ms(Math.max(...pings)) },
  ]
}

/** Searches beside the sources and in the directories above. */
function inputs(): string | undefined {
  for (let at = import.meta.dirname; at !== '/'; at = dirname(at)) {
    const path = join(at, 'shared/inputs/cda')
    if (existsSync(path)) return path
  }
  return undefined
}

const filesIn = (path: string): string[] =>
  readdirSync(path, { withFileTypes: true }).flatMap((one) =>
    one.isDirectory() ? filesIn(join(path, one.name)) : [join(path, one.name)],
  )
