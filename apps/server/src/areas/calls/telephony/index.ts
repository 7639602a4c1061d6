import { randomUUID } from 'node:crypto'
import { Call, OUTGOING } from '@ordinator/model/areas/calls/call'
import { callCalls } from '@ordinator/model/areas/calls/calls'
import { phoneFromExchange } from '@ordinator/model/phone'
import type pg from 'pg'
import sql from 'sql-template-tag'
import { type Adapter, AdapterFault } from '#platform/adapter.ts'
import { HttpError, ValidationError } from '#platform/errors.ts'
import { systemActor } from '#records/actor.ts'
import type { AppContext } from '#records/context.ts'
import { operation } from '#records/operation.ts'
import { ownerOf } from '../callers.ts'
import { type AmiAddress, openAmi } from './ami.ts'
import { CATCH_UP, catchUp } from './catchUp.ts'
import { cloudLine } from './cloud.ts'
import { type DialPlan, dialled, dialPlanOf } from './dialPlan.ts'
import type { Exchange, LineWord } from './exchange.ts'
import { dropMerged, keepCall } from './keep.ts'
import { OWN_SESSION } from './session.ts'
import { CallTracker, type TrackedCall } from './tracker.ts'

const TICK_MS = 500
const LEAD_EVERY_MS = 5_000
/**
 * Milliseconds after which an ended call must be in the journal; otherwise the leader is gone and its successor did not
 * receive it.
 */
const LATE_MS = 10_000
/** Milliseconds of retries to write a call: the database may be unavailable. */
const RETRY_MS = 5 * 60_000
const DEFAULT_PORT = 5038
/** Seconds after a reconnect: by then the exchange has written ended calls, and live ones are known. */
const WRITTEN_S = 90

const exchanges = new WeakMap<AppContext, { exchange: Exchange; pbx: string; plan: DialPlan }>()

/**
 * Connects to the exchange. Every process tracks the calls, so that any can take over and dial; the one that holds the
 * lock of the exchange writes (never one with `ROLE=web`), and the others write what it missed.
 */
export function startTelephony(app: AppContext): void {
  const { amiUrl } = app.config
  if (amiUrl === undefined) return
  const address = addressOf(amiUrl)
  const pbx = address.host
  const plan = dialPlanOf(amiUrl)
  const leader = leadership(app, pbx)
  const records = app.engine.for(systemActor)
  /**
   * Writes only the latest state of each call, in sequence. Calls received while another process leads are checked too:
   * it may have died before writing them.
   */
  const latest = new Map<string, { call: TrackedCall; led: boolean; failedAt?: number }>()
  let writing = false
  const write = async () => {
    if (writing) return
    writing = true
    const again: typeof latest = new Map()
    for (const [session, one] of latest) {
      if (!leader.leads() && !isLate(one.call)) continue
      latest.delete(session)
      try {
        await keepCall(records, pbx, one.call, { unlessOver: !one.led, plan })
      } catch (error) {
        if (!one.failedAt) app.log.error({ error: String(error), session }, 'telephony: a call was not written')
        one.failedAt ??= Date.now()
        if (Date.now() - one.failedAt < RETRY_MS) again.set(session, one)
      }
    }
    for (const [session, one] of again) if (!latest.has(session)) latest.set(session, one)
    writing = false
  }
  const merged = (session: string) => {
    latest.delete(session)
    if (leader.leads())
      void dropMerged(records, pbx, session).catch((error) =>
        app.log.error({ error: String(error), session }, 'telephony: a merged call was not taken away'),
      )
  }
  const tracker = new CallTracker(
    (call) => {
      latest.set(call.session, { call, led: leader.leads() })
      void write()
    },
    merged,
    plan,
  )
  const logLine = lineLogger(app)
  const line = (word: LineWord) => {
    logLine(word)
    if (word === 'in' && app.config.cdrUrl) void app.jobs.send(CATCH_UP, {}, { key: 'after', startAfter: WRITTEN_S })
  }
  const exchange = openAmi(
    address,
    {
      event: (event, at) => tracker.event(event, at),
      living: (uniqueids, at) => tracker.living(uniqueids, at),
      line,
    },
    app.log,
  )
  const follows = (id: string) => tracker.follows(id)
  app.jobs.register(CATCH_UP, { cron: '23 4 * * *', handler: () => catchUp(app, pbx, follows) })
  exchanges.set(app, { exchange, pbx, plan })
  const ticking = setInterval(() => {
    tracker.tick(Date.now())
    void write()
  }, TICK_MS)
  app.onClose(async () => {
    clearInterval(ticking)
    exchange.stop()
    await leader.stop()
  })
}

const isLate = ({ end }: TrackedCall): boolean => end !== null && end < Date.now() - LATE_MS

const lineWords = {
  refused: 'АТС не приняла вход',
  lost: 'Связь с АТС оборвалась',
  away: 'АТС не отвечает',
} satisfies Record<Exclude<LineWord, 'in'>, string>

/**
 * Reports the state of the connection to the journal of exchange: a break with all its reconnect attempts is one line.
 */
function lineLogger(app: AppContext): (word: LineWord) => void {
  let key = randomUUID()
  return (word) => {
    const line = { adapter: 'ami', operation: 'Связь с АТС', key: `line-${key}` } as const
    void app.exchanged(
      word === 'in' ? { ...line, status: 'done' } : { ...line, status: 'network_error', error: lineWords[word] },
    )
    if (word === 'in') key = randomUUID()
  }
}

/** The exchange as a card of «Интеграции». */
export const telephonyAdapters = (app: AppContext): Adapter[] => [
  {
    key: 'ami',
    code: 'ami',
    name: 'Телефония (АТС)',
    mode: app.config.amiUrl === undefined ? 'off' : 'prod',
    setIn: 'Настройка сервера AMI_URL',
    isQuiet: true,
    async check() {
      await exchanges
        .get(app)
        ?.exchange.ping()
        .catch(() => {
          throw new AdapterFault('АТС не отвечает')
        })
    },
  },
]

function addressOf(url: string): AmiAddress {
  const { hostname, port, username, password } = new URL(url)
  return {
    host: hostname,
    port: port === '' ? DEFAULT_PORT : Number(port),
    user: decodeURIComponent(username),
    secret: decodeURIComponent(password),
  }
}

/** Leader election: one process holds a lock of the database on a connection of its own. */
function leadership(app: AppContext, pbx: string) {
  let client: pg.Client | undefined
  let leads = false
  let stopped = false
  const lose = () => {
    leads = false
    client = undefined
  }
  const ask = async () => {
    if (leads || stopped || app.config.role === 'web') return
    try {
      if (!client) {
        client = await app.db.connect()
        client.on('error', lose)
        client.on('end', lose)
      }
      const { rows } = await client.query('select pg_try_advisory_lock(hashtextextended($1, 0)) as ok', [
        `telephony ${pbx}`,
      ])
      leads = rows[0]?.ok === true && !stopped
    } catch {
      lose()
    }
  }
  const first = ask()
  const asking = setInterval(() => void ask(), LEAD_EVERY_MS)
  return {
    leads: () => leads,
    async stop() {
      stopped = true
      clearInterval(asking)
      await first
      await client?.end().catch(() => undefined)
    },
  }
}

export const originate = operation(callCalls.originate, async ({ app, records, actor, body }) => {
  const phone = phoneFromExchange(body.phone)
  if (!phone) throw new ValidationError([{ field: 'phone', message: 'Не корректный номер телефона' }])
  const line = exchanges.get(app) ?? (await cloudLine(app))
  if (!line)
    throw new HttpError(409, 'Телефония не подключена: попросите администратора подключить её', { code: 'off' })
  const me = await app.db.one<{ sip: string | null }>(sql`select "sipPhone" as sip from users where "id" = ${actor.id}`)
  if (!me?.sip)
    throw new HttpError(409, 'Укажите в профиле свой внутренний номер: на него придёт звонок', { code: 'sipPhone' })
  const session = `${OWN_SESSION}${randomUUID()}`
  const { id } = await records.asSystem.create(Call, {
    callType: OUTGOING,
    state: 'ringing',
    contactPhone: phone,
    destPhone: phone,
    localPhone: me.sip,
    idUser: actor.id,
    idFirstUser: actor.id,
    idCustomer: await ownerOf(app.db, phone),
    pbx: line.pbx,
    idCallSession: session,
    source: 'plan' in line ? 'ami' : 'cloud',
  })
  // A state reported meanwhile takes precedence.
  const fail = () =>
    records.tx(async (inner, tx) => {
      const rings = await tx.one(sql`select 1 from calls where "id" = ${id} and "state" = 'ringing' for update`)
      if (rings) await inner.asSystem.update(Call, id, { state: 'failed', dateEnd: new Date().toISOString() })
    })
  try {
    await line.exchange.originate({
      sipPhone: me.sip,
      phone: 'plan' in line ? dialled(phone, line.plan) : phone,
      session,
      failed: () => void fail().catch(() => undefined),
    })
  } catch (error) {
    app.log.error({ error: String(error) }, 'telephony: a call was not put through')
    await fail()
    throw new HttpError(502, 'АТС не соединила: проверьте телефон и попробуйте ещё раз', { code: 'exchange' })
  }
  return { id }
})
