/**
 * Occupied time of resources: the table `visit_occupancy`, where an exclusion constraint rejects overlapping rows of
 * one resource and lane. Writers lock the resources first.
 */

import { Hold } from '@ordinator/model/areas/visits/hold'
import { type Taken as Lane, laneFor, OVERBOOK } from '@ordinator/model/areas/visits/rules'
import sql, { join, raw, type Sql } from 'sql-template-tag'
import type { Tx } from '#platform/db.ts'
import type { Records } from '#records/records.ts'

/**
 * Number ranges of resource kinds, doctors first, so that locks in ascending order take doctors before rooms, and rooms
 * before equipment.
 */
export const ROOMS = 2 ** 40
export const EQUIPMENT = 2 ** 41
export const doctorResource = (idUser: number): number => idUser
export const roomResource = (idRoom: number): number => ROOMS + idRoom
export const equipmentResource = (idEquipment: number): number => EQUIPMENT + idEquipment
export const equipmentSql = (idEquipment: Sql): Sql => sql`(${idEquipment} + ${raw(String(EQUIPMENT))})`
export const roomSql = (idRoom: Sql): Sql => sql`(${idRoom} + ${raw(String(ROOMS))})`

/** Longer than any visit with its extra time: how far before a moment a range that covers it may begin. */
export const LONGEST = raw(`interval '2 days'`)

/** SQL condition: the occupancy row `o` belongs to the coupon, or to its group. @param coupon its alias */
export const ofCoupon = (coupon: Sql): Sql => sql`(o."idCoupon" = ${coupon}."id" or o."idGroup" = ${coupon}."idGroup")`

/** SQL condition: a row takes its time from this user; expired and own holds do not. */
export const takenFrom = (idUser: number, o: Sql): Sql => sql`(${o}."expiresAt" is null or ${o}."expiresAt" > now()
  and not exists (select 1 from appointments_holds h where h."id" = ${o}."idHold" and (h."idAuthor" = ${idUser}
    and not h."isOffered" or ${givesWay(raw('h'), idUser)})))`

/**
 * SQL condition: an online hold `h` without a confirmed phone yields to this employee: an anonymous click cannot keep
 * times from patients who call.
 */
export const givesWay = (h: Sql, idUser: number): Sql => sql`(${idUser} > 0 and ${h}."idAuthor" is null
  and exists (select 1 from portal_bookings b where b."idHold" = ${h}."id" and not b."isKnown"))`

/** Locks these resources until the end of the transaction. */
export async function lockResources(tx: Tx, resources: readonly number[]): Promise<void> {
  const sorted = [...new Set(resources)].toSorted((a, b) => a - b)
  for (const resource of sorted)
    await tx.query(sql`select pg_advisory_xact_lock(hashtextextended('visits', ${resource}::bigint))`)
}

/**
 * Locks the equipment needs and counts until the end of the transaction. Shared for taking and freeing time, exclusive
 * for changes of equipment; taken before the locks of resources.
 */
export const lockGear = (tx: Tx, shared: boolean): Promise<unknown> =>
  tx.query(raw(`select pg_advisory_xact_lock${shared ? '_shared' : ''}(hashtextextended('equipment', 0))`))

/** Locks the resources that these coupons take, before they are freed. */
export async function lockTaken(tx: Tx, idCoupons: Sql): Promise<void> {
  await lockGear(tx, true)
  const rows = await tx.query<{ resource: number }>(sql`
    select "resource" from visit_occupancy where "idCoupon" in (${idCoupons})
    union select o."resource" from visit_occupancy o join visit_seats s on s."idGroup" = o."idGroup"
      where s."idCoupon" in (${idCoupons})`)
  await lockResources(
    tx,
    rows.map(({ resource }) => resource),
  )
}

/** A time to take: moments in PostgreSQL's format. */
export interface TimeOf {
  resource: number
  from: string
  to: string
}

/**
 * Deletes holds that do not block: expired ones, since an exclusion constraint cannot read the clock, the user's own,
 * and those that yield. Needs the locks.
 */
export const dropHolds = (records: Records, idAuthor: number, times: readonly TimeOf[]): Promise<unknown> =>
  records.asSystem.deleteWhere(
    Hold,
    ({ row }) => sql`exists (select 1 from visit_occupancy o
      join jsonb_to_recordset(${JSON.stringify(times)}::jsonb) as t("resource" bigint, "from" timestamptz, "to" timestamptz)
        on t."resource" = o."resource"
      where o."idHold" = ${row}."id"
        and (${row}."expiresAt" <= now() or (${row}."idAuthor" = ${idAuthor} and not ${row}."isOffered" or ${givesWay(row, idAuthor)}) and o."during" && tstzrange(t."from", t."to")))`,
    { pastHooks: 'Nobody holds it any more' },
  )

/** A request for a resource, with extra time at the end. */
export interface Wanted extends TimeOf {
  capacity: number
  /** A doctor may be taken once beyond the capacity, with the right to it. */
  overbook: 'never' | 'refused' | 'allowed'
  idCoupon?: number
  idHold?: number
  idGroup?: number
  expiresAt?: string
}

/** The time is taken; `mayOverbook`: a right would allow it. */
export class TakenError extends Error {
  readonly resource: number
  readonly needsRight: boolean
  constructor(resource: number, needsRight: boolean) {
    super('Это время уже занято')
    this.resource = resource
    this.needsRight = needsRight
  }
}

/** A lane for a wanted time, and the rows that move to free it. */
interface Place {
  lane: number
  moves: ReadonlyMap<number, number>
  /** The lane is beyond the resource's capacity. */
  isOver: boolean
}

/**
 * Takes the time of a locked resource.
 * @returns whether it exceeds the resource's capacity
 * @throws TakenError
 */
export async function occupy(tx: Tx, wanted: Wanted): Promise<boolean> {
  const { lane, moves, isOver } = await placeFor(tx, wanted)
  await recolour(tx, moves)
  await insert(tx, wanted, lane)
  return isOver
}

/** As `occupy`, which would succeed now, but takes nothing. */
export const tryToOccupy = async (tx: Tx, wanted: Wanted): Promise<boolean> => (await placeFor(tx, wanted)).isOver

async function placeFor(tx: Tx, wanted: Wanted): Promise<Place> {
  const { resource, capacity, from, to } = wanted
  const taken = await tx.query<Lane>(sql`
    select o."id"::int as "id", o."lane", (extract(epoch from lower(o."during")) * 1000)::float8 as "from",
      (extract(epoch from upper(o."during")) * 1000)::float8 as "to"
    from visit_occupancy o where o."resource" = ${resource}
      and o."during" && tstzrange(${from}::timestamptz - interval '1 day', ${to}::timestamptz + interval '1 day')`)
  const range = { from: Date.parse(from), to: Date.parse(to) }
  const place = laneFor(taken, range, capacity)
  if (place) return { ...place, isOver: false }
  if (wanted.overbook === 'never') throw new TakenError(resource, false)
  for (let lane = capacity; lane < capacity + OVERBOOK; lane++) {
    if (taken.some((one) => one.lane === lane && one.from < range.to && range.from < one.to)) continue
    if (wanted.overbook === 'refused') throw new TakenError(resource, true)
    return { lane, moves: new Map(), isOver: true }
  }
  throw new TakenError(resource, false)
}

/**
 * Moves rows beyond the capacity back under it where there is room, after a change of capacity or a release. Needs the
 * lock.
 */
export async function settle(tx: Tx, resource: number, capacity: number): Promise<void> {
  const rows = await tx.query<Lane>(sql`
    select o."id"::int as "id", o."lane", (extract(epoch from lower(o."during")) * 1000)::float8 as "from",
      (extract(epoch from upper(o."during")) * 1000)::float8 as "to"
    from visit_occupancy o where o."resource" = ${resource} and upper(o."during") > now() order by lower(o."during"), o."id"`)
  const moved = new Map<number, number>()
  for (const some of clustersOf(rows)) for (const [id, lane] of settled(some, capacity)) moved.set(id, lane)
  await recolour(tx, moved)
}

/** Groups rows that overlap directly or through others; clusters do not overlap. */
function clustersOf(rows: readonly Lane[]): Lane[][] {
  const clusters: Lane[][] = []
  let end = -Infinity
  for (const one of rows) {
    if (one.from >= end) clusters.push([])
    clusters.at(-1)?.push(one)
    end = Math.max(end, one.to)
  }
  return clusters
}

/** The lanes that change when every row with room moves under the capacity. */
function settled(rows: readonly Lane[], capacity: number): [number, number][] {
  const lanes = new Map(rows.map(({ id, lane }) => [id, lane]))
  for (const one of rows) {
    if ((lanes.get(one.id) as number) < capacity) continue
    const others = rows.filter(({ id }) => id !== one.id).map((row) => ({ ...row, lane: lanes.get(row.id) as number }))
    const place = laneFor(others, one, capacity)
    if (!place) continue
    for (const [id, lane] of place.moves) lanes.set(id, lane)
    lanes.set(one.id, place.lane)
  }
  return rows.flatMap(({ id, lane }) => (lanes.get(id) === lane ? [] : [[id, lanes.get(id) as number]]))
}

async function recolour(tx: Tx, moves: ReadonlyMap<number, number>): Promise<void> {
  if (moves.size === 0) return
  const rows = join([...moves].map(([id, lane]) => sql`(${id}::bigint, ${lane}::int)`))
  await tx.query(
    sql`update visit_occupancy o set "lane" = m.lane from (values ${rows}) m(id, lane) where o."id" = m.id`,
  )
}

const insert = (tx: Tx, { resource, from, to, idCoupon, idHold, idGroup, expiresAt }: Wanted, lane: number) =>
  tx.query(sql`insert into visit_occupancy ("resource", "lane", "during", "idCoupon", "idHold", "idGroup", "expiresAt")
    values (${resource}, ${lane}, tstzrange(${from}::timestamptz, ${to}::timestamptz), ${idCoupon ?? null}::bigint,
      ${idHold ?? null}::bigint, ${idGroup ?? null}::bigint, ${expiresAt ?? null}::timestamptz)`)

/** Freed times, and the groups of freed seats. */
export interface Freed {
  times: readonly { resource: number; from: string; to: string }[]
  idGroups: readonly number[]
}

/** Releases the time of the coupons. The result is for `settleFreed` of `freed.ts`. */
export async function release(tx: Tx, idCoupons: readonly number[]): Promise<Freed> {
  const times = await tx.query<Freed['times'][number]>(sql`
    delete from visit_occupancy where "idCoupon" = any (${idCoupons}::bigint[])
    returning "resource", lower("during") as "from", upper("during") as "to"`)
  const seats = await tx.query<{ idGroup: number }>(
    sql`delete from visit_seats where "idCoupon" = any (${idCoupons}::bigint[]) returning "idGroup"`,
  )
  return { times, idGroups: seats.map(({ idGroup }) => idGroup) }
}
