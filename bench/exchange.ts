/**
 * The exchange with ЕГИСЗ: 10,000 signed documents through the simulator with every fault it can produce, while the
 * servers are killed; lists and reports over 1,000,000 messages against 10,000; validation of one document by the
 * ministry's schema and rules, where those files are present beside the sources.
 */
import { createServer } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { type EgiszMood, egiszMoods, startEgisz } from '../apps/server/src/testing/egiszSimulator.ts'
import { type BenchClinic, freePort, hold, type Process, release, startClinic } from './clinic.ts'
import { journals, setUp, TOKEN } from './exchangeJournals.ts'
import { type Line, none, type Part } from './table.ts'

export const EXCHANGE_SIZES = [10_000, 1_000_000] as const
const KILL_EVERY_MS = 12_000
const WAIT_MS = 80 * 60_000

/** @param documents of the storm; 0: no storm @param sizes of the journals, the first is the yardstick; with one size they are not measured */
export async function measureExchange(documents: number, sizes: readonly number[]): Promise<Part> {
  const lines = [...(sizes.length > 1 ? await journals(sizes) : []), ...(documents > 0 ? await storm(documents) : [])]
  return {
    title: `ЕГИСЗ: ${documents.toLocaleString('en')} documents while servers are killed; journals of ${sizes.map((size) => size.toLocaleString('en')).join(' and ')}`,
    lines,
    notes: ['a document of the storm is a row, a body of 3 kB and two signatures of 2 kB; 2 servers, 1 PostgreSQL'],
  }
}

/** The simulator's behaviour for each document, as shares of a hundred; failures end after one or two attempts. */
const plan: readonly [EgiszMood, number][] = [
  ['takes', 50],
  ['refuses', 10],
  ['refusesAtOnce', 6],
  ['silent', 6],
  ['down', 6],
  ['twice', 5],
  ['early', 5],
  ['duplicate', 5],
  ['garbage', 5],
  ['mute', 2],
]
const moodAt = (number: number): EgiszMood => {
  let left = number % 100
  for (const [mood, share] of plan) {
    if (left < share) return mood
    left -= share
  }
  return 'takes'
}
const breaks: Partial<Record<EgiszMood, number>> = { silent: 1, down: 2, garbage: 1 }
const fateOf = (mood: EgiszMood) =>
  mood === 'refuses' || mood === 'refusesAtOnce' ? 'rejected' : mood === 'mute' ? 'accepted' : 'registered'

async function storm(documents: number): Promise<Line[]> {
  const missing = (Object.keys(egiszMoods) as EgiszMood[]).filter((mood) => !plan.some(([one]) => one === mood))
  if (missing.length) throw new Error(`The simulator plays what nobody tries: ${missing.join(', ')}`)
  const simulator = await startEgisz({ token: TOKEN })
  const clinic = await startClinic({ tasks: 500, users: 3, durable: false, env: { EGISZ_URL: simulator.url } })
  hold(() => simulator.close())
  const servers: Process[] = [clinic.product, await clinic.another()]
  const callback = await openEntry(() => servers)
  await setUp(clinic, `${callback}/egisz/callback`)
  const numbers = await signedDocuments(clinic, documents)
  const tries = new Map<string, number>()
  simulator.delay = 1_500
  simulator.moodOf = (localUid) => {
    const mood = moodAt(numbers.get(localUid) ?? 0)
    const count = (tries.get(localUid) ?? 0) + 1
    tries.set(localUid, count)
    return count <= (breaks[mood] ?? Number.POSITIVE_INFINITY) ? mood : 'takes'
  }
  const began = performance.now()
  let over = false
  let kills = 0
  let left = 0
  const killing = (async () => {
    for (;;) {
      await sleep(KILL_EVERY_MS)
      if (over) return
      const at = kills++ % servers.length
      ;(servers[at] as Process).kill()
      // On a busy machine a start may exceed the bench's timeout; the other server works meanwhile.
      for (let next: Process | undefined; !next && !over; ) {
        next = await clinic.another().catch((error) => void console.error(String(error)))
        if (next) servers[at] = next
      }
    }
  })()
  const mute = [...numbers.values()].filter((number) => moodAt(number) === 'mute').length
  const count = async (text: string) => Number((await clinic.client.query<{ n: string }>(text)).rows[0]?.n)
  for (;;) {
    await sleep(5_000)
    // Retry delays are skipped; the claim of a killed server expires by itself.
    await clinic.client.query(
      `update outbox set "dateDue" = now() where "state" in ('waiting', 'unknown') and "dateDue" > now()`,
    )
    await clinic.client.query('delete from outbox_lanes')
    await clinic.client.query(
      `update jobs.job set start_after = now() where name = 'outbox.send' and state = 'created'`,
    )
    const open = await count(`select count(*) as n from egisz_semds where "status" in ('sent', 'network')
      or "status" = 'accepted' and "dateRegistered" is null`)
    if (open !== left) console.log(`  ${Math.round((performance.now() - began) / 1_000)} s: ${open} without an answer`)
    left = open
    if (open <= mute) break
    if (performance.now() - began > WAIT_MS) break
  }
  const seconds = (performance.now() - began) / 1_000
  over = true
  await killing
  const { rows } = await clinic.client.query<{
    localUid: string
    status: string
    emdrId: string | null
    lines: number
    done: number
  }>(`select s."localUid", s."status", s."emdrId",
      (select count(*)::int from exchange_messages m where m."adapter" = 'egisz' and m."idempotencyKey" = 'register-' || s."localUid") as lines,
      (select count(*)::int from egisz_operations o where o."idSemd" = s."id") as done from egisz_semds s`)
  const wrong = rows.filter(({ localUid, status }) => status !== fateOf(moodAt(numbers.get(localUid) ?? 0)))
  const lost = rows.filter(
    ({ localUid, status, emdrId }) => status === 'registered' && simulator.documents.get(localUid)?.emdrId !== emdrId,
  )
  const doubled = rows.filter((one) => one.lines !== 1 || one.done !== 1)
  const numbersOfRegister = [...simulator.documents.values()].map(({ emdrId }) => emdrId)
  const again = [...tries.entries()].filter(
    ([localUid, asked]) => asked > 1 + (breaks[moodAt(numbers.get(localUid) ?? 0)] ?? 0),
  ).length
  await release()
  if (wrong.length) console.error('wrong:', wrong.slice(0, 10))
  return [
    {
      what: `until ${documents.toLocaleString('en')} documents have their answer`,
      product: `${Math.round(seconds)} s`,
    },
    { what: '  servers killed meanwhile', product: String(kills) },
    none('  documents in a wrong state', wrong.length),
    none('  lost: registered there under another number than here', lost.length),
    none(
      '  doubled: two lines, operations or numbers',
      doubled.length + numbersOfRegister.length - new Set(numbersOfRegister).size,
    ),
    { what: '  asked again under the same localUid, since the answer died with a server', product: String(again) },
  ]
}

/** One address for callbacks, forwarded to any live server; a callback is repeated until accepted, as РЭМД does. */
async function openEntry(servers: () => readonly Process[]): Promise<string> {
  const server = createServer(async (request, reply) => {
    const pieces: Buffer[] = []
    for await (const piece of request) pieces.push(piece as Buffer)
    const body = Buffer.concat(pieces)
    for (let at = 0; at < 400; at++) {
      const all = servers()
      const { url } = all[at % all.length] as Process
      const answer = await fetch(url + request.url, {
        method: 'POST',
        headers: {
          'content-type': request.headers['content-type'] ?? '',
          authorization: request.headers.authorization ?? '',
        },
        body,
        signal: AbortSignal.timeout(20_000),
      }).catch(() => undefined)
      if (answer?.status === 200) return void reply.writeHead(200).end(await answer.text())
      await sleep(150)
    }
    reply.writeHead(502).end()
  })
  const port = await freePort()
  await new Promise<void>((done) => server.listen(port, '127.0.0.1', done))
  hold(() => server.close())
  return `http://127.0.0.1:${port}`
}

/** Signed documents in the queue, in the state after the last signature. @returns the number of each, by localUid */
async function signedDocuments({ client }: BenchClinic, count: number): Promise<Map<string, number>> {
  await client.query('begin')
  await client.query('set local session_replication_role = replica')
  await client.query(
    `insert into customers ("surname", "name", "snils") select 'Замер' || i, 'Иван', '11223344595' from generate_series(1, 200) i`,
  )
  await client.query(`insert into egisz_documents ("kind", "code", "edition", "dateFrom", "active")
    values ('consultation', '119', 4, '2026-01-01', true)`)
  await client.query(
    `insert into egisz_semds ("title", "idKind", "source", "idSource", "idCustomer", "idUser", "localUid", "setUid",
      "status", "findings", "dateDocument", "dateSignedDoctor", "dateSignedOrg", "dateSent")
    select 'Осмотр ' || i, (select max("id") from egisz_documents), 'examinations', i,
      (select min("id") from customers where "surname" like 'Замер%') + i % 200, (select min("id") from users), gen_random_uuid()::text,
      gen_random_uuid()::text, 'sent', '[]', now(), now(), now(), now() from generate_series(1, $1::int) i`,
    [count],
  )
  await client.query(
    `insert into egisz_semd_contents select "id", convert_to(repeat('<a>осмотр</a>', 150), 'UTF8') from egisz_semds`,
  )
  await client.query(`insert into egisz_signatures ("idSemd", "role", "owner", "thumbprint", "kind", "state", "words", "date", "body")
    select s."id", r, 'Замер', '', 'test', 'unknown', 'Не проверено', now(), decode(repeat('ab', 2000), 'hex')
    from egisz_semds s cross join unnest(array['doctor', 'organization']) r`)
  await client.query(`with line as (
      insert into exchange_messages ("dateCreate", "adapter", "direction", "operation", "entityType", "idEntity", "correlationId",
        "idempotencyKey", "status", "attempts", "dateNext")
      select clock_timestamp(), 'egisz', 'out', 'Регистрация ЭМД', 'egisz/semds', s."id", gen_random_uuid()::text,
        'register-' || s."localUid", 'queued', 0, now() from egisz_semds s order by s."id" returning "id", "idEntity", "correlationId")
    insert into outbox ("id", "adapter", "lane", "subject", "operation", "payload", "correlationId", "dateDue")
    select l."id", 'egisz', 'egisz', s."setUid", 'register', jsonb_build_object('idSemd', s."id"), l."correlationId", now()
    from line l join egisz_semds s on s."id" = l."idEntity"`)
  await client.query(`insert into egisz_operations ("dateCreate", "operation", "idSemd", "title", "idCustomer", "idUser")
    select now(), 'register', "id", "title", "idCustomer", "idUser" from egisz_semds`)
  await client.query('commit')
  const { rows } = await client.query<{ localUid: string; n: number }>(
    `select "localUid", "idSource" as n from egisz_semds`,
  )
  return new Map(rows.map(({ localUid, n }) => [localUid, Number(n)]))
}
