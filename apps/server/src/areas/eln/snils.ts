/**
 * Search of a СНИЛС by the data of a card: the query is sent to the Social Fund by the outbox, and polled for its
 * result. A single match is stored in a card without one; several, or one that differs from the card's, wait for a
 * person.
 */
import { Customer } from '@ordinator/model/areas/customers/customer'
import type { snilsMoments } from '@ordinator/model/areas/eln/moments'
import { openSnils, SnilsQuery, type SnilsVariant } from '@ordinator/model/areas/eln/snils'
import { snilsCalls } from '@ordinator/model/areas/eln/snilsCalls'
import { schemes } from '@ordinator/model/identifiers'
import sql, { type Sql } from 'sql-template-tag'
import { clinicZone, readCommonSettings } from '#areas/settings/index.ts'
import type { Tx } from '#platform/db.ts'
import { HttpError, ValidationError } from '#platform/errors.ts'
import type { OutboxAdapter, Outcome } from '#platform/outbox.ts'
import { switchedOff } from '#platform/outboxMessage.ts'
import { outcomeOf, type Remote, RemoteFault } from '#platform/remote.ts'
import { systemActor } from '#records/actor.ts'
import type { AppContext } from '#records/context.ts'
import { records } from '#records/define.ts'
import { operation } from '#records/operation.ts'
import type { Records } from '#records/records.ts'
import type { SetUp } from './limits.ts'
import { reach } from './service.ts'

export const snilsQueries = records(SnilsQuery)

type Moment = keyof typeof snilsMoments
interface Payload {
  idQuery: number
}
interface Found {
  variants: SnilsVariant[]
}

async function serviceOf(app: AppContext): Promise<Remote | undefined> {
  const { sosnilsSearch, sosnilsMode, sosnilsAddress, sosnilsLogin } = await readCommonSettings(app.db)
  if (!sosnilsSearch || sosnilsMode === 'off') return undefined
  return reach(app, {
    adapter: 'snils',
    address: sosnilsAddress,
    own: app.config.snilsUrl,
    login: sosnilsLogin,
    password: 'sosnilsPassword',
  })
}

async function stateOf(app: AppContext): Promise<SetUp> {
  const { sosnilsSearch, sosnilsMode, sosnilsAddress } = await readCommonSettings(app.db)
  const not = (words: string) => ({ isSet: false, words })
  if (!sosnilsSearch) return not('Поиск СНИЛС выключен: включите его в настройках, «Поиск СНИЛС»')
  if (sosnilsMode === 'off') return not('Сервис СНИЛС не подключён: выберите режим в настройках, «Поиск СНИЛС»')
  if (!sosnilsAddress && !app.config.snilsUrl) return not('Не задан адрес сервиса СНИЛС')
  return { isSet: true, words: sosnilsMode === 'test' ? 'Тестовый контур' : 'Поиск СНИЛС работает' }
}

const askedToday = async (db: Pick<Tx, 'one'>): Promise<number> =>
  (
    await db.one<{ count: number }>(sql`select count(*)::int as count from snils_queries
      where "dateCreate" >= date_trunc('day', now() at time zone ${clinicZone}) at time zone ${clinicZone}`)
  )?.count ?? 0

export const snilsState = operation(snilsCalls.state, async ({ app }) => {
  const { sosnilsPerDay } = await readCommonSettings(app.db)
  const waiting = await app.db.one<{ count: number }>(
    sql`select count(*)::int as count from snils_queries where "status" = any (${[...openSnils]}::text[])`,
  )
  return {
    ...(await stateOf(app)),
    today: await askedToday(app.db),
    perDay: sosnilsPerDay,
    waiting: waiting?.count ?? 0,
  }
})

/** Creates a query for a card. @returns the open one if any, and whether it is new */
async function put(app: AppContext, own: Records, tx: Tx, idCustomer: number, moment: Moment) {
  await tx.query(sql`select pg_advisory_xact_lock(hashtextextended('snils queries', 0))`)
  const [open] = await own.asSystem.rows(SnilsQuery, {
    'filter[idCustomer]': idCustomer,
    'filter[status][in]': [...openSnils],
    limit: 1,
  })
  if (open) return { query: open, isNew: false }
  const { sosnilsPerDay } = await readCommonSettings(tx)
  if ((await askedToday(tx)) >= sosnilsPerDay)
    throw new HttpError(409, `Сегодня уже ${sosnilsPerDay} запросов СНИЛС: это предел, который задан в настройках`, {
      code: 'limit',
    })
  const query = await own.asSystem.create(SnilsQuery, { idCustomer, moment })
  await app.outbox.add(tx, {
    adapter: 'snils',
    operation: 'search',
    title: 'Поиск СНИЛС',
    key: `snils-${query.id}`,
    subject: `snils-${idCustomer}`,
    about: { path: SnilsQuery.path, id: query.id },
    payload: { idQuery: query.id } satisfies Payload,
  })
  return { query, isNew: true }
}

export const askSnils = operation(snilsCalls.ask, async ({ app, records: own, body, reply }) => {
  const { isSet, words } = await stateOf(app)
  if (!isSet) throw new HttpError(409, words, { code: 'off' })
  const card = await own.row(Customer, body.idCustomer)
  const missing = lacking(card)
  if (missing) throw new ValidationError([{ field: 'idCustomer', message: missing }])
  const { query, isNew } = await own.tx((inner, tx) => put(app, inner, tx, card.id, 'hand'))
  return reply.code(isNew ? 201 : 200).send(query)
})

/** The missing data that prevents a search. */
const lacking = ({
  surname,
  name,
  birthday,
}: {
  surname: string | null
  name: string | null
  birthday: string | null
}) =>
  !surname || !name
    ? 'Для поиска СНИЛС нужны фамилия и имя'
    : birthday
      ? undefined
      : 'Для поиска СНИЛС нужна дата рождения'

/** Maximum number of cards queried per run of the job. */
const AT_ONCE = 50

/** SQL of the cards due for each event. A document of РЭМД triggers the query before sending, in its own area. */
const due: Readonly<Partial<Record<Moment, Sql>>> = {
  create: sql`c."dateCreate" > now() - interval '1 day'`,
  visit: sql`exists (select from appointments a where a."idCustomer" = c."id" and not a."deleted"
    and a."dateFrom" between now() and now() + interval '1 day')
    and not exists (select from appointments a where a."idCustomer" = c."id" and not a."deleted" and a."dateFrom" < now())`,
  sickLeave: sql`exists (select from eln l where l."idCustomer" = c."id" and not l."deleted" and l."localStatus" = 'draft'
    and l."dateCreate" > now() - interval '3 days')`,
}

/** The job `snils.ask`: queries cards without a СНИЛС at the event chosen by the clinic, at most once a month. */
export async function askByItself(app: AppContext, signal: AbortSignal): Promise<void> {
  const { sosnilsMoment } = await readCommonSettings(app.db)
  const which = due[sosnilsMoment]
  if (!which || !(await stateOf(app)).isSet) return
  const cards = await app.db.query<{ id: number }>(sql`select c."id"::int as id from customers c
    where not c."deleted" and c."snils" is null and c."name" is not null and c."birthday" is not null and ${which}
      and not exists (select from snils_queries q where q."idCustomer" = c."id" and q."dateCreate" > now() - interval '30 days')
    order by c."id" limit ${AT_ONCE}`)
  for (const { id } of cards) {
    if (signal.aborted) return
    try {
      await app.engine.for(systemActor).tx((own, tx) => put(app, own, tx, id, sosnilsMoment))
    } catch (error) {
      // The daily limit is reached.
      if (error instanceof HttpError && error.status === 409) return
      throw error
    }
  }
}

export const takeSnils = operation(snilsCalls.take, ({ records: own, params, body }) =>
  own.tx(async (inner) => {
    const query = await inner.row(SnilsQuery, params.id)
    const read = schemes.snils.read(body.snils)
    if (!read.ok) throw new ValidationError([{ field: 'snils', message: read.message }])
    const isOffered = query.variants?.some(({ snils }) => snils === read.value) || query.snils === read.value
    if (!isOffered) throw new ValidationError([{ field: 'snils', message: 'СФР такого СНИЛС не называл' }])
    await inner.update(Customer, query.idCustomer, { snils: read.value })
    return inner.asSystem.update(SnilsQuery, query.id, {
      status: 'found',
      snils: read.value,
      words: 'Выбрал сотрудник',
    })
  }),
)

export const stopSnils = operation(snilsCalls.stop, async ({ app, records: own, params }) => {
  const query = await own.row(SnilsQuery, params.id)
  const message = await app.db.one<{ id: number }>(sql`select "id"::int as id from exchange_messages
    where "adapter" = 'snils' and "idempotencyKey" = ${`snils-${query.id}`}`)
  const stopped = message ? await app.outbox.cancel([message.id], 'Отменено') : 0
  if (stopped === 0 && openSnils.includes(query.status as 'queued'))
    return own.asSystem.update(SnilsQuery, query.id, { status: 'stopped' })
  return own.row(SnilsQuery, query.id)
})

const MAX_VARIANTS = 10

export const snilsAdapter = (app: AppContext): OutboxAdapter<{ records: Records; tx: Tx }, Payload> => ({
  code: 'snils',
  // Our own number of the query is sent with it, and recognized there.
  isRepeatable: () => true,
  askMinutes: 1,
  send: ({ payload, key }) => guarded(() => search(app, payload, key)),
  ask: ({ key }) => guarded(() => answerOf(app, key)),
  async settled({ records: own, tx }, { payload }, { state, error, reasons, result }) {
    const [query] = await own.asSystem.rows(SnilsQuery, { 'filter[id]': payload.idQuery })
    if (!query) return
    const set = (of: Partial<typeof query>) => own.asSystem.update(SnilsQuery, query.id, of)
    const now = new Date().toISOString()
    if (state === 'awaiting') await set({ status: 'asked' })
    else if (state === 'waiting') await set({ status: error ? 'failed' : 'queued', words: error })
    else if (state === 'refused')
      await set({
        status: 'notFound',
        words: reasons
          .map(({ message }) => message)
          .join('; ')
          .slice(0, 500),
        dateAnswered: now,
      })
    else if (state === 'dead') await set({ status: 'stopped', words: error })
    else if (state === 'done') {
      const { variants } = (result ?? { variants: [] }) as Found
      const answer = await judged(own, tx, query.idCustomer, variants)
      await set({ ...answer, variants, dateAnswered: now })
    }
  },
})

/** Compares the results with the card, and stores a single СНИЛС if it has none. */
async function judged(own: Records, tx: Tx, idCustomer: number, variants: readonly SnilsVariant[]) {
  const [only] = variants
  if (!only) return { status: 'notFound', words: 'По этим данным никого нет' } as const
  if (variants.length > 1) return { status: 'several', words: `Нашлось ${variants.length}: выберите верный` } as const
  const card = await tx.one<{ snils: string | null }>(
    sql`select "snils" from customers where "id" = ${idCustomer} for update`,
  )
  if (card?.snils && card.snils !== only.snils)
    return { status: 'mismatch', snils: only.snils, words: 'В карте стоит другой СНИЛС' } as const
  if (!card?.snils) await own.asSystem.update(Customer, idCustomer, { snils: only.snils })
  return { status: 'found', snils: only.snils, words: null } as const
}

async function guarded(run: () => Promise<Outcome>): Promise<Outcome> {
  try {
    return await run()
  } catch (error) {
    if (error instanceof RemoteFault) return outcomeOf(error)
    throw error
  }
}

/**
 * `POST /search` with our number as the key → 202, or 422 `{ message }`; `GET /search/{key}` → 202 or 200 `{ found: [{
 * snils, note }] }`.
 */
async function search(app: AppContext, { idQuery }: Payload, key: string): Promise<Outcome> {
  const service = await serviceOf(app)
  if (!service) return switchedOff('Поиск СНИЛС не подключён')
  const person =
    await app.db.one(sql`select c."surname", c."name", c."middleName", c."birthday"::text as birthday, c."gender",
      c."documentType", c."numberPassport" as "documentNumber"
    from snils_queries q join customers c on c."id" = q."idCustomer" where q."id" = ${idQuery}`)
  if (!person) return { kind: 'refused', reasons: [{ message: 'Карты больше нет' }] }
  const { status, bytes } = await service.quietly({
    method: 'POST',
    path: '/search',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ key, ...person }),
  })
  return status < 300
    ? { kind: 'accepted', code: String(status) }
    : { kind: 'refused', code: String(status), reasons: [{ message: messageOf(bytes) ?? `СФР ответил ${status}` }] }
}

async function answerOf(app: AppContext, key: string): Promise<Outcome> {
  const service = await serviceOf(app)
  if (!service) return switchedOff('Поиск СНИЛС не подключён')
  const { status, bytes } = await service.quietly({ path: `/search/${encodeURIComponent(key)}` })
  if (status === 404) return { kind: 'absent' }
  if (status === 202) return { kind: 'accepted' }
  if (status >= 300) return { kind: 'refused', reasons: [{ message: messageOf(bytes) ?? `СФР ответил ${status}` }] }
  return { kind: 'done', result: { variants: variantsOf(bytes) } satisfies Found }
}

const parsed = (bytes: Buffer): Record<string, unknown> | undefined => {
  try {
    const value: unknown = JSON.parse(bytes.toString('utf8'))
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined
  } catch {
    return undefined
  }
}
const messageOf = (bytes: Buffer): string | undefined => {
  const message = parsed(bytes)?.message
  return typeof message === 'string' ? message.replaceAll('\0', '').slice(0, 500) : undefined
}

/** @throws RemoteFault if the reply is unreadable */
function variantsOf(bytes: Buffer): SnilsVariant[] {
  const found = parsed(bytes)?.found
  if (!Array.isArray(found)) throw new RemoteFault('Ответ СФР не читается', true)
  return found.slice(0, MAX_VARIANTS).flatMap((one: { snils?: unknown; note?: unknown }) => {
    const read = schemes.snils.read(String(one?.snils ?? ''))
    return read.ok
      ? [
          {
            snils: read.value,
            note: String(one.note ?? '')
              .replaceAll('\0', '')
              .slice(0, 200),
          },
        ]
      : []
  })
}
