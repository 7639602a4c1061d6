/** Current incoming calls of an employee, with the caller's card within the employee's rights. */
import { allowed, can } from '@ordinator/model/access'
import { Appeal } from '@ordinator/model/areas/appeals/appeal'
import { INCOMING, MISSED, RECALLED } from '@ordinator/model/areas/calls/call'
import { type Caller, callCalls, type IncomingCall } from '@ordinator/model/areas/calls/calls'
import { LiveAssist } from '@ordinator/model/areas/chats/liveAssist'
import { Customer } from '@ordinator/model/areas/customers/customer'
import { moneyView } from '@ordinator/model/areas/money/desk'
import { Lead } from '@ordinator/model/areas/sales/lead'
import { Appointment } from '@ordinator/model/areas/visits/visit'
import sql, { empty, raw } from 'sql-template-tag'
import { ifOpen } from '#areas/customers/index.ts'
import { debtsOf } from '#areas/money/index.ts'
import type { ServerActor } from '#records/actor.ts'
import type { AppContext } from '#records/context.ts'
import { operation } from '#records/operation.ts'
import { candidatesOf } from './callers.ts'
import { wrapsSql } from './wrap.ts'

/** Maximum number of concurrent calls on a screen. */
const MOST = 5
/** Hours after which a ringing call is ignored: its exchange disconnected meanwhile. */
const RINGS_HOURS = 4
/** Seconds for which a call stays after its phone has stopped: it may continue elsewhere. */
const LINGERS_S = 5
/** How long the end of a call is shown. */
const SHOWN_AFTER = '2 minutes'
/** How long a call without an outcome is shown to its participant. */
const ASKED_AFTER = '10 minutes'
const DEALS = 3
const WORDS = 200

interface Ringing extends Omit<IncomingCall, 'callers'> {}

/**
 * The calls that ring the employee, are in progress, or have just ended: missed, or last handled by the employee. Calls
 * answered by another are excluded.
 * @param idCall only this one
 */
export async function incomingOf(app: AppContext, actor: ServerActor, idCall?: number): Promise<IncomingCall[]> {
  const rings = await app.db.query<Ringing>(sql`
    select c."id"::int as id, c."contactPhone" as phone, c."destPhone" as line, f."nameFilial" as filial, c."queue",
      c."dateCreate", c."dateAnswer", c."idCustomer"::int as "idCustomer",
      c."needsEnd" and c."idUser" = ${actor.id} as "needsEnd",
      case when c."idUser" = ${actor.id} and ${wrapsSql(raw('c'), sql`now()`)} then c."dateEnd" end as "wrapsSince",
      case when c."dateEnd" is null then case when l."answerAt" is null then 'ringing' else 'talking' end
        when c."callType" = ${INCOMING} then 'ended' else 'missed' end as state
    from (select "idCall", max("answerAt") as "answerAt", max(coalesce("endAt", 'infinity')) > now() - make_interval(secs => ${LINGERS_S}) as there
      from calls_legs where "idUser" = ${actor.id} and not "deleted"
        and "ringAt" > now() - make_interval(hours => ${RINGS_HOURS}) group by "idCall") l
    join calls c on c."id" = l."idCall" and c."callType" in (${INCOMING}, ${MISSED}, ${RECALLED})
    left join filials f on f."id" = c."idFilial"
    where ((c."dateEnd" is null and l.there and (c."state" = 'ringing' or l."answerAt" is not null))
      or (c."dateEnd" > now() - (case when c."needsEnd" or c."idUser" = ${actor.id} and ${wrapsSql(raw('c'), sql`now()`)} then ${ASKED_AFTER} else ${SHOWN_AFTER} end)::interval and (c."callType" <> ${INCOMING} or c."idUser" = ${actor.id})))
      ${idCall === undefined ? empty : sql`and c."id" = ${idCall}`}
    order by c."dateCreate" desc limit ${MOST}`)
  return Promise.all(rings.map(async (ring) => ({ ...ring, callers: await callersOf(app, actor, ring) })))
}

async function callersOf(app: AppContext, actor: ServerActor, { phone, idCustomer }: Ringing): Promise<Caller[]> {
  if (!can(actor, 'view', Customer)) return []
  const found = idCustomer === null ? await candidatesOf(app.db, phone) : [idCustomer]
  if (found.length === 0) return []
  const records = app.engine.for(actor)
  const ids = found.join()
  const cards = await records.rows(Customer, { 'filter[id][in]': ids, fields: 'id,fio,birthday,allergies' })
  // Of a restricted card only the name is shown without a reason.
  const open = new Set(
    (
      await app.db.query<{ id: number }>(sql`select c."id"::int as id from customers c
        where c."id" = any(${found}::bigint[]) and ${ifOpen(actor, raw('c'), raw('true'))}`)
    ).map(({ id }) => id),
  )
  const debts = allowed(actor, moneyView) ? await debtsOf(app.db, found) : null
  const now = new Date().toISOString()
  return Promise.all(
    cards
      .sort((a, b) => found.indexOf(a.id) - found.indexOf(b.id))
      .map(async ({ id, fio, birthday, allergies }) => {
        if (!open.has(id))
          return { id, fio, birthday: null, allergies: null, debt: null, nextVisit: null, deals: [], lastWords: null }
        const [visits, deals, appeals, chats] = await Promise.all([
          may(Appointment)
            ? records.rows(Appointment, {
                'filter[idCustomer]': id,
                'filter[dateFrom][gte]': now,
                'filter[visitStatus][in]': 'booked,confirmed',
                sort: 'dateFrom',
                limit: 1,
              })
            : [],
          may(Lead)
            ? records.rows(Lead, {
                'filter[contacts.idCustomer]': id,
                'filter[dateClosed][null]': 1,
                sort: '-dateCreate',
                limit: DEALS,
              })
            : [],
          may(Appeal)
            ? records.rows(Appeal, { 'filter[idCustomer]': id, 'filter[description][null]': 0, limit: 1 })
            : [],
          may(LiveAssist)
            ? records.rows(LiveAssist, {
                'filter[idCustomer]': id,
                'filter[lastMessage][null]': 0,
                sort: '-dateLast',
                limit: 1,
              })
            : [],
        ])
        const words = [
          ...appeals.map((one) => ({ at: one.dateStart, text: one.description ?? '' })),
          ...chats.map((one) => ({ at: one.dateLast ?? one.dateCreate, text: one.lastMessage ?? '' })),
        ].sort((a, b) => Date.parse(b.at) - Date.parse(a.at))
        const [visit] = visits
        return {
          id,
          fio,
          birthday,
          allergies,
          debt: debts === null ? null : (debts.get(id) ?? 0),
          nextVisit: visit
            ? {
                id: visit.id,
                idFilial: visit.idFilial,
                localDate: visit.localDate,
                localStart: visit.localStart,
                services: visit.services,
              }
            : null,
          deals: deals.flatMap((deal) =>
            deal.idFunnel === null ? [] : [{ id: deal.id, idFunnel: deal.idFunnel, title: deal.title }],
          ),
          lastWords: words[0] ? { at: words[0].at, text: words[0].text.slice(0, WORDS) } : null,
        }
      }),
  )

  function may(entity: Parameters<typeof can>[2]): boolean {
    return can(actor, 'view', entity)
  }
}

export const incoming = operation(callCalls.incoming, async ({ app, actor }) => ({
  items: await incomingOf(app, actor),
}))
