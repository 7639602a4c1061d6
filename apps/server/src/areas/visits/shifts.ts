/**
 * Shifts and absences: single, by a pattern over a period, by copying a week; and the visits that they leave uncovered.
 */

import { holds } from '@ordinator/model/access'
import { type Hit, visitCalls } from '@ordinator/model/areas/visits/calls'
import { dayOfCycle, type PatternCycle, type PatternRow } from '@ordinator/model/areas/visits/pattern'
import { type EventType, ShiftPattern, type ShiftZone, StaffEvent } from '@ordinator/model/areas/visits/shift'
import { Appointment } from '@ordinator/model/areas/visits/visit'
import type { Create, Row, Update } from '@ordinator/model/entity'
import { type Holiday, hoursOn, type WorkingHours } from '@ordinator/model/hours'
import { plusDays } from '@ordinator/model/zone'
import sql, { raw, type Sql } from 'sql-template-tag'
import { lineCountsSql, takesTimeSql } from '#areas/counted/index.ts'
import { desksOf, worksIn } from '#areas/filials/index.ts'
import { shortFioSql } from '#areas/staff/index.ts'
import type { Tx } from '#platform/db.ts'
import { forbidden, ValidationError } from '#platform/errors.ts'
import type { ServerActor } from '#records/actor.ts'
import { records, type WriteContext } from '#records/define.ts'
import { operation } from '#records/operation.ts'
import { notifyOfShifts } from './notices.ts'
import { doctorResource, equipmentSql, lockResources, ofCoupon, roomSql } from './occupancy.ts'
import { seesAll, shiftScope } from './scope.ts'
import { endSql, momentSql, zoneSql } from './times.ts'

type EventRow = Row<typeof StaffEvent>
type Context = Pick<WriteContext, 'actor' | 'tx' | 'records'>

const wrong = (field: string, message: string) => new ValidationError([{ field, message }])

export const shiftPatterns = records(ShiftPattern, {
  hooks: {
    prepare(value, before) {
      const { cycle, length } = { ...before, ...value }
      if (cycle === 'custom' && !length) throw wrong('length', 'У своего цикла есть длина')
    },
  },
})

export const staffEvents = records(StaffEvent, {
  scope: shiftScope,
  hooks: {
    beforeCreate: (context, value) => settle(context, value, value),
    async afterCreate(context, row) {
      await flagDays(context, row.idUser, row)
      await notifyOfShifts(context, 'new', row.idUser, [row])
    },
    async beforeUpdate(context, value, before) {
      await lockResources(context.tx, [doctorResource(before.idUser)])
      await settle(context, value, { ...before, ...value })
    },
    async afterUpdate(context, row, before) {
      await flagDays(context, before.idUser, before)
      await flagDays(context, row.idUser, row)
      await notifyOfShifts(context, 'update', row.idUser, [row])
    },
    beforeDelete: ({ tx }, row) => lockResources(tx, [doctorResource(row.idUser)]),
    async afterDelete(context, row) {
      await flagDays(context, row.idUser, row)
      await notifyOfShifts(context, 'delete', row.idUser, [row])
    },
    async afterRestore(context, row) {
      await lockResources(context.tx, [doctorResource(row.idUser)])
      await flagDays(context, row.idUser, row)
    },
  },
})

/** A shift may pass midnight, an absence needs another row. @param field the field of both, if a row has only one */
function mustLast(type: EventType, from: string, to: string, field?: string): void {
  if (from === '24:00') throw wrong(field ?? 'localFrom', 'День кончается раньше')
  if (from === to) throw wrong(field ?? 'localTo', 'Конец должен отличаться от начала')
  if (type !== 'shift' && to < from) throw wrong(field ?? 'localTo', 'Конец раньше начала')
}

/** Validates a shift or an absence as a whole, and sets its moments. */
async function settle(
  { tx }: Context,
  value: Update<typeof StaffEvent>,
  whole: Update<typeof StaffEvent>,
): Promise<void> {
  const {
    type,
    idUser,
    idFilial = null,
    idRoom = null,
    localDate,
    localFrom,
    localTo,
  } = whole as Create<typeof StaffEvent>
  if ((type === 'shift' || type === 'block') && idFilial === null) throw wrong('idFilial', 'Выберите филиал')
  mustLast(type, localFrom, localTo)
  await lockResources(tx, [doctorResource(idUser)])
  const found = await tx.one<{ dateFrom: string; dateTo: string; room: boolean }>(sql`
    select ${momentSql(sql`${localDate}`, sql`${localFrom}`, zoneSql(raw('f')))} as "dateFrom",
      ${endSql(sql`${localDate}`, sql`${localFrom}`, sql`${localTo}`, zoneSql(raw('f')))} as "dateTo",
      ${idRoom}::bigint is null or exists (select 1 from filials_rooms r
        where r."id" = ${idRoom} and r."idFilial" = f."id" and not r."deleted") as room
    from (values (1)) one(x) left join filials f on f."id" = ${idFilial}`)
  if (!found?.room) throw wrong('idRoom', 'Кабинет не этого филиала')
  if (type === 'shift') {
    const other = await tx.one<{ localFrom: string; localTo: string }>(sql`
      select "localFrom", "localTo" from staff_events where "idUser" = ${idUser} and "type" = 'shift' and not "deleted"
        and "id" is distinct from ${(whole as Partial<EventRow>).id ?? null}::bigint
        and "dateFrom" < ${found.dateTo} and "dateTo" > ${found.dateFrom} limit 1`)
    if (other) throw wrong('localFrom', `На это время уже есть смена: ${other.localFrom}–${other.localTo}`)
  }
  Object.assign(value, { dateFrom: found.dateFrom, dateTo: found.dateTo })
}

/**
 * SQL condition: the coupon or group is within a shift of its doctor, without absences, the doctor still works here, and
 * the branch is open.
 * @param row its alias
 */
export const coveredSql = (row: string): Sql =>
  raw(`(exists (select 1 from staff_events s where s."type" = 'shift' and not s."deleted"
    and s."idUser" = ${row}."idUser" and s."idFilial" = ${row}."idFilial" and s."dateFrom" <= ${row}."dateFrom"
    and s."dateTo" >= ${row}."dateTo")
  and not exists (select 1 from staff_events s where s."type" <> 'shift' and not s."deleted"
    and s."idUser" = ${row}."idUser" and s."dateFrom" < ${row}."dateTo" and s."dateTo" > ${row}."dateFrom")
  and not exists (select 1 from users u where u."id" = ${row}."idUser" and (u."isBlocked" or u."deleted"))
  and not exists (select 1 from filials f where f."id" = ${row}."idFilial" and (not f."active" or f."deleted")))`)
const covered = coveredSql('c')
/** SQL condition: the branch has less equipment than the coupon `c` and those before it need, or none. */
const unequipped = sql`(exists (select 1 from visit_occupancy o
    join filials_equipment q on ${equipmentSql(raw('q."id"'))} = o."resource"
    where ${ofCoupon(raw('c'))} and o."lane" >= q."capacity")
  or exists (select 1 from coupon_services l join service_equipment n on n."idService" = l."idService" and not n."deleted"
      join equipment_kinds k on k."id" = n."idKind" and not k."deleted"
    where l."idCoupon" = c."id" and ${lineCountsSql()}
      and not exists (select 1 from filials_equipment q where q."idKind" = n."idKind" and q."idFilial" = c."idFilial"
        and not q."deleted")))`
/** SQL condition: the room of the coupon `c` is deleted, or has fewer places; overbooked visits are exempt. */
const unroomed = sql`exists (select 1 from visit_occupancy o join filials_rooms r on ${roomSql(raw('r."id"'))} = o."resource"
  where ${ofCoupon(raw('c'))} and (r."deleted" or (o."lane" >= r."capacity" and not c."overbooked")))`
/** SQL condition: the coupon `c` of the visit `a` is upcoming. */
const waiting = sql`${takesTimeSql} and a."visitStatus" in ('booked', 'confirmed', 'arrived') and c."dateTo" > now()`

/** Marks the uncovered visits of the range, and unmarks those covered again. @param around SQL of the coupon `c` */
export async function flagVisits({ records: all }: Context, around: Sql): Promise<void> {
  await all.asSystem.updateWhere(
    Appointment,
    {
      rows: sql`select a."id", exists (select 1 from coupons c where c."idAppointment" = a."id" and ${waiting}
          and (not ${covered} or ${unequipped} or ${unroomed})) as bad
        from appointments a where exists (select 1 from coupons c where c."idAppointment" = a."id" and ${waiting} and ${around})`,
    },
    ({ picked }) => ({ needsRebook: sql`${picked}.bad` }),
    { pastHooks: 'Their time is kept for them' },
  )
}

const flagDays = (context: Context, idUser: number, { dateFrom, dateTo }: { dateFrom: string; dateTo: string }) =>
  flagVisits(context, sql`c."idUser" = ${idUser} and c."dateFrom" < ${dateTo} and c."dateTo" > ${dateFrom}`)

/** All visits to come of a doctor who stops working, or works again. */
export const flagDoctor = (context: Context, idUser: number): Promise<void> =>
  flagVisits(context, sql`c."idUser" = ${idUser}`)

/** All visits to come in a branch that is closed, or opened again. */
export const flagFilial = (context: Context, idFilial: number): Promise<void> =>
  flagVisits(context, sql`c."idFilial" = ${idFilial}`)

/** The uncovered visits of these doctors. */
const inTheAir = (tx: Tx, actor: ServerActor, idUsers: readonly number[]): Promise<Hit[]> =>
  tx.query<Hit>(sql`
    select c."idAppointment", c."id" as "idCoupon", c."localDate", c."localStart", c."minutes", c."idUser",
      ${holds(actor, 'viewCustomers') ? shortFioSql(raw('p')) : raw('null')} as "patient"
    from coupons c join appointments a on a."id" = c."idAppointment" join customers p on p."id" = a."idCustomer"
    where c."idUser" = any (${idUsers}::bigint[]) and ${waiting} and not ${covered}
    order by c."dateFrom", c."id" limit 500`)

class Tried extends Error {
  readonly hit: Hit[]
  constructor(hit: Hit[]) {
    super('dry run')
    this.hit = hit
  }
}

/** Dry run: does the whole change and rolls it back, so the result equals the real one. */
export const hits = operation(visitCalls.hits, async ({ records: own, actor, body }) => {
  const { id, remove, ...change } = body
  try {
    return await own.tx(async (inside, tx): Promise<never> => {
      const before = id === undefined ? undefined : await inside.row(StaffEvent, id)
      const idUsers = [before?.idUser, change.idUser].filter((one) => one !== undefined)
      const were = new Set((await inTheAir(tx, actor, idUsers)).map(({ idCoupon }) => idCoupon))
      const given = Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined))
      if (id === undefined) await inside.create(StaffEvent, given as Create<typeof StaffEvent>)
      else if (remove) await inside.remove(StaffEvent, id)
      else await inside.update(StaffEvent, id, given as Update<typeof StaffEvent>)
      throw new Tried((await inTheAir(tx, actor, idUsers)).filter(({ idCoupon }) => !were.has(idCoupon)))
    })
  } catch (error) {
    if (error instanceof Tried) return { items: error.hit }
    throw error
  }
})

interface Wanted {
  type: EventType
  idUser: number
  idFilial: number | null
  idRoom: number | null
  localDate: string
  localFrom: string
  localTo: string
  comment?: string | null | undefined
  zones?: ShiftZone[] | null
  idPattern?: number | undefined
}

/** Maximum number of rows per fill, and of days it may span. */
const MAX_ROWS = 5_000
const MAX_DAYS = 400
const DAY_MS = 86_400_000

function daysFrom(from: string, to: string): string[] {
  const count = (Date.parse(to) - Date.parse(from)) / DAY_MS + 1
  if (count < 1) throw wrong('to', 'Конец раньше начала')
  if (count > MAX_DAYS) throw wrong('to', `Не больше ${MAX_DAYS} дней`)
  return Array.from({ length: count }, (_, at) => plusDays(from, at))
}

export const fill = operation(visitCalls.fill, ({ records: own, actor, body }) =>
  own
    .tx(async (inside, tx) => {
      const { type, idUsers, idFilial = null, from, to } = body
      if (!holds(actor, 'editShifts')) await mustBeAbsence(tx, actor, type, idUsers)
      const pattern = body.idPattern === undefined ? undefined : await inside.row(ShiftPattern, body.idPattern)
      const rows: readonly PatternRow[] | undefined = pattern?.rows ?? body.rows
      const cycle: PatternCycle = pattern?.cycle ?? body.cycle ?? 'week'
      if (type === 'shift' && !rows) throw wrong('idPattern', 'Выберите шаблон смен')
      if (type === 'shift' && idFilial === null) throw wrong('idFilial', 'Выберите филиал')
      for (const row of rows ?? []) mustLast(type, row.from, row.to, 'rows')
      // An absence without times takes whole days.
      const ofDay = (day: string): readonly PatternRow[] =>
        rows
          ? rows
              .toSorted((a, b) => a.from.localeCompare(b.from))
              .filter((row) => row.day === dayOfCycle(cycle, day, body.start ?? from, pattern?.length ?? body.length))
          : [{ day: 0, from: '00:00', to: '24:00' }]
      const wanted = daysFrom(from, to).flatMap((localDate) =>
        ofDay(localDate).flatMap((row) =>
          [...new Set(idUsers)].map(
            (idUser): Wanted => ({
              type,
              idUser,
              idFilial,
              idRoom: row.idRoom ?? body.idRoom ?? null,
              localDate,
              localFrom: row.from,
              localTo: row.to,
              comment: body.comment,
              idPattern: body.idPattern,
            }),
          ),
        ),
      )
      return lay({ records: inside, tx, actor }, wanted, body)
    })
    .catch(triedOf),
)

/** The desk may only report that a doctor of its branches will not come. @throws HttpError 403 */
async function mustBeAbsence(tx: Tx, actor: ServerActor, type: EventType, idUsers: readonly number[]): Promise<void> {
  if (type === 'shift' || type === 'block') throw forbidden()
  const strangers = await tx.query(sql`select 1 from users u where u."id" = any (${idUsers}::bigint[])
    and not (${seesAll(actor)} or ${worksIn(raw('u."id"'), desksOf(sql`${actor.id}::bigint`))})`)
  if (strangers.length > 0) throw forbidden('Отметить отсутствие можно у врачей своего филиала')
}

export const copyWeek = operation(visitCalls.copyWeek, ({ records: own, actor, body }) =>
  own
    .tx(async (inside, tx) => {
      const { idFilial, idUsers, from, to, weeks } = body
      const source = await tx.query<Wanted>(sql`
      select "type", "idUser", "idFilial", "idRoom", "localDate", "localFrom", "localTo", "zones", "comment" from staff_events
      where "idFilial" = ${idFilial} and "type" in ('shift', 'block') and not "deleted"
        and "localDate" between ${from}::date and ${from}::date + 6
        and (${idUsers === undefined} or "idUser" = any (${idUsers ?? []}::bigint[]))
      order by "localDate", "localFrom", "id" limit ${MAX_ROWS}`)
      if ((Date.parse(to) - Date.parse(from)) % (7 * DAY_MS) !== 0)
        throw wrong('to', 'Неделя начинается в тот же день, что и образец')
      if (to <= from) throw wrong('to', 'Копировать можно только на следующие недели')
      const apart = (Date.parse(to) - Date.parse(from)) / DAY_MS
      const wanted = Array.from({ length: weeks }, (_, week) =>
        source.map((one) => ({ ...one, localDate: plusDays(one.localDate, apart + week * 7) })),
      ).flat()
      return lay({ records: inside, tx, actor }, wanted, body)
    })
    .catch(triedOf),
)

interface Laid {
  made: number
  skipped: { localDate: string; idUser: number; reason: string }[]
  hit: Hit[]
}
class TriedLaying extends Error {
  readonly laid: Laid
  constructor(laid: Laid) {
    super('dry run')
    this.laid = laid
  }
}
function triedOf(error: unknown): Laid {
  if (error instanceof TriedLaying) return error.laid
  throw error
}

/** Writes the rows that fit; reports the reason for the others, and the visits left uncovered. */
async function lay(
  context: Context,
  wanted: readonly Wanted[],
  { dryRun, holidays }: { dryRun: boolean; holidays: boolean },
): Promise<Laid> {
  const { tx, actor, records: all } = context
  if (wanted.length > MAX_ROWS) throw wrong('to', `Сразу можно поставить не больше ${MAX_ROWS} смен`)
  const idUsers = [...new Set(wanted.map(({ idUser }) => idUser))]
  await lockResources(tx, idUsers.map(doctorResource))
  const known = await tx.query<{ id: number }>(
    sql`select "id" from users where "id" = any (${idUsers}::bigint[]) and not "deleted"`,
  )
  if (known.length < idUsers.length) throw wrong('idUsers', 'Запись не найдена')
  const were = new Set((await inTheAir(tx, actor, idUsers)).map(({ idCoupon }) => idCoupon))
  const open = holidays ? await openDays(tx, wanted) : () => true
  const skipped: Laid['skipped'] = []
  const skip = ({ localDate, idUser }: Wanted, reason: string) => skipped.push({ localDate, idUser, reason })
  const working = wanted.filter((one) => {
    const works = one.type !== 'shift' || open(one)
    if (!works) skip(one, 'Филиал закрыт')
    return works
  })
  const rows = JSON.stringify(working)
  const moments = await tx.query<{ dateFrom: string; dateTo: string; busy: boolean; room: boolean }>(sql`
    select m."dateFrom", m."dateTo", exists (select 1 from staff_events s where s."idUser" = w."idUser" and not s."deleted"
        and (s."type" = 'shift') = (w."type" = 'shift') and s."dateFrom" < m."dateTo" and s."dateTo" > m."dateFrom") as busy,
      w."idRoom" is null or exists (select 1 from filials_rooms r where r."id" = w."idRoom" and r."idFilial" = w."idFilial"
        and not r."deleted") as room
    from rows from (jsonb_to_recordset(${rows}::jsonb) as ("type" text, "idUser" bigint, "idFilial" bigint, "idRoom" bigint,
        "localDate" text, "localFrom" text, "localTo" text))
        with ordinality w("type", "idUser", "idFilial", "idRoom", "localDate", "localFrom", "localTo", at)
      left join filials f on f."id" = w."idFilial"
      cross join lateral (select ${momentSql(raw('w."localDate"'), raw('w."localFrom"'), zoneSql(raw('f')))} as "dateFrom",
        ${endSql(raw('w."localDate"'), raw('w."localFrom"'), raw('w."localTo"'), zoneSql(raw('f')))} as "dateTo") m
    order by w.at`)
  const kept: (Wanted & { dateFrom: string; dateTo: string })[] = []
  for (const [at, one] of working.entries()) {
    const { dateFrom, dateTo, busy, room } = moments[at] as (typeof moments)[number]
    if (!room) throw wrong('idRoom', 'Кабинет не этого филиала')
    // Days come in order, so only the last written row can conflict; a break is inside its shift.
    const isShift = one.type === 'shift'
    const before = kept.findLast((other) => other.idUser === one.idUser && (other.type === 'shift') === isShift)
    const twice = before !== undefined && Date.parse(before.dateTo) > Date.parse(dateFrom)
    if (busy || twice) skip(one, one.type === 'shift' ? 'Уже есть смена' : 'Уже есть отсутствие')
    else kept.push({ ...one, dateFrom, dateTo })
  }
  if (kept.length)
    await all.asSystem.createMany(
      StaffEvent,
      kept.map((one) => ({ ...one, idAuthor: actor.id })),
      { pastHooks: 'Checked here, all at once' },
    )
  for (const idUser of idUsers) {
    const own = kept.filter((one) => one.idUser === idUser)
    const [first, last] = [own[0], own.at(-1)]
    if (!first || !last) continue
    await flagDays(context, idUser, { dateFrom: first.dateFrom, dateTo: last.dateTo })
    await notifyOfShifts(context, 'new', idUser, own)
  }
  const hit = (await inTheAir(tx, actor, idUsers)).filter(({ idCoupon }) => !were.has(idCoupon))
  const laid = { made: kept.length, skipped, hit }
  if (dryRun) throw new TriedLaying(laid)
  return laid
}

/** Whether the branch of a shift is open that day; without working hours only days off count. */
async function openDays(tx: Tx, wanted: readonly Wanted[]): Promise<(one: Wanted) => boolean> {
  const idFilials = [...new Set(wanted.flatMap(({ idFilial }) => (idFilial === null ? [] : [idFilial])))]
  const filials = await tx.query<{ id: number; week: WorkingHours | null; days: Holiday[] }>(sql`
    select f."id", f."workingHours" as week, coalesce((select json_agg(json_build_object('day', h."day", 'start', h."start",
      'end', h."end")) from filials_holidays h where h."idFilial" = f."id" and not h."deleted"), '[]') as days
    from filials f where f."id" = any (${idFilials}::bigint[]) and not f."deleted"`)
  if (filials.length < idFilials.length) throw wrong('idFilial', 'Запись не найдена')
  const byId = new Map(filials.map((one) => [one.id, one]))
  return ({ idFilial, localDate }) => {
    const filial = idFilial === null ? undefined : byId.get(idFilial)
    if (!filial) return true
    const special = filial.days.find(({ day }) => day === localDate)
    return special ? Boolean(special.start) : filial.week === null || hoursOn(filial.week, localDate) !== undefined
  }
}
