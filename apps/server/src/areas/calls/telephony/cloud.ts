/**
 * Cloud exchanges behind the telephony interface: each event is stored once, and a call is computed from all of its
 * events, so that out-of-order, duplicate and late events give the same result.
 */
import { callCalls } from '@ordinator/model/areas/calls/calls'
import { phoneOf } from '@ordinator/model/phone'
import sql from 'sql-template-tag'
import { readCommonSettings, secretOf } from '#areas/settings/index.ts'
import { type Adapter, AdapterFault } from '#platform/adapter.ts'
import type { Queryable, Tx } from '#platform/db.ts'
import { unauthorized } from '#platform/errors.ts'
import { RemoteFault, remote } from '#platform/remote.ts'
import { systemActor } from '#records/actor.ts'
import type { AppContext } from '#records/context.ts'
import { operation } from '#records/operation.ts'
import type { CloudEvent, CloudSecret } from './cloudEvent.ts'
import { noteRecording, startRecordings } from './cloudRecordings.ts'
import type { Exchange } from './exchange.ts'
import { keepCall } from './keep.ts'
import { mangoCall, mangoRecording, mangoSign, readMango } from './mango.ts'
import { OWN_SESSION } from './session.ts'
import { readZadarma, zadarmaAuthorization, zadarmaCall } from './zadarma.ts'

type Provider = 'mango' | 'zadarma'

/** Days that events are kept. */
const KEPT_DAYS = 30
/** Maximum number of events used per call. */
const MOST_EVENTS = 300

const folds = { mango: mangoCall, zadarma: zadarmaCall } as const

/** The keys of a provider; undefined if it is not the configured one, or has no keys. */
async function secretsOf(app: AppContext, provider: Provider): Promise<CloudSecret | undefined> {
  const { telephonyProvider, telephonyKey, telephonySecret } = await readCommonSettings(app.db)
  if (telephonyProvider !== provider || !telephonyKey || !telephonySecret) return undefined
  const [key, secret] = await Promise.all([secretOf(app.db, 'telephonyKey'), secretOf(app.db, 'telephonySecret')])
  return key && secret ? { key, secret } : undefined
}

/** Stores an event and the call that its events amount to, together: a repeat of a stored event has nothing left to do. */
async function storeEvent(
  app: AppContext,
  provider: Provider,
  { entry, mark, body, recording }: CloudEvent,
): Promise<void> {
  if (recording) await noteRecording(app, { provider, entry, recording })
  await app.engine.for(systemActor).tx(async (records, tx) => {
    // Events of a call that come together are taken in turn: an earlier state never overwrites a later one.
    await tx.query(sql`select pg_advisory_xact_lock(hashtextextended(${`${provider} ${entry}`}, 0))`)
    const made = await tx.one(sql`insert into cloud_call_events ("provider", "entry", "mark", "body")
      values (${provider}, ${entry}, ${mark}, ${JSON.stringify(body)}::jsonb) on conflict do nothing returning 1`)
    if (!made) return
    const call = folds[provider](entry, await eventsOf(tx, provider, entry))
    if (!call) return
    if (provider === 'zadarma') await linkDialled(tx, entry, call.localPhone, call.contactPhone)
    await keepCall(records, provider, call, { source: 'cloud' })
  })
}

const eventsOf = (db: Queryable, provider: Provider, entry: string) =>
  db.query<CloudEvent & { body: object; at: number }>(sql`select "entry", "mark", "body",
      (extract(epoch from "dateCreate") * 1000)::float8 as at
    from cloud_call_events where "provider" = ${provider} and "entry" = ${entry} order by "id" limit ${MOST_EVENTS}`)

/** Links a call dialled from the screen to the exchange's own id. */
async function linkDialled(tx: Tx, entry: string, localPhone: string | null, contact: string | null): Promise<void> {
  const phone = contact && phoneOf(contact)
  if (!localPhone || !phone) return
  await tx.query(sql`update calls set "idCallSession" = ${entry} where "id" = (select "id" from calls
    where "pbx" = 'zadarma' and "idCallSession" like ${`${OWN_SESSION}%`} and "localPhone" = ${localPhone} and "contactPhone" = ${phone}
      and "dateCreate" > now() - interval '2 minutes' order by "id" desc limit 1)
    and not exists (select from calls o where o."pbx" = 'zadarma' and o."idCallSession" = ${entry})`)
}

const formOf = (body: unknown): Record<string, string> =>
  Object.fromEntries(new URLSearchParams(((body as Buffer | undefined) ?? Buffer.alloc(0)).toString('utf8')))

async function take(
  app: AppContext,
  provider: Provider,
  read: (secret: CloudSecret) => CloudEvent | 'other' | undefined,
) {
  const secret = await secretsOf(app, provider)
  const event = secret && read(secret)
  if (event === undefined) throw unauthorized('Подпись не подходит', 'signature')
  await app.exchanged({
    adapter: provider,
    direction: 'in',
    operation: 'Событие звонка',
    key: 'events',
    status: 'done',
  })
  if (event !== 'other') await storeEvent(app, provider, event)
  return { ok: true }
}

const mangoEvent = operation(callCalls.mangoEvent, ({ app, params, request }) =>
  take(app, 'mango', (secret) => readMango(params.kind, formOf(request.body), secret)),
)

const zadarmaEvent = operation(callCalls.zadarmaEvent, ({ app, request }) =>
  take(app, 'zadarma', (secret) => readZadarma(formOf(request.body), String(request.headers.signature ?? ''), secret)),
)

/** The address is confirmed by echoing the challenge. */
const zadarmaEcho = operation(callCalls.zadarmaEcho, ({ query, reply }) =>
  reply
    .type('text/plain')
    .header('x-content-type-options', 'nosniff')
    .send(query.zd_echo ?? ''),
)

export const cloudOperations = [mangoEvent, zadarmaEvent, zadarmaEcho]

/** Seconds for which a signed URL of Mango is valid. */
const LINK_S = 3_600

/** URL of a recording; undefined if its provider is not the configured one. */
async function recordingLink(app: AppContext, provider: Provider, recording: string): Promise<string | undefined> {
  const secret = await secretsOf(app, provider)
  if (!secret) return undefined
  if (provider === 'mango')
    return `${app.config.mangoUrl}${mangoRecording(recording, Math.floor(Date.now() / 1000) + LINK_S, secret)}`
  const answer = await askZadarma(app, secret, '/v1/pbx/record/request/', { call_id: recording })
  if (typeof answer.link !== 'string') throw new RemoteFault('Zadarma ещё не дала записи', false)
  return answer.link
}

export function startCloud(app: AppContext): void {
  startRecordings(app, {
    linkOf: (provider, recording) => recordingLink(app, provider as Provider, recording),
    isOwn: (url) =>
      [app.config.mangoUrl, app.config.zadarmaUrl].some((own) => URL.parse(own)?.origin === URL.parse(url)?.origin),
    sessionOf: async (provider, entry) =>
      folds[provider as Provider](entry, await eventsOf(app.db, provider as Provider, entry))?.session,
  })
  app.jobs.register('calls.forgetCloudEvents', {
    cron: '29 3 * * *',
    handler: () =>
      app.db.query(sql`delete from cloud_call_events where "dateCreate" < now() - make_interval(days => ${KEPT_DAYS})`),
  })
}

type Line = { exchange: Pick<Exchange, 'originate' | 'ping'>; pbx: Provider }

/** The configured cloud exchange; undefined if none. */
export async function cloudLine(app: AppContext): Promise<Line | undefined> {
  const { telephonyProvider } = await readCommonSettings(app.db)
  if (telephonyProvider === 'off') return undefined
  const secret = await secretsOf(app, telephonyProvider)
  return secret && { pbx: telephonyProvider, exchange: { mango, zadarma }[telephonyProvider](app, secret) }
}

function mango(app: AppContext, secret: CloudSecret): Line['exchange'] {
  const system = remote(app, { adapter: 'mango', url: app.config.mangoUrl, isOwn: true })
  const ask = async (path: string, fields: object) => {
    const json = JSON.stringify(fields)
    const body = new URLSearchParams({ vpbx_api_key: secret.key, sign: mangoSign(json, secret), json }).toString()
    const { status, bytes } = await system.quietly({
      method: 'POST',
      path,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body,
    })
    const answer = readable<{ result?: number }>('Mango Office', bytes)
    // 1000 means success.
    if (status >= 400 || (answer.result !== undefined && answer.result !== 1000))
      throw new RemoteFault(`Mango Office: отказ ${answer.result ?? status}`, false)
  }
  return {
    originate: ({ sipPhone, phone, session }) =>
      ask('/commands/callback', {
        command_id: session,
        from: { extension: sipPhone },
        to_number: phone.replace(/\D/g, ''),
      }),
    ping: () => ask('/config/users/request', {}),
  }
}

/** The answer of a provider. @throws RemoteFault if it cannot be read: it may follow after the work */
function readable<T extends object>(name: string, bytes: Buffer): Partial<T> {
  try {
    const parsed: unknown = JSON.parse(bytes.toString('utf8') || '{}')
    if (typeof parsed === 'object' && parsed !== null) return parsed as Partial<T>
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
  }
  throw new RemoteFault(`${name}: ответ не читается`, true)
}

interface ZadarmaAnswer {
  status?: string
  message?: string
  link?: string
}

/** @throws RemoteFault */
async function askZadarma(
  app: AppContext,
  secret: CloudSecret,
  path: string,
  params: Record<string, string>,
): Promise<ZadarmaAnswer> {
  const system = remote(app, { adapter: 'zadarma', url: app.config.zadarmaUrl, isOwn: true })
  const query = new URLSearchParams(Object.entries(params).sort(([a], [b]) => (a < b ? -1 : 1))).toString()
  const { status, bytes } = await system.quietly({
    path: `${path}${query && `?${query}`}`,
    headers: { authorization: zadarmaAuthorization(path, query, secret) },
  })
  const answer = readable<ZadarmaAnswer>('Zadarma', bytes)
  if (status >= 400 || answer.status !== 'success')
    throw new RemoteFault(`Zadarma: ${answer.message ?? `отказ ${status}`}`.slice(0, 200), false)
  return answer
}

function zadarma(app: AppContext, secret: CloudSecret): Line['exchange'] {
  return {
    originate: async ({ sipPhone, phone }) =>
      void (await askZadarma(app, secret, '/v1/request/callback/', { from: sipPhone, to: phone })),
    ping: async () => void (await askZadarma(app, secret, '/v1/info/balance/', {})),
  }
}

const names = { mango: 'Mango Office', zadarma: 'Zadarma' } as const

/** The cloud exchange as a card of «Интеграции». */
export async function cloudAdapters(app: AppContext): Promise<Adapter[]> {
  const { telephonyProvider } = await readCommonSettings(app.db)
  if (telephonyProvider === 'off') return []
  const line = await cloudLine(app)
  return [
    {
      key: telephonyProvider,
      code: telephonyProvider,
      name: `Телефония: ${names[telephonyProvider]}`,
      mode: line ? 'prod' : 'off',
      setIn: 'Настройки → Подключения',
      page: 'connections',
      isQuiet: true,
      async check() {
        try {
          await line?.exchange.ping()
        } catch (error) {
          throw error instanceof RemoteFault ? error : new AdapterFault('АТС ответила непонятно')
        }
      },
    },
  ]
}
