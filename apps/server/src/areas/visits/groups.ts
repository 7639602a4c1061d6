/**
 * Group times: the group takes the performer, the room and the equipment; each patient takes a seat (`visit_seats`,
 * unique and within the capacity). Writers must hold the performer's lock.
 */

import { Hold } from '@ordinator/model/areas/visits/hold'
import { GroupVisit } from '@ordinator/model/areas/visits/visit'
import sql, { raw, type Sql } from 'sql-template-tag'
import type { Queryable, Tx } from '#platform/db.ts'
import { records, type WriteContext } from '#records/define.ts'
import type { Records } from '#records/records.ts'
import { doctorResource, givesWay, occupy, roomResource } from './occupancy.ts'
import { groupScope } from './scope.ts'

export const groupVisits = records(GroupVisit, { scope: groupScope })

/** The group of a time of a group service: an existing one, or a new one. */
export interface GroupOf {
  id?: number
  idService: number
  capacity: number
}

export interface Group extends Required<GroupOf> {
  idRoom: number | null
  minutes: number
  breakAfter: number
  cleaning: number
  dateTo: string
}

/** The group of each service that begins at the time. @param times with moments in PostgreSQL's format */
export async function groupsAt(
  tx: Queryable,
  idFilial: number,
  times: readonly { idUser: number; idService: number; dateFrom: string }[],
): Promise<(Group | undefined)[]> {
  const rows = await tx.query<Group & { at: number }>(sql`
    select t.at::int as at, g."id", g."idService", g."capacity", g."idRoom", g."minutes", g."breakAfter", g."cleaning", g."dateTo"
    from rows from (jsonb_to_recordset(${JSON.stringify(times)}::jsonb) as ("idUser" bigint, "idService" bigint, "dateFrom" timestamptz))
        with ordinality t("idUser", "idService", "dateFrom", at)
      join appointments_groups g on g."idUser" = t."idUser" and g."idService" = t."idService" and g."dateFrom" = t."dateFrom"
        and g."idFilial" = ${idFilial} and not g."deleted"`)
  const byTime = new Map(rows.map(({ at, ...group }) => [at - 1, group]))
  return times.map((_, at) => byTime.get(at))
}

/** The group of a performer at this moment, for any service. */
export const groupOf = (tx: Queryable, idUser: number, dateFrom: string): Promise<Group | undefined> =>
  tx.one<Group>(sql`select "id", "idService", "capacity", "idRoom", "minutes", "breakAfter", "cleaning", "dateTo"
    from appointments_groups where "idUser" = ${idUser} and "dateFrom" = ${dateFrom} and not "deleted"`)

/** Capacity of each group service; services for one patient at a time are omitted. */
export async function groupSizes(tx: Queryable, idServices: readonly number[]): Promise<Map<number, number>> {
  const rows = await tx.query<{ id: number; size: number }>(
    sql`select "id", "groupSize" as size from services where "id" = any (${idServices}::bigint[]) and "groupSize" > 1`,
  )
  return new Map(rows.map(({ id, size }) => [id, size]))
}

/** All seats are taken. */
export class NoPlaceError extends Error {
  constructor() {
    super('Мест в группе больше нет')
  }
}

/**
 * Takes the lowest free seat. If none is free, replaces a hold that yields to the author (`givesWay`): the first to
 * expire.
 * @throws NoPlaceError
 */
export async function takeSeat(
  { records: own, tx }: { records: Records; tx: Tx },
  idGroup: number,
  who: { idCoupon: number } | { idHold: number; expiresAt: string },
  idAuthor: number,
): Promise<void> {
  // Expired holds and the user's own do not block.
  await own.asSystem.deleteWhere(
    Hold,
    ({ row }) => sql`exists (select 1 from visit_seats s where s."idGroup" = ${idGroup} and s."idHold" = ${row}."id")
      and (${row}."expiresAt" <= now() or ${row}."idAuthor" = ${idAuthor} and not ${row}."isOffered"
        and ${row}."id" is distinct from ${'idHold' in who ? who.idHold : null}::bigint)`,
    { pastHooks: 'Nobody holds it any more' },
  )
  const { idCoupon = null, idHold = null, expiresAt = null } = who as Partial<Record<string, number | string>>
  const take = () =>
    tx.one(sql`
    insert into visit_seats ("idGroup", "seat", "capacity", "idCoupon", "idHold", "expiresAt")
    select g."id", n, g."capacity", ${idCoupon}::bigint, ${idHold}::bigint, ${expiresAt}::timestamptz
    from appointments_groups g cross join generate_series(1, g."capacity") n
    where g."id" = ${idGroup} and not exists (select 1 from visit_seats s where s."idGroup" = g."id" and s."seat" = n)
    order by n limit 1 returning "seat"`)
  if (await take()) return
  const overruled = await tx.one<{ idHold: number }>(sql`
    select h."id" as "idHold" from visit_seats s join appointments_holds h on h."id" = s."idHold"
    where s."idGroup" = ${idGroup} and not h."deleted" and ${givesWay(raw('h'), idAuthor)}
    order by s."expiresAt", h."id" limit 1`)
  if (!overruled) throw new NoPlaceError()
  await own.asSystem.deleteWhere(Hold, ({ row }) => sql`${row}."id" = ${overruled.idHold}`, {
    pastHooks: 'The desk takes its place',
  })
  if (!(await take())) throw new NoPlaceError()
}

/** Whether `takeSeat` would find a seat. */
export const hasSeat = async (tx: Tx, idGroup: number, idAuthor: number): Promise<boolean> =>
  (await tx.one(sql`
    select 1 as seat from appointments_groups g
    where g."id" = ${idGroup} and g."capacity" > ${takenSeats} + ${heldSeats(idAuthor)}`)) !== undefined

/** Deletes empty groups, and releases what they took. */
export async function dropEmpty(
  { records: own, tx }: Pick<WriteContext, 'records' | 'tx'>,
  idGroups: readonly number[],
): Promise<{ resource: number; from: string; to: string }[]> {
  const empty = await tx.query<{ id: number }>(sql`
    select g."id" from appointments_groups g where g."id" = any (${idGroups}::bigint[]) and not g."deleted"
      and not exists (select 1 from visit_seats s where s."idGroup" = g."id" and s."idCoupon" is not null)`)
  if (empty.length === 0) return []
  const ids = empty.map(({ id }) => id)
  // A hold or an offer of a seat becomes a hold of the time: for the first of them, exclusive now.
  const holds = await tx.query<HeldPlace>(sql`
    select distinct on (s."idGroup") s."idHold", s."expiresAt", h."idUser", h."idRoom", h."dateFrom" as "from", h."dateTo" as "to",
      coalesce(r."capacity", 1) as places
    from visit_seats s join appointments_holds h on h."id" = s."idHold" left join filials_rooms r on r."id" = h."idRoom"
    where s."idGroup" = any (${ids}::bigint[]) and s."expiresAt" > now() order by s."idGroup", s."idHold"`)
  await tx.query(sql`delete from visit_seats where "idGroup" = any (${ids}::bigint[])`)
  await own.asSystem.deleteWhere(GroupVisit, ({ row }) => sql`${row}."id" = any (${ids}::bigint[])`, {
    pastHooks: 'Its last patient is gone',
  })
  const freed = await tx.query<{ resource: number; from: string; to: string }>(sql`
    delete from visit_occupancy where "idGroup" = any (${ids}::bigint[])
    returning "resource", lower("during") as "from", upper("during") as "to"`)
  for (const hold of holds) await holdTime(tx, hold)
  return freed
}

interface HeldPlace {
  idHold: number
  expiresAt: string
  idUser: number
  idRoom: number | null
  from: string
  to: string
  /** Capacity of the room. */
  places: number
}

async function holdTime(tx: Tx, { idUser, idRoom, places, ...hold }: HeldPlace): Promise<void> {
  const taken = { ...hold, overbook: 'never' } as const
  await occupy(tx, { ...taken, resource: doctorResource(idUser), capacity: 1 })
  if (idRoom !== null) await occupy(tx, { ...taken, resource: roomResource(idRoom), capacity: places })
}

/** SQL of the taken seats of the group `g`: by patients and by holds. */
export const takenSeats = raw(
  `(select count(*)::int from visit_seats s where s."idGroup" = g."id" and s."idCoupon" is not null)`,
)
/** @param idUser the requester: own holds and holds that yield to them do not count */
export const heldSeats = (idUser: number): Sql => sql`(select count(*)::int from visit_seats s
  join appointments_holds h on h."id" = s."idHold" where s."idGroup" = g."id" and s."expiresAt" > now()
    and not (h."idAuthor" is not distinct from ${idUser}::bigint and not h."isOffered" or ${givesWay(raw('h'), idUser)}))`
