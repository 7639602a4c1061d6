/** Outcomes of sent messages: queries the gateway, and reads the position of a chat's visitor. */
import type { MessageStatus } from '@ordinator/model/areas/messages/events'
import { Message } from '@ordinator/model/areas/messages/message'
import sql, { raw, type Sql } from 'sql-template-tag'
import { smsOf } from '#areas/settings/index.ts'
import { systemActor } from '#records/actor.ts'
import type { AppContext } from '#records/context.ts'
import { oneByOne } from '#records/oneByOne.ts'

/** Maximum number of messages queried per run, and days for which they are queried. */
const AT_ONCE = 100
const DAYS = 3
/** Number of missing replies after which the gateway is skipped until the next run. */
const SILENT_AT_ONCE = 3

/** The job `messages.fates`. */
export async function askFates(app: AppContext): Promise<void> {
  await readInChats(app)
  await askAbout(app, raw('true'))
}

/** Messages just reported by a provider, by its own ids. */
export const askReported = (app: AppContext, ids: readonly string[]): Promise<void> =>
  askAbout(app, sql`("idGateway" = any (${ids}::text[]) or split_part("idGateway", ':', 1) = any (${ids}::text[]))`)

async function askAbout(app: AppContext, which: Sql): Promise<void> {
  const gateway = await smsOf(app)
  if (!gateway) return
  const sent = await app.db.query<{ id: number; idGateway: string }>(sql`
    select "id", "idGateway" from messages where "status" = 'accepted' and "idGateway" is not null
      and "dateSent" > now() - make_interval(days => ${DAYS}) and ${which}
    order by random() limit ${AT_ONCE}`)
  let silent = 0
  await oneByOne(app, 'messages.fates', sent, async ({ id, idGateway }) => {
    if (silent === SILENT_AT_ONCE) return
    const now = new Date().toISOString()
    const delivery = await gateway.deliveryOf(idGateway)
    if (delivery === 'unknown') silent++
    if (delivery === 'delivered') await setState(app, id, { status: 'delivered', dateDelivered: now })
    if (delivery === 'failed') await setState(app, id, { status: 'failed', reason: 'Шлюз не доставил сообщение' })
  })
}

/** A chat line is read once its visitor has read up to it. */
async function readInChats(app: AppContext): Promise<void> {
  const read = await app.db.query<{ id: number }>(sql`
    select m."id" from messages m join live_assist_messages l on l."id" = m."idLine"
    join live_assist c on c."id" = l."idLiveAssist"
    where m."channel" = 'messenger' and m."status" in ('accepted', 'delivered', 'unknown')
      and m."dateSent" > now() - make_interval(days => ${DAYS}) and l."no" <= c."readOut"
    order by random() limit ${AT_ONCE}`)
  const now = new Date().toISOString()
  await oneByOne(app, 'messages.fates', read, ({ id }) => setState(app, id, { status: 'read', dateRead: now }))
}

const setState = (
  app: AppContext,
  id: number,
  value: { status: MessageStatus; dateDelivered?: string; dateRead?: string; reason?: string },
): Promise<unknown> =>
  app.engine.for(systemActor).tx(async (own, tx) => {
    const row = await tx.one<{ status: MessageStatus }>(
      sql`select "status" from messages where "id" = ${id} for update`,
    )
    // Another server was faster, or it is being sent again.
    if (row && ['accepted', 'delivered', 'unknown'].includes(row.status)) await own.asSystem.update(Message, id, value)
  })
