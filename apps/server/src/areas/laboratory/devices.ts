/**
 * Connections to analysers: a TCP server or client for each active device, its protocol state machine, and the status
 * indicator. One process holds the connection of a device; the others retry, so that it is taken over after a crash.
 */
import { connect, createServer, type Server, type Socket } from 'node:net'
import { laboratoryCalls, MAX_LOG } from '@ordinator/model/areas/laboratory/calls'
import { LabDevice } from '@ordinator/model/areas/laboratory/device'
import { LabSample } from '@ordinator/model/areas/laboratory/sample'
import sql from 'sql-template-tag'
import { HttpError, notFound } from '#platform/errors.ts'
import { systemActor } from '#records/actor.ts'
import type { AppContext } from '#records/context.ts'
import { operation } from '#records/operation.ts'
import { type Device, keepSent, rereadMessage, takeMessage, worklistOf } from './intake.ts'
import { type AstmInput, astmStart, astmStep, astmWaiting } from './wire/e1381.ts'
import { decode, writeAstm } from './wire/e1394.ts'
import { acknowledge, answerQuery } from './wire/hl7.ts'
import { framed, mllpStart, mllpStep, mllpWaiting } from './wire/mllp.ts'

/** Milliseconds: between checks of the devices, of TCP keep-alive, until a reconnect. */
const LOOK_MS = 10_000
const KEEP_ALIVE_MS = 30_000
const RECONNECT_MS = 5_000
const TICK_MS = 1_000
const LOG_TEXT = 4_000

/** A connection with its status. */
interface Line {
  device: Device
  server?: Server | undefined
  sockets: Set<Socket>
  error?: string | undefined
  /** Unterminated bytes, by socket. */
  waiting: Map<Socket, number>
  /** Sends an unsolicited work list (ASTM) to the connected device. */
  send?: ((records: readonly Uint8Array[]) => void) | undefined
  retry?: NodeJS.Timeout | undefined
  close(): void
}

interface Lines {
  byId: Map<number, Line>
  /** Updates the connections to the current devices. */
  reconcile(): Promise<void>
}

const held = new WeakMap<AppContext, Lines>()

/** Opens the connections once the server listens. */
export function startDevices(app: AppContext): void {
  const lines: Lines = { byId: new Map(), reconcile: () => reconcile(app, lines) }
  held.set(app, lines)
  let timer: NodeJS.Timeout | undefined
  app.onListening(async () => {
    await lines.reconcile()
    timer = setInterval(() => {
      lines.reconcile().catch((error) => app.log.warn({ err: error }, 'laboratory: devices'))
    }, LOOK_MS)
    timer.unref()
  })
  app.onClose(() => {
    clearInterval(timer)
    for (const line of lines.byId.values()) line.close()
    lines.byId.clear()
  })
  app.jobs.register('laboratory.months', {
    cron: '15 2 * * *',
    handler: () =>
      app.db.query(
        sql`select "laboratory_raw_month"(now()), "laboratory_raw_month"(now() + interval '1 month'), "laboratory_raw_month"(now() + interval '2 months')`,
      ),
  })
}

/** Triggers an update without waiting for the next check. */
export const reconcileDevices = (app: AppContext): Promise<void> => held.get(app)?.reconcile() ?? Promise.resolve()

const sameLine = (a: Device, b: Device): boolean =>
  (['protocol', 'transport', 'host', 'port', 'tubeField', 'direction', 'name'] as const).every(
    (field) => a[field] === b[field],
  )

async function reconcile(app: AppContext, { byId }: Lines): Promise<void> {
  const devices = await app.engine
    .for(systemActor)
    .asSystem.rows(LabDevice, { 'filter[active]': '1', limit: '200', sort: 'id' })
  const wanted = new Map(devices.map((device) => [device.id, device]))
  for (const [id, line] of byId) {
    const device = wanted.get(id)
    if (device && sameLine(device, line.device)) continue
    line.close()
    byId.delete(id)
  }
  for (const device of devices) {
    const line = byId.get(device.id)
    if (!line) byId.set(device.id, await open(app, device))
    else if (line.error && device.transport === 'tcp-server' && !line.server) {
      line.close()
      byId.set(device.id, await open(app, device))
    }
  }
}

async function open(app: AppContext, device: Device): Promise<Line> {
  const line: Line = {
    device,
    sockets: new Set(),
    waiting: new Map(),
    close() {
      clearTimeout(line.retry)
      line.server?.close()
      for (const socket of line.sockets) socket.destroy()
    },
  }
  if (device.transport === 'tcp-client') dial(app, line)
  else await listen(app, line)
  return line
}

const listen = (app: AppContext, line: Line): Promise<void> =>
  new Promise((resolve) => {
    const { device } = line
    const server = createServer((socket) => {
      if (device.host && socket.remoteAddress?.replace('::ffff:', '') !== device.host) {
        socket.destroy()
        return
      }
      speak(app, line, socket)
    })
    server.on('error', (error: NodeJS.ErrnoException) => {
      line.server = undefined
      line.error = error.code === 'EADDRINUSE' ? 'Порт занят: прибор слушает другой процесс' : 'Порт не открылся'
      resolve()
    })
    // The demo clinic accepts devices from this machine only.
    server.listen(device.port, app.config.demo ? '127.0.0.1' : app.config.host, () => {
      line.server = server
      line.error = undefined
      resolve()
    })
  })

function dial(app: AppContext, line: Line): void {
  const { device } = line
  const socket = connect({ host: device.host ?? '127.0.0.1', port: device.port })
  let closed = false
  const lost = () => {
    if (closed) return
    closed = true
    line.error = 'Прибор не отвечает'
    line.retry = setTimeout(() => dial(app, line), RECONNECT_MS)
    line.retry.unref()
  }
  socket.on('error', lost)
  socket.on('close', lost)
  socket.on('connect', () => {
    line.error = undefined
    speak(app, line, socket)
  })
}

function speak(app: AppContext, line: Line, socket: Socket): void {
  line.sockets.add(socket)
  // Medplum #3560: network equipment may drop a connection after two idle minutes.
  socket.setKeepAlive(true, KEEP_ALIVE_MS)
  socket.setNoDelay(true)
  socket.on('close', () => {
    line.sockets.delete(socket)
    line.waiting.delete(socket)
  })
  socket.on('error', () => socket.destroy())
  if (line.device.protocol === 'hl7') speakHl7(app, line, socket)
  else speakAstm(app, line, socket)
}

/** Runs the work of a socket in order. */
function inTurn(app: AppContext, socket: Socket): (work: () => Promise<void>) => void {
  let last = Promise.resolve()
  return (work) => {
    last = last.then(work).catch((error) => {
      // Uncommitted messages are not acknowledged: the device sends them again.
      app.log.warn({ err: error }, 'laboratory: a message was not taken')
      socket.destroy()
    })
  }
}

function speakAstm(app: AppContext, line: Line, socket: Socket): void {
  const { device } = line
  let state = astmStart(Date.now())
  const turn = inTurn(app, socket)
  const step = async (input: AstmInput): Promise<void> => {
    const made = astmStep(state, input, Date.now())
    state = made.state
    if (made.out.length && !socket.destroyed) socket.write(made.out)
    line.waiting.set(socket, astmWaiting(state))
    for (const event of made.events) {
      if (event.kind === 'message') {
        const taken = await takeMessage(app, device, event.bytes)
        await step({ committed: true })
        const orders = taken.queries.flatMap(({ order }) => (order ? [order] : []))
        if (taken.queries.length && device.direction === 'two') {
          const records = writeAstm(orders, Date.now())
          await keepSent(app, device, Buffer.concat(records))
          await step({ send: records })
        }
      } else if (event.kind === 'unfinished' || event.kind === 'noise' || event.kind === 'checksum')
        await takeMessage(app, device, event.bytes, event.kind)
      else if (event.kind === 'close') socket.destroy()
    }
  }
  line.send = (records) => turn(() => step({ send: records }))
  socket.on('data', (bytes) => turn(() => step({ bytes })))
  const timer = setInterval(() => turn(() => step({ tick: true })), TICK_MS)
  timer.unref()
  socket.on('close', () => {
    clearInterval(timer)
    line.send = undefined
    turn(() => step({ ended: true }))
  })
}

function speakHl7(app: AppContext, line: Line, socket: Socket): void {
  const { device } = line
  let state = mllpStart(Date.now())
  const turn = inTurn(app, socket)
  const say = (text: string) => !socket.destroyed && socket.write(framed(text))
  const step = async (input: { bytes: Uint8Array } | { ended: true }): Promise<void> => {
    const made = mllpStep(state, input, Date.now())
    state = made.state
    line.waiting.set(socket, mllpWaiting(state))
    for (const event of made.events) {
      if (event.kind === 'message') {
        const { hl7, queries, state: fate } = await takeMessage(app, device, event.bytes)
        if (!hl7) continue
        if (queries.length && device.direction === 'two') {
          for (const { order } of queries)
            for (const answer of answerQuery(hl7, order, Date.now())) {
              await keepSent(app, device, Buffer.from(answer))
              say(answer)
            }
        } else say(acknowledge(hl7, fate === 'broken' ? 'AR' : 'AA', Date.now()))
      } else if (event.kind === 'close') socket.destroy()
      else await takeMessage(app, device, event.bytes, event.kind)
    }
  }
  socket.on('data', (bytes) => turn(() => step({ bytes })))
  socket.on('close', () => turn(() => step({ ended: true })))
}

export const lamps = operation(laboratoryCalls.lamps, async ({ app, records }) => {
  const devices = await records.rows(LabDevice, { limit: '200', sort: 'name' })
  const strays = await app.db.reads.query<{ id: number; n: number }>(
    sql`select "idDevice" as id, count(*)::int as n from laboratory_strays where "status" = 'open' group by 1`,
  )
  const open = new Map(strays.map(({ id, n }) => [id, n]))
  const lines = held.get(app)?.byId
  return {
    items: devices.map((device) => ({
      id: device.id,
      ...lampOf(device, lines?.get(device.id)),
      connections: lines?.get(device.id)?.sockets.size ?? 0,
      lastSeen: device.lastSeen,
      open: open.get(device.id) ?? 0,
    })),
  }
})

function lampOf(
  device: Device,
  line: Line | undefined,
): { state: 'ok' | 'quiet' | 'waiting' | 'error' | 'off'; words: string } {
  if (!device.active) return { state: 'off', words: 'Выключен' }
  if (line?.error) return { state: 'error', words: line.error }
  const waiting = line ? [...line.waiting.values()].reduce((sum, bytes) => sum + bytes, 0) : 0
  if (waiting > 0) return { state: 'waiting', words: `${waiting} байт без конца` }
  const quiet = device.lastSeen === null ? undefined : Math.floor((Date.now() - Date.parse(device.lastSeen)) / 60_000)
  if (line && line.sockets.size === 0)
    return { state: 'quiet', words: quiet === undefined ? 'Не подключался' : `Не подключён, молчит ${minutes(quiet)}` }
  if (quiet === undefined) return { state: 'quiet', words: 'Ещё ничего не прислал' }
  if (quiet >= (device.quietMinutes ?? 30)) return { state: 'quiet', words: `Молчит ${minutes(quiet)}` }
  return { state: 'ok', words: 'На связи' }
}

const minutes = (count: number): string =>
  count < 60 ? `${count} мин` : count < 48 * 60 ? `${Math.floor(count / 60)} ч` : `${Math.floor(count / 1440)} дн.`

export const log = operation(laboratoryCalls.log, async ({ app, records, actor, params, query }) => {
  const device = await records.row(LabDevice, params.id)
  await app.journal({
    action: 'view',
    idUser: actor.id,
    entityType: LabDevice.path,
    idEntity: device.id,
    basis: 'Журнал прибора',
  })
  const rows = await app.db.reads.query<{
    id: number
    at: string
    state: 'done'
    direction: 'in' | 'out'
    bytes: number
    text: Buffer
    note: string | null
    results: number
  }>(sql`
    select "id", "at", "state", "direction", octet_length("bytes") as bytes, substring("bytes" from 1 for ${LOG_TEXT}) as text, "note", "results"
    from laboratory_raw where "idDevice" = ${device.id} and (${query.before ?? null}::bigint is null or "id" < ${query.before ?? null})
    order by "id" desc limit ${MAX_LOG + 1}`)
  const shown = rows.slice(0, MAX_LOG)
  return {
    items: shown.map((row) => ({
      ...row,
      at: new Date(row.at).toISOString(),
      text: visible(decode(row.text)),
      cut: row.bytes > LOG_TEXT,
    })),
    next: rows.length > MAX_LOG ? (shown.at(-1)?.id ?? null) : null,
  }
})

const controls: Readonly<Record<number, string>> = {
  2: '␂',
  3: '␃',
  4: '␄',
  5: '␅',
  6: '␆',
  11: '␋',
  21: '␕',
  23: '␗',
  28: '␜',
}
/** Readable text: one record per line, other control characters as symbols. */
const visible = (text: string): string =>
  [...text.replaceAll('\r\n', '\n').replaceAll('\r', '\n')].map((char) => controls[char.charCodeAt(0)] ?? char).join('')

export const reread = operation(laboratoryCalls.reread, ({ records, params }) =>
  records.tx(async (inner, tx) => {
    const taken = await rereadMessage(inner, tx, params.id)
    if (!taken) throw notFound('Такого сообщения в журнале нет')
    return { results: taken.results, strays: taken.strays }
  }),
)

export const resend = operation(laboratoryCalls.resend, async ({ app, records, params, body }) => {
  const sample = await records.row(LabSample, params.id)
  const device = await records.row(LabDevice, body.idDevice)
  const line = held.get(app)?.byId.get(device.id)
  if (device.protocol !== 'astm' || device.direction !== 'two')
    throw new HttpError(409, 'Этому прибору задания не отправляют: он спрашивает их сам', { code: 'direction' })
  const order = await worklistOf(app.db, device, sample.barcode)
  if (!order) throw new HttpError(409, 'Для этого прибора у пробы нет исследований', { code: 'empty' })
  if (!line?.send) throw new HttpError(409, 'Прибор не на связи', { code: 'away' })
  const records1 = writeAstm([order], Date.now())
  await keepSent(app, device, Buffer.concat(records1))
  line.send(records1)
  return { sent: true }
})
