/** A server killed (-9) anywhere between the first byte and the acknowledgement loses and duplicates no value. */
import { type ChildProcess, spawn } from 'node:child_process'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { long } from '@ordinator/model/testing/needs'
import sql from 'sql-template-tag'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { frame, type Laboratory, makeLaboratory, resultOf } from './testing/laboratory.ts'
import { ENQ, EOT, NAK } from './wire/e1381.ts'

/** First key of the advisory locks at which the server is stopped. */
const GATE = 9127
const WAIT = { timeout: 60_000, interval: 50 }

let made: Laboratory
const children: ChildProcess[] = []

beforeAll(async () => {
  made = await makeLaboratory()
  // Stops a server's transaction while the test holds the lock: in the middle, and at commit.
  await made.clinic.db.query({
    text: `create function lab_gate() returns trigger language plpgsql as $$ begin
        perform pg_advisory_xact_lock_shared(${GATE}, tg_argv[0]::int); return null; end $$;
      create trigger lab_gate_log after insert on laboratory_raw for each row execute function lab_gate('1');
      create trigger lab_gate_value after insert on laboratory_results for each row execute function lab_gate('2');
      create constraint trigger lab_gate_commit after insert on laboratory_results deferrable initially deferred
        for each row execute function lab_gate('3')`,
  })
}, 120_000)
afterAll(async () => {
  for (const child of children) child.kill('SIGKILL')
  await made?.clinic.close()
})

const root = join(import.meta.dirname, '../..')
const file = (path: string) => JSON.stringify(join(root, path))

/** A server in its own process on the clinic's database, with the device connections open. */
async function server(): Promise<ChildProcess> {
  const { DATABASE_URL, DATA_DIR, SECRET } = {
    DATABASE_URL: made.clinic.db.url,
    DATA_DIR: made.clinic.config.dataDir,
    SECRET: made.clinic.config.secret,
  }
  const program = `
    import { buildApp } from ${file('app.ts')}
    import { readConfig } from ${file('platform/config.ts')}
    import { createDb } from ${file('platform/db.ts')}
    import { createLog } from ${file('platform/log.ts')}
    import { openOutbound } from ${file('platform/outbound.ts')}
    const config = readConfig({ ...${JSON.stringify({ DATABASE_URL, DATA_DIR, SECRET })}, DEMO: '0', HOST: '127.0.0.1', LOG_LEVEL: 'fatal', PORT: '0', PUBLIC_URL: 'http://clinic.test' })
    const log = createLog(config.logLevel)
    const app = await buildApp({ config, log, db: createDb({ url: config.databaseUrl, log, max: 4, connectTimeout: 300_000 }), outbound: openOutbound() })
    await app.start()
    process.stdout.write('ready')`
  const child = spawn(process.execPath, ['--input-type=module', '-e', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  children.push(child)
  await new Promise((resolve, reject) => {
    child.stdout?.once('data', resolve)
    child.once('close', () => reject(new Error('The server has not started')))
  })
  return child
}

const killed = (child: ChildProcess): Promise<unknown> => {
  const gone = new Promise((resolve) => child.once('close', resolve))
  child.kill('SIGKILL')
  return gone
}

/** The device: sends part of a session, and reads nothing unless it waits for acknowledgements. */
async function device(bytes: Buffer): Promise<Socket> {
  let socket: Socket | undefined
  // The connections open shortly after the server has started.
  await expect.poll(async () => (socket = await dial()) !== undefined, WAIT).toBe(true)
  const line = socket as Socket
  line.pause()
  line.write(bytes)
  return line
}
const dial = (): Promise<Socket | undefined> =>
  new Promise((resolve) => {
    const socket = connect(made.port, '127.0.0.1')
    socket.on('error', () => undefined)
    socket.once('connect', () => resolve(socket))
    socket.once('close', () => resolve(undefined))
  })
const session = (barcode: string, value: string) =>
  Buffer.concat([Buffer.from([ENQ]), frame(1, resultOf(barcode, value)), Buffer.from([EOT])])

/** Resends as a device without an acknowledgement does, until it gets one. */
async function sendAgain(barcode: string, value: string): Promise<void> {
  const socket = await device(session(barcode, value))
  let received = 0
  socket.on('data', (bytes) => (received += bytes.length))
  socket.resume()
  await expect.poll(() => received, WAIT).toBeGreaterThanOrEqual(2)
  socket.destroy()
}

const values = async (id: number) =>
  (
    await made.clinic.db.query<{
      value: string
      isMain: boolean
    }>(sql`select r."value", r."isMain" from laboratory_results r
      join laboratory_order_items i on i."id" = r."idItem" where i."idOrder" = ${id} and r."idAnalyte" = ${made.ids.CHOL} order by r."id"`)
  ).map(({ value, isMain }) => [value, isMain])

/**
 * Kills the server while its transaction waits at a lock.
 * @param step 1: after the log, 2: after the value, 3: at commit
 */
async function killAt(child: ChildProcess, step: 1 | 2 | 3, bytes: Buffer): Promise<void> {
  const { db } = made.clinic
  let open = () => {}
  const opened = new Promise<void>((resolve) => (open = resolve))
  let held = () => {}
  const isHeld = new Promise<void>((resolve) => (held = resolve))
  const gate = db.tx(async (tx) => {
    await tx.query(sql`select pg_advisory_xact_lock(${GATE}::int, ${step}::int)`)
    held()
    await opened
  })
  await isHeld
  const socket = await device(bytes)
  const waiting = async () =>
    (
      await db.query<{ n: number }>(sql`select count(*)::int as n from pg_locks
        where locktype = 'advisory' and classid = ${GATE}::oid and objid = ${step}::oid and not granted`)
    )[0]?.n
  await expect.poll(waiting, WAIT).toBe(1)
  await killed(child)
  socket.destroy()
  open()
  await gate
  // Its database connection closes; a pending commit has finished.
  await expect.poll(waiting, WAIT).toBe(0)
}

it('stores a value once, wherever the server was killed', async () => {
  const orders = [await made.taken(), await made.taken(), await made.taken(), await made.taken(), await made.taken()]
  const value = (at: number) => `4.${at + 1}`
  const bytes = (at: number) => session((orders[at] as { barcode: string }).barcode, value(at))
  const again = (at: number) => sendAgain((orders[at] as { barcode: string }).barcode, value(at))
  const idOf = (at: number) => (orders[at] as { id: number }).id

  // Half of the message has arrived.
  let child = await server()
  const half = await device(bytes(0).subarray(0, 60))
  await killed(child)
  half.destroy()
  for (const step of [1, 2, 3] as const) {
    child = await server()
    await again(step - 1)
    await killAt(child, step, bytes(step))
  }
  child = await server()
  await again(3)
  // Committed, and the device has not read the acknowledgement.
  const deaf = await device(bytes(4))
  await expect.poll(async () => (await values(idOf(4))).length, WAIT).toBe(1)
  await killed(child)
  deaf.destroy()
  child = await server()
  await again(4)
  await again(4)
  for (const at of orders.keys()) expect(await values(idOf(at)), `order ${at}`).toEqual([[value(at), true]])
  await killed(child)
}, 300_000)

const DEVICES = 10
const RESULTS = 4_000
const KILLS = 12

/** As many orders with a taken tube, by copying one: bar codes of their tubes. */
async function manyTubes(count: number): Promise<string[]> {
  const { id } = await made.taken({ tests: [made.ids.testCHOL] })
  const rows = await made.clinic.db.query<{ barcode: string }>({
    text: `with numbers as (select n, nextval(pg_get_serial_sequence('laboratory_orders', 'id')) as "idOrder",
        nextval(pg_get_serial_sequence('laboratory_samples', 'id')) as "idSample" from generate_series(1, $2::int) n),
      orders as (insert into laboratory_orders select (jsonb_populate_record(o, jsonb_build_object('id', n."idOrder", 'number', 'К-' || n.n))).*
        from laboratory_orders o, numbers n where o."id" = $1),
      samples as (insert into laboratory_samples select (jsonb_populate_record(s, jsonb_build_object('id', n."idSample", 'idOrder', n."idOrder",
          'barcode', '99' || lpad(n.n::text, 8, '0')))).* from laboratory_samples s, numbers n where s."idOrder" = $1 returning "barcode"),
      items as (insert into laboratory_order_items select (jsonb_populate_record(i, jsonb_build_object('id',
          nextval(pg_get_serial_sequence('laboratory_order_items', 'id')), 'idOrder', n."idOrder", 'idSample', n."idSample"))).*
        from laboratory_order_items i, numbers n where i."idOrder" = $1)
      select "barcode" from samples order by 1`,
    values: [id, count],
  })
  return rows.map(({ barcode }) => barcode)
}

/** One attempt of a device. @returns whether ENQ and frame were acknowledged */
const acknowledged = (port: number, bytes: Buffer): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    let received = 0
    const end = (good: boolean) => {
      socket.destroy()
      resolve(good)
    }
    socket.setTimeout(5_000, () => end(false))
    socket.on('error', () => end(false)).on('close', () => resolve(false))
    socket.on('data', (data) => {
      received += data.length
      if (data.includes(NAK)) end(false)
      else if (received >= 2) end(true)
    })
    socket.write(bytes)
  })

const title = `stores each of ${RESULTS} results of ten devices once while two servers are killed in turn`
it.runIf(long.there)(title, { ...long.options, timeout: 900_000 }, async () => {
  const { db } = made.clinic
  const ports = Array.from({ length: DEVICES }, (_, at) => made.port + 1 + at)
  for (const [at, port] of ports.entries()) {
    const { id } = await made.post('laboratory/devices', { name: `Прибор ${at}`, protocol: 'astm', port })
    await made.post('laboratory/device-codes', { idDevice: id, code: '798/', idAnalyte: made.ids.CHOL, unit: 'mmol/l' })
  }
  const barcodes = await manyTubes(RESULTS)
  const servers = await Promise.all([server(), server()])
  let left = RESULTS
  const speaking = ports.map(async (port, at) => {
    for (let n = at; n < RESULTS; n += DEVICES) {
      const bytes = session(barcodes[n] as string, `4.${(n % 90) + 10}`)
      while (!(await acknowledged(port, bytes))) await sleep(200)
      left--
    }
  })
  for (let n = 0; n < KILLS; n++) {
    const due = RESULTS - Math.ceil((RESULTS * (n + 1)) / (KILLS + 1))
    await expect.poll(() => left, { timeout: 300_000, interval: 20 }).toBeLessThanOrEqual(due)
    const at = n % 2
    await killed(servers[at] as ChildProcess)
    servers[at] = await server()
  }
  await Promise.all(speaking)
  const [kept] = await db.query<{ rows: number; lines: number }>(sql`select count(*)::int as rows,
    count(distinct r."idItem") filter (where r."isMain")::int as lines from laboratory_results r
    join laboratory_order_items i on i."id" = r."idItem" join laboratory_samples s on s."id" = i."idSample"
    where s."barcode" = any (${barcodes}::text[])`)
  expect(kept).toEqual({ rows: RESULTS, lines: RESULTS })
  for (const child of servers) await killed(child)
})
