/** Webhooks as records: allowed events, their secret, a test, and undelivered messages. */
import { randomUUID } from 'node:crypto'
import { can } from '@ordinator/model/access'
import { exchangeCalls } from '@ordinator/model/areas/exchange/calls'
import { type ExchangeStatus, MANY_MESSAGES } from '@ordinator/model/areas/exchange/exchangeMessage'
import { type EventAction, eventActions, eventName, eventOf, Webhook } from '@ordinator/model/areas/exchange/webhook'
import { entityAt } from '@ordinator/model/entities'
import type { Entity, Update } from '@ordinator/model/entity'
import sql, { raw } from 'sql-template-tag'
import { AdapterFault } from '#platform/adapter.ts'
import { certificateEnd, earliestEnd } from '#platform/certificateEnd.ts'
import { HttpError, ValidationError } from '#platform/errors.ts'
import { Unreached } from '#platform/outbound.ts'
import { endPause } from '#platform/outboxSql.ts'
import { openSecret, renewSecret } from '#platform/webhook.ts'
import type { ServerActor } from '#records/actor.ts'
import type { AppContext } from '#records/context.ts'
import { type Definition, records, type WriteContext } from '#records/define.ts'
import { operation } from '#records/operation.ts'
import { isWaiting, keepState, laneOf, OFF, post, stopWaiting } from './deliver.ts'
import { CANCELLED, requeue } from './journal.ts'

/** Maximum number of messages resent at once. */
const MOST_REPEATED = 5 * MANY_MESSAGES
const SECRETS = 'webhook_secrets'
/** Maximum number of webhooks per check. */
const MOST_CHECKED = 10
/** Upper limit of counting. */
const COUNTED = 10_000

const stateOf = (column: string) => (about: { row: ReturnType<typeof raw> }) =>
  sql`(select ${raw(`s."${column}"`)} from webhook_states s where s."idWebhook" = ${about.row}."id")`
const messagesOf = (row: ReturnType<typeof raw>, which: ReturnType<typeof raw>) =>
  sql`(select count(*)::int from (select from exchange_messages m where m."idWebhook" = ${row}."id" and ${which} limit ${COUNTED}) q)`

export const webhooks: Definition = records(Webhook, {
  computed: {
    hasSecret: ({ row }) => sql`exists (select 1 from webhook_secrets s where s."idWebhook" = ${row}."id")`,
    waiting: ({ row }) => messagesOf(row, isWaiting(raw('m'))),
    stopped: ({ row }) => messagesOf(row, raw(`m."status" = 'dead'`)),
    dateSuccess: stateOf('dateSuccess'),
    dateFailing: stateOf('dateFailing'),
    offReason: stateOf('offReason'),
  },
  hooks: {
    async beforeCreate(context, value) {
      checkEvents(context, value)
      await checkPlace(context, value.url)
      Object.assign(value, { dateFrom: new Date().toISOString() })
    },
    async afterCreate({ tx }, { id }) {
      await renewSecret(tx, SECRETS, id, 'idWebhook')
    },
    async beforeUpdate(context, value, before) {
      checkEvents(context, value, before.events)
      if (value.url !== undefined && value.url !== before.url) await checkPlace(context, value.url)
      if (value.active === true && !before.active) {
        Object.assign(value, { dateFrom: new Date().toISOString() })
        await context.tx.query(
          sql`update webhook_states set "offReason" = null, "dateFailing" = null where "idWebhook" = ${before.id}`,
        )
        await endPause(context.tx, laneOf(before.id))
      }
      if (value.active === false && before.active) await stopWaiting(context.tx, before.id, OFF)
    },
    async afterDelete({ tx }, { id }) {
      await stopWaiting(tx, id, 'Вебхук удалён')
    },
  },
})

/** Address resolvers by database: hooks get only the transaction. */
const outbounds = new WeakMap<object, AppContext['outbound']>()
export const webhooksReach = (app: AppContext): void => void outbounds.set(app.db.cipher, app.outbound)

/**
 * Rejects an internal address when it is set, before the first message; an unresolvable name is allowed.
 * @throws ValidationError at `url`
 */
async function checkPlace({ tx }: WriteContext, url: string): Promise<void> {
  const host = URL.parse(url)?.hostname.replace(/^\[|\]$/g, '')
  if (!host) return
  await outbounds
    .get(tx.cipher)
    ?.place(host)
    .catch((error: unknown) => {
      if (!(error instanceof Unreached)) throw error
    })
}

/** Validates added events: they must exist, for records that the user may view. */
function checkEvents({ actor }: WriteContext, value: Update<typeof Webhook>, before: readonly string[] = []) {
  for (const name of value.events ?? []) {
    if (before.includes(name)) continue
    const event = eventOf(name)
    const entity = event && entityAt(event.path)
    if (!event || !entity || !isOffered(entity, actor) || !actionsOf(entity).includes(event.action))
      throw new ValidationError([{ field: 'events', message: `Такого события нет: ${name.slice(0, 80)}` }])
  }
}

/** Whether events of an entity can be subscribed: they are recorded, and the user may view its records. */
const isOffered = (entity: Entity, actor: ServerActor): boolean =>
  !entity.unrecorded && entity.access.view !== undefined && (actor.system || can(actor, 'view', entity))

const actionsOf = ({ soft }: Entity): EventAction[] =>
  (Object.keys(eventActions) as EventAction[]).filter((action) => soft || action !== 'restore')

const events = operation(exchangeCalls.events, ({ app, actor }) => ({
  groups: app.areas.flatMap(({ title, records: own }) => {
    const entities = own
      .filter(({ entity }) => isOffered(entity, actor))
      .map(({ entity }) => ({
        path: entity.path,
        label: entity.label[0],
        actions: actionsOf(entity).map((action) => eventName(entity.path, action)),
      }))
    return entities.length > 0 ? [{ title, entities }] : []
  }),
}))

const newSecret = operation(exchangeCalls.renewSecret, async ({ app, records: engine, params }) => {
  const { id } = await engine.row(Webhook, params.id)
  return { secret: await renewSecret(app.db, SECRETS, id, 'idWebhook') }
})

/** A test is sent at once without retries, also to a disabled webhook. */
const test = operation(exchangeCalls.test, async ({ app, records: engine, params }) => {
  const { id, url } = await engine.row(Webhook, params.id)
  return testOne(app, id, url)
})

async function testOne(app: AppContext, id: number, url: string) {
  const secret = await secretOf(app, id)
  const key = randomUUID()
  const request = JSON.stringify({
    id: `test-${key}`,
    event: 'test',
    dt: new Date().toISOString(),
    data: { path: Webhook.path, id },
  })
  const tried = await post(app, { url, secret, request })
  const status: ExchangeStatus = tried.isTaken ? 'done' : tried.code === null ? 'network_error' : 'rejected'
  const row = (await app.db.one<{ id: number }>(sql`
    with made as (
      insert into exchange_messages ("dateCreate", "dateLast", "adapter", "direction", "operation", "entityType", "idEntity",
        "idWebhook", "idempotencyKey", "status", "attempts", "errorCode", "errorText", "durationMs")
      values (now(), now(), 'webhooks', 'out', 'Проверка', ${Webhook.path}, ${id}, ${id}, ${`${id}:test-${key}`}, ${status}, 1,
        ${tried.code}, ${tried.error}, ${tried.durationMs}) returning "id"
    ), bodies as (insert into exchange_bodies ("idMessage", "request", "response") select "id", ${request}, ${tried.answer} from made)
    select "id"::int as id from made`)) as { id: number }
  if (tried.isTaken) {
    await keepState(app.db, id, tried)
    await endPause(app.db, laneOf(id))
  }
  const { code, error, answer, durationMs } = tried
  return { id: row.id, status, code, error, answer, durationMs }
}

/** Tests the active webhooks. @throws AdapterFault naming those that failed */
export async function checkWebhooks(app: AppContext): Promise<void> {
  const active = await activeWebhooks(app)
  const tests = await Promise.all(active.map(async ({ id, url, name }) => ({ name, ...(await testOne(app, id, url)) })))
  const failed = tests.filter(({ status }) => status !== 'done').map(({ name }) => `«${name}»`)
  if (failed.length > 0) throw new AdapterFault(`Не приняли проверку: ${failed.join(', ')}`)
}

/** The earliest certificate expiry of the active webhooks. */
export const webhooksEnd = async (app: AppContext): Promise<Date | undefined> =>
  earliestEnd((await activeWebhooks(app)).map(({ url }) => certificateEnd(url, app.outbound.place)))

const activeWebhooks = (app: AppContext) =>
  app.db.query<{ id: number; url: string; name: string }>(sql`
    select "id"::int as id, "url", "name" from webhooks where "active" and not "deleted" order by "id" limit ${MOST_CHECKED}`)

async function secretOf(app: AppContext, id: number): Promise<string> {
  const row = await app.db.one<{ secret: string }>(sql`select "secret" from webhook_secrets where "idWebhook" = ${id}`)
  if (!row) throw new HttpError(409, 'Сначала создайте секрет вебхука')
  return openSecret(app.db, SECRETS, id, row.secret) as string
}

const repeatStopped = operation(exchangeCalls.repeatStopped, async ({ app, records: engine, params }) => {
  const { id } = await engine.row(Webhook, params.id)
  const stopped = await app.db.query<{ id: number }>(sql`select "id"::int as id from exchange_messages
    where "idWebhook" = ${id} and "status" = 'dead' and "errorText" is distinct from ${CANCELLED} order by "id" limit ${MOST_REPEATED}`)
  return {
    changed: await requeue(
      app,
      stopped.map((one) => one.id),
    ),
  }
})

export const webhookCalls = [events, newSecret, test, repeatStopped]
