/**
 * The analysers' connections of this process. A listening port belongs to the process that could open it; a device that
 * is dialled, to the one process that holds its claim in `laboratory_lines`, which ends with that process. The same table
 * has the state of every connection, so that each process can show it, and pass on what is to be sent.
 */
import { LabDevice } from '@ordinator/model/areas/laboratory/device'
import sql, { type Sql } from 'sql-template-tag'
import type { Tx } from '#platform/db.ts'
import { announceSql } from '#platform/fanout.ts'
import { systemActor } from '#records/actor.ts'
import type { AppContext } from '#records/context.ts'
import { DeviceLine, sameLine } from './deviceLine.ts'
import { type Device, keepSent } from './intake.ts'

/** Milliseconds: between checks of the devices, and of what changed in the connections. */
const LOOK_MS = 10_000
const SAVE_MS = 1_000
/** Signals a device with a work list to send. */
const CHANNEL = 'laboratory.send'
/** Minutes after which a work list that no connection took is not sent any more. */
const LATE_MINUTES = 10

const held = new WeakMap<AppContext, DeviceLines>()

/** Opens the connections once the server listens. */
export function startDevices(app: AppContext): void {
  const lines = new DeviceLines(app)
  held.set(app, lines)
  app.fanout.subscribe(CHANNEL, (id) => lines.deliver(Number(id)))
  app.fanout.onGap(() => lines.deliverAll())
  // The claims of a killed process are free at once.
  app.life.onDeath(async (life) => {
    await app.db.query(sql`delete from laboratory_lines where "life" = ${life}`)
    if (app.config.role !== 'web') await lines.reconcile()
  })
  app.onWorking(() => lines.start())
  app.onClose(() => lines.stop())
  app.jobs.register('laboratory.months', {
    cron: '15 2 * * *',
    async handler() {
      await app.db.query(
        sql`select "laboratory_raw_month"(now()), "laboratory_raw_month"(now() + interval '1 month'), "laboratory_raw_month"(now() + interval '2 months')`,
      )
      await app.db.query(sql`delete from laboratory_sendings where "dateCreate" < now() - interval '1 day'`)
    },
  })
}

/** Applies changed devices without waiting for the next check. */
export const reconcileDevices = (app: AppContext): Promise<void> => held.get(app)?.start() ?? Promise.resolve()

/** Connections as all processes report them, one row per device. */
export interface LineState {
  idDevice: number
  /** Russian: why nothing is connected. */
  error: string | null
  connections: number
  /** Bytes of unterminated messages. */
  waiting: number
}

/** SQL: one row per device with a connection in some process; a listening process counts before one that failed. */
export const lineStatesSql =
  (): Sql => sql`select "idDevice"::int as "idDevice", sum("connections")::int as connections,
  sum("waiting")::int as waiting, case when bool_or("error" is null) then null else min("error") end as error
  from laboratory_lines group by 1`

/** Hands a work list to the process that is connected to the device. @returns false without a connection */
export async function sendToDevice(tx: Tx, idDevice: number, records: readonly Uint8Array[]): Promise<boolean> {
  const connected = await tx.one(
    sql`select 1 from laboratory_lines where "idDevice" = ${idDevice} and "connections" > 0 limit 1`,
  )
  if (!connected) return false
  await tx.query(sql`insert into laboratory_sendings ("idDevice", "records")
    values (${idDevice}, ${records.map((one) => Buffer.from(one))}::bytea[])`)
  await tx.query(sql`select ${announceSql(CHANNEL, String(idDevice))}`)
  return true
}

class DeviceLines {
  readonly #app: AppContext
  readonly #byId = new Map<number, DeviceLine>()
  readonly #saved = new Map<number, string>()
  #turn: Promise<void> = Promise.resolve()
  #timers: NodeJS.Timeout[] = []
  #isRunning = false

  constructor(app: AppContext) {
    this.#app = app
  }

  async start(): Promise<void> {
    const isFirst = !this.#isRunning
    this.#isRunning = true
    await this.reconcile()
    if (!isFirst) return
    this.#timers = [
      setInterval(() => void this.reconcile(), LOOK_MS).unref(),
      setInterval(() => void this.#inTurn(() => this.#save()), SAVE_MS).unref(),
    ]
  }

  async stop(): Promise<void> {
    this.#isRunning = false
    for (const timer of this.#timers) clearInterval(timer)
    for (const line of this.#byId.values()) line.close()
    this.#byId.clear()
    await this.#app.db
      .query(sql`delete from laboratory_lines where "life" = ${this.#app.life.id}`)
      .catch((error) => this.#app.log.warn({ err: error }, 'laboratory: claims were not released'))
  }

  /** Updates the connections to the current devices. */
  reconcile(): Promise<void> {
    return this.#inTurn(async () => {
      if (!this.#isRunning) return
      const devices = await this.#app.engine
        .for(systemActor)
        .asSystem.rows(LabDevice, { 'filter[active]': '1', limit: '200', sort: 'id' })
      const wanted = new Map(devices.map((device) => [device.id, device]))
      for (const [id, line] of this.#byId) {
        const device = wanted.get(id)
        const isKept = device && sameLine(device, line.device) && (await this.#mayHold(device)) && !line.isShut
        if (isKept) line.device = device
        else await this.#end(id, line)
      }
      for (const device of devices)
        if (!this.#byId.has(device.id) && (await this.#mayHold(device))) await this.#open(device)
      await this.#save()
      for (const line of this.#byId.values()) await line.noise.write()
    })
  }

  deliver(idDevice: number): void {
    const line = this.#byId.get(idDevice)
    if (line) this.#inTurn(() => this.#deliver(line))
  }

  deliverAll(): void {
    for (const id of this.#byId.keys()) this.deliver(id)
  }

  /** Sends the work lists that wait for this device; each is taken by one process. */
  async #deliver(line: DeviceLine): Promise<void> {
    const { db } = this.#app
    while (line.connections > 0) {
      const next = await db.one<{ id: number; records: Buffer[] }>(sql`update laboratory_sendings set "state" = 'taken'
        where "id" = (select "id" from laboratory_sendings where "idDevice" = ${line.device.id} and "state" = 'waiting'
          and "dateCreate" > now() - make_interval(mins => ${LATE_MINUTES}) order by "id" limit 1 for update skip locked)
        returning "id"::int as id, "records"`)
      if (!next) return
      await keepSent(this.#app, line.device, Buffer.concat(next.records))
      line.send(next.records, (isSent) =>
        db
          .query(sql`update laboratory_sendings set "state" = ${isSent ? 'sent' : 'unsent'} where "id" = ${next.id}`)
          .catch((error) => this.#app.log.warn({ err: error }, 'laboratory: the fate of a work list was not written')),
      )
    }
  }

  async #open(device: Device): Promise<void> {
    const line = new DeviceLine(this.#app, device)
    this.#byId.set(device.id, line)
    await line.open()
  }

  async #end(id: number, line: DeviceLine): Promise<void> {
    line.close()
    this.#byId.delete(id)
    this.#saved.delete(id)
    await this.#app.db.query(
      sql`delete from laboratory_lines where "idDevice" = ${id} and "life" = ${this.#app.life.id}`,
    )
  }

  /** Claims a device that is dialled, or confirms the claim: a process that stalled may have lost it. */
  async #mayHold({ id, transport }: Device): Promise<boolean> {
    if (transport !== 'tcp-client') return true
    const me = this.#app.life.id
    // What is left of a claim that was lost.
    await this.#app.db.query(
      sql`delete from laboratory_lines where "idDevice" = ${id} and "life" = ${me} and not "isOwner"`,
    )
    const mine = await this.#app.db.one(sql`insert into laboratory_lines as l ("idDevice", "life", "isOwner")
      values (${id}, ${me}::uuid, true) on conflict ("idDevice") where "isOwner" do update set "life" = excluded."life"
      where l."life" = excluded."life" or not exists (select from server_lives s where s."id" = l."life") returning 1`)
    return mine !== undefined
  }

  /** Writes what has changed in the connections. */
  async #save(): Promise<void> {
    const me = this.#app.life.id
    for (const [id, line] of this.#byId) {
      const { error = null, connections, waiting } = line
      const state = JSON.stringify([error, connections, waiting])
      if (this.#saved.get(id) === state) continue
      await this.#app.db.query(sql`insert into laboratory_lines ("idDevice", "life", "error", "connections", "waiting")
        values (${id}, ${me}::uuid, ${error}, ${connections}, ${waiting}) on conflict ("idDevice", "life")
        do update set "error" = excluded."error", "connections" = excluded."connections", "waiting" = excluded."waiting"`)
      this.#saved.set(id, state)
    }
  }

  #inTurn(work: () => Promise<void>): Promise<void> {
    this.#turn = this.#turn
      .then(work)
      .catch((error) => this.#app.log.warn({ err: error }, 'laboratory: the connections of devices'))
    return this.#turn
  }
}
