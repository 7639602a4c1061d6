/** Waiting list: matching of freed times, offers with holds, and replies. */
import { holds } from '@ordinator/model/access'
import type { BookBody } from '@ordinator/model/areas/visits/calls'
import { visitCalls } from '@ordinator/model/areas/visits/calls'
import { Hold } from '@ordinator/model/areas/visits/hold'
import { OFFER_MINUTES, WaitingEntry, WaitingOffer } from '@ordinator/model/areas/visits/waiting'
import { type FreeTime, rankWaiting, unfit, type Waiting } from '@ordinator/model/areas/visits/waitingRules'
import type { Row } from '@ordinator/model/entity'
import { counted, formatDay } from '@ordinator/model/format'
import sql, { raw } from 'sql-template-tag'
import { ifOpen } from '#areas/customers/index.ts'
import { notify } from '#areas/notifications/index.ts'
import { shortFioSql } from '#areas/staff/index.ts'
import type { Queryable, Tx } from '#platform/db.ts'
import { HttpError, ValidationError } from '#platform/errors.ts'
import { type ServerActor, systemActor } from '#records/actor.ts'
import type { AppContext } from '#records/context.ts'
import { records, type WriteContext } from '#records/define.ts'
import { journalActor } from '#records/journal.ts'
import { oneByOne } from '#records/oneByOne.ts'
import { operation } from '#records/operation.ts'
import { bookVisit, withAlternatives } from './book.ts'
import { equipmentSql, LONGEST } from './occupancy.ts'
import { lengthOf, type Planned, planVisit, USUAL_MINUTES } from './plan.ts'
import { mustReach, waitingScope } from './scope.ts'
import { holdGear } from './takeTime.ts'
import { momentSql, zoneSql } from './times.ts'

/** The longest-waiting entries of the highest urgency are compared; others follow later. */
const MAX_LOOKED_AT = 100

export const waitingEntries = records(WaitingEntry, {
  scope: waitingScope,
  computed: {
    isOffered: ({ row }) => sql`exists (select 1 from waiting_list_offers o
      where o."idEntry" = ${row}."id" and o."answer" = 'pending')`,
  },
  hooks: {
    beforeCreate: (_, value) => mustBeWindow(value),
    beforeUpdate: (_, value, before) => mustBeWindow({ ...before, ...value }),
  },
})

export const waitingOffers = records(WaitingOffer)

type Window = Partial<Pick<Row<typeof WaitingEntry>, 'dateFrom' | 'dateTo' | 'clockFrom' | 'clockTo'>>

function mustBeWindow({ dateFrom, dateTo, clockFrom, clockTo }: Window): void {
  if (dateFrom && dateTo && dateTo < dateFrom)
    throw new ValidationError([{ field: 'dateTo', message: 'Последний день раньше первого' }])
  if (clockFrom && clockTo && clockTo <= clockFrom)
    throw new ValidationError([{ field: 'clockTo', message: 'Конец должен быть позже начала' }])
}

interface Place {
  idFilial: number
  idUser: number
  localDate: string
  localStart: string
  minutes: number
}

/** Waiting entries of a branch, compared with a doctor's time by the rule. */
interface Comparable extends Waiting {
  idCustomer: number
  patient: string
  phone: string | null
  service: string
}

async function waitingFor(
  db: Queryable,
  { idFilial, idUser, localDate, localStart }: Place,
  mine?: number,
  asker?: ServerActor,
): Promise<Comparable[]> {
  const phone = raw('coalesce(p."phone", p."phoneMother", p."phoneFather")')
  const rows = await db.query<Omit<Comparable, 'minutes' | 'busy'> & { performs: boolean }>(sql`
    select w."id", w."urgency", w."doctors", w."dateFrom", w."dateTo", w."clockFrom", w."clockTo", w."minNotice", w."idService",
      extract(epoch from now() - w."dateCreate")::float8 / 86400 as days, p."id"::int as "idCustomer",
      ${shortFioSql(raw('p'))} as patient,
      ${asker ? ifOpen(asker, raw('p'), phone) : phone} as phone,
      coalesce(s."shortNameService", s."nameService") as service,
      exists (select 1 from service_doctors t where t."idService" = w."idService" and t."idUser" = ${idUser}
        and (t."idFilial" is null or t."idFilial" = ${idFilial})) as performs,
      (select count(*) from appointments n where n."idCustomer" = w."idCustomer" and n."visitStatus" = 'noShow'
        and not n."deleted" and n."dateFrom" > now() - interval '1 year')::int as "noShows",
      exists (select 1 from waiting_list_offers o where o."idEntry" = w."id" and o."idUser" = ${idUser}
        and o."localDate" = ${localDate}::date and o."localStart" = ${localStart}
        and o."answer" in ('refused', 'expired')) as refused
    from waiting_list w join customers p on p."id" = w."idCustomer" and not p."deleted"
      join services s on s."id" = w."idService" and s."active" and not s."deleted"
    where w."idFilial" = ${idFilial} and w."status" = 'waiting' and not w."deleted"
      and (${mine ?? null}::bigint is null or w."idAuthor" = ${mine ?? null})
    order by w."urgency" desc, w."dateCreate", w."id" limit ${MAX_LOOKED_AT}`)
  const rules = await db.query<Parameters<typeof lengthOf>[0][number]>(sql`
    select "idService", "idUser", "idFilial", "visit", "minutes", "breakAfter", "online" from service_durations
    where "idService" = any (${rows.map(({ idService }) => idService)}::bigint[]) and not "deleted"`)
  const known = rows.map(({ performs, ...one }) => ({
    ...one,
    minutes: performs ? lengthOf(rules, [one.idService], { idUser, idFilial, visit: null }).minutes : undefined,
  }))
  const busy = await busyGear(db, { idFilial, idUser, localDate, localStart }, known)
  return known.map((one) => ({ ...one, busy: busy.get(one.id) ?? null }))
}

/** Names of the equipment that these services lack at that time in the branch. */
async function busyGear(
  db: Queryable,
  { idFilial, idUser, localDate, localStart }: Omit<Place, 'minutes'>,
  all: readonly { id: number; idService: number; minutes: number | undefined }[],
): Promise<Map<number, string>> {
  const asked = all.flatMap(({ id, idService, minutes }) => (minutes === undefined ? [] : [{ id, idService, minutes }]))
  const rows = await db.query<{ id: number; names: string }>(sql`
    select w."id", string_agg(k."name", ', ' order by k."name") as names
    from jsonb_to_recordset(${JSON.stringify(asked)}::jsonb) as w("id" bigint, "idService" bigint, "minutes" int)
      join filials f on f."id" = ${idFilial}
      join service_equipment n on n."idService" = w."idService" and not n."deleted"
      join equipment_kinds k on k."id" = n."idKind" and not k."deleted"
      left join filials_equipment q on q."idKind" = k."id" and q."idFilial" = f."id" and not q."deleted"
      cross join lateral (select ${momentSql(sql`${localDate}`, sql`${localStart}`, zoneSql(raw('f')))} as "from") m
      cross join lateral (select tstzrange(m."from",
        m."from" + make_interval(mins => w."minutes" + coalesce(q."cleaning", 0))) as during) t
      -- The most of it that is taken at one moment: what stands under the capacity can always be laid out anew.
      cross join lateral (select coalesce(max((select count(*) from visit_occupancy p where p."resource" = o."resource"
            and p."lane" < q."capacity" and p."during" @> greatest(lower(o."during"), m."from")
            and (p."expiresAt" is null or p."expiresAt" > now()))), 0) as peak
        from visit_occupancy o where o."resource" = ${equipmentSql(raw('q."id"'))} and o."lane" < q."capacity"
          and lower(o."during") > m."from" - ${LONGEST} and o."during" && t.during
          and (o."expiresAt" is null or o."expiresAt" > now())) b
    where (q."id" is null or b.peak >= q."capacity")
      -- Who comes into a group that stands has what it has.
      and not exists (select 1 from appointments_groups g where g."idUser" = ${idUser} and g."dateFrom" = m."from"
        and g."idService" = w."idService" and not g."deleted")
    group by w."id"`)
  return new Map(rows.map(({ id, names }) => [id, names]))
}

async function freeTime(db: Queryable, place: Place): Promise<FreeTime> {
  const { idUser, idFilial, localDate, localStart, minutes } = place
  const found = await db.one<{ inHours: number; shortest: number; idGroupService: number | null }>(sql`
    select extract(epoch from ${momentSql(sql`${localDate}`, sql`${localStart}`, zoneSql(raw('f')))} - now())::float8 / 3600 as "inHours",
      coalesce((select min(d."minutes") from service_durations d join service_doctors t on t."idService" = d."idService"
        where t."idUser" = ${idUser} and not d."deleted"
          and (d."idUser" is null or d."idUser" = ${idUser})), ${USUAL_MINUTES})::int as shortest,
      (select g."idService" from appointments_groups g where g."idUser" = ${idUser} and g."idFilial" = f."id" and not g."deleted"
        and g."localDate" = ${localDate}::date and g."localStart" = ${localStart} limit 1) as "idGroupService"
    from filials f where f."id" = ${idFilial}`)
  if (!found) throw new ValidationError([{ field: 'idFilial', message: 'Запись не найдена' }])
  return { idUser, localDate, localStart, minutes, ...found }
}

export const matches = operation(visitCalls.matches, async ({ app, records: own, actor, query }) => {
  const { idFilial, idUser, date: localDate, start: localStart, minutes } = query
  await mustReach(app.db, actor, idFilial, [idUser])
  const place = { idFilial, idUser, localDate, localStart, minutes }
  const time = await freeTime(app.db, place)
  const all = await waitingFor(app.db, place, (await sees(app.db, actor, idFilial)) ? undefined : actor.id, actor)
  const named = holds(actor, 'viewCustomers')
  const known = new Map(all.map((one) => [one.id, one]))
  const who = (id: number) => {
    const { idCustomer, patient, phone, service } = known.get(id) as Comparable
    return named
      ? { id, idCustomer, patient, phone, service }
      : { id, idCustomer: null, patient: null, phone: null, service }
  }
  if (named && all.length > 0)
    await app.journal({
      ...journalActor(own.actor),
      action: 'search',
      entityType: WaitingEntry.path,
      basis: 'Лист ожидания',
    })
  return {
    items: rankWaiting(time, all).map(({ id, ...ranked }) => ({ ...who(id), ...ranked })),
    unfit: all.flatMap((one) => {
      const reason = unfit(time, one)
      const { phone: _, ...fields } = who(one.id)
      return reason === undefined ? [] : [{ ...fields, reason }]
    }),
  }
})

/** Whether the user sees all waiting entries of the branch. */
async function sees(db: Queryable, actor: WriteContext['actor'], idFilial: number): Promise<boolean> {
  if (holds(actor, 'viewAllAppointments')) return true
  const rows = await db.query(
    sql`select 1 from filials_desks where "idUser" = ${actor.id} and "idFilial" = ${idFilial} and not "deleted"`,
  )
  return rows.length > 0
}

export const offer = operation(visitCalls.offer, ({ app, records: own, actor, params, body }) =>
  withAlternatives(app.db, actor, () =>
    own.tx(async (inside, tx) => {
      await tx.query(sql`select 1 from waiting_list where "id" = ${params.id} for update`)
      const entry = await inside.row(WaitingEntry, params.id)
      if (entry.status !== 'waiting')
        throw new HttpError(409, 'Этому пациенту уже предложено время, или он больше не ждёт', { code: 'offered' })
      const { idUser, localDate, localStart } = body
      const asked = askedOf(entry, body)
      // An offer is validated as a booking.
      const [planned] = (await planVisit({ tx, actor }, asked)) as [Planned]
      const until = await tx.one<{ at: string }>(sql`select now() + make_interval(mins => ${OFFER_MINUTES}) as at`)
      const expiresAt = until?.at as string
      const hold = await inside.asSystem.create(Hold, {
        idUser,
        idFilial: entry.idFilial,
        idRoom: planned.idRoom,
        localDate,
        localStart,
        minutes: planned.minutes,
        expiresAt,
        isOffered: true,
      })
      await holdGear({ records: inside, tx, actor }, asked, planned, { id: hold.id, expiresAt })
      const made = await inside.asSystem.create(WaitingOffer, {
        idEntry: entry.id,
        idFilial: entry.idFilial,
        idUser,
        localDate,
        localStart,
        minutes: planned.minutes,
        idHold: hold.id,
        expiresAt,
        idAuthor: actor.id,
      })
      await inside.asSystem.update(WaitingEntry, entry.id, { status: 'offered' })
      return inside.row(WaitingOffer, made.id)
    }),
  ),
)

const askedOf = (
  { idFilial, idCustomer, idService }: Pick<Row<typeof WaitingEntry>, 'idFilial' | 'idCustomer' | 'idService'>,
  { idUser, localDate, localStart }: Pick<Place, 'idUser' | 'localDate' | 'localStart'>,
): BookBody => ({
  idCustomer,
  idFilial,
  localDate,
  coupons: [{ idUser, localStart, services: [{ idService, qty: 1 }] }],
  channel: 'phone',
  overbook: false,
  outside: false,
  dryRun: false,
})

export const answerOffer = operation(visitCalls.answerOffer, ({ app, records: own, actor, params, body }) =>
  withAlternatives(app.db, actor, () =>
    own.tx(async (inside, tx) => {
      await tx.query(sql`select 1 from waiting_list_offers where "id" = ${params.id} for update`)
      const one = await inside.row(WaitingOffer, params.id)
      if (one.answer !== 'pending')
        throw new HttpError(409, 'На это предложение уже ответили или его время вышло', { code: 'answered' })
      const entry = await inside.row(WaitingEntry, one.idEntry)
      if (one.idHold !== null) await freeHolds(inside, [one.idHold])
      const system = inside.asSystem
      if (!body.accepted) {
        await system.update(WaitingOffer, one.id, { answer: 'refused' })
        await system.update(WaitingEntry, entry.id, { status: 'waiting' })
        await notifyOfFreed({ actor, tx, records: inside }, [one])
      } else {
        const visit = await bookVisit(
          { records: inside, tx, actor },
          { ...askedOf(entry, one), unpaidReason: body.unpaidReason },
        )
        await system.update(WaitingOffer, one.id, { answer: 'accepted' })
        await system.update(WaitingEntry, entry.id, { status: 'booked', idAppointment: visit.id })
      }
      return inside.row(WaitingOffer, one.id)
    }),
  ),
)

const freeHolds = (own: WriteContext['records'], ids: readonly number[]) =>
  own.asSystem.deleteWhere(Hold, ({ row }) => sql`${row}."id" = any (${ids}::bigint[])`, {
    pastHooks: 'It was held for one of the waiting list',
  })

/**
 * Notifies the desks of the branch about freed times that a waiting entry can use. Patients are not named: a notice may
 * leave by mail.
 */
export async function notifyOfFreed(
  context: Pick<WriteContext, 'actor' | 'tx' | 'records'>,
  places: readonly Place[],
): Promise<void> {
  const { tx } = context
  for (const place of places) {
    const all = await waitingFor(tx, place)
    if (all.length === 0) continue
    const time = await freeTime(tx, place)
    if (time.inHours <= 0) continue
    const count = rankWaiting(time, all).length
    if (count === 0) continue
    const { idFilial, idUser, localDate, localStart, minutes } = place
    const desks = await tx.query<{ idUser: number }>(
      sql`select distinct "idUser" from filials_desks where "idFilial" = ${idFilial} and not "deleted"`,
    )
    await notify(
      context,
      desks.map((desk) => desk.idUser),
      {
        kind: 'waitingList.freed',
        title: 'Освободилось время',
        text: `${formatDay(localDate)} в ${localStart}: подходит ${counted(count, ['пациенту', 'пациентам', 'пациентам'])} из листа ожидания`,
        path: WaitingEntry.path,
        link: `/calendar/waiting-list?${new URLSearchParams({
          filial: String(idFilial),
          user: String(idUser),
          day: localDate,
          start: localStart,
          minutes: String(minutes),
        })}`,
      },
    )
  }
}

/** Expires unanswered offers: releases their time and notifies the author. */
export function sweepOffers(app: AppContext): void {
  app.jobs.register('visits.offers', {
    cron: '* * * * *',
    async handler(_, { signal }) {
      const due = await app.db.query<{ id: number }>(
        sql`select o."id" from waiting_list_offers o where ${isOverdue} order by o."expiresAt", o."id" limit ${OFFERS_AT_ONCE}`,
      )
      const expireOne = ({ id }: { id: number }) =>
        app.engine.for(systemActor).tx((own, tx) => expireOffer(own, tx, id))
      await oneByOne(app, 'visits.offers', due, expireOne, signal)
    },
  })
}

/** Maximum number of offers per run. */
const OFFERS_AT_ONCE = 1000
/** SQL condition on the offer `o`: it is overdue. */
const isOverdue = sql`o."answer" = 'pending' and o."expiresAt" <= now()`

async function expireOffer(own: WriteContext['records'], tx: Tx, id: number): Promise<void> {
  const one = await tx.one<Place & { id: number; idEntry: number; idHold: number | null; idAuthor: number }>(sql`
    select o."id", o."idEntry", o."idHold", o."idAuthor", o."idFilial", o."idUser", o."localDate", o."localStart", o."minutes"
    from waiting_list_offers o where o."id" = ${id} and ${isOverdue} for update skip locked`)
  // Another server, or a reply, has processed it.
  if (!one) return
  const context = { actor: systemActor, tx, records: own }
  if (one.idHold !== null) await freeHolds(own, [one.idHold])
  await own.asSystem.update(WaitingOffer, one.id, { answer: 'expired' })
  await own.asSystem.update(WaitingEntry, one.idEntry, { status: 'waiting' })
  await notify(context, [one.idAuthor], {
    kind: 'waitingList.expired',
    title: 'На предложенное время не ответили',
    text: `${formatDay(one.localDate)} в ${one.localStart}`,
    path: WaitingEntry.path,
    idEntity: one.idEntry,
    link: `/calendar/waiting-list?open=${one.idEntry}`,
  })
  await notifyOfFreed(context, [one])
}
