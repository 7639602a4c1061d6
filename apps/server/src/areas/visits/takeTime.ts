/** Takes the time of a plan: doctors, rooms, equipment and seats of groups. */
import { holds } from '@ordinator/model/access'
import { GroupVisit } from '@ordinator/model/areas/visits/visit'
import sql from 'sql-template-tag'
import type { Tx } from '#platform/db.ts'
import { forbidden } from '#platform/errors.ts'
import type { ServerActor } from '#records/actor.ts'
import type { Records } from '#records/records.ts'
import { type GroupOf, groupOf, groupsAt, hasSeat, NoPlaceError, takeSeat } from './groups.ts'
import {
  doctorResource,
  dropHolds,
  equipmentResource,
  occupy,
  roomResource,
  TakenError,
  tryToOccupy,
} from './occupancy.ts'
import { type Asked, type CouponAsked, NoRoomError, type Planned } from './plan.ts'

/** Differences between the plan and the taken time. */
export interface TakenTime {
  /** Coupons that exceed their doctor's capacity. */
  over: ReadonlySet<number>
  /** The group of each coupon with a seat. */
  groups: ReadonlyMap<number, number>
}

/**
 * Takes the time of the plan; its coupons exist already.
 * @throws NoRoomError, or HttpError 403 if a right would allow it
 */
export async function takeTime(
  context: { records: Records; tx: Tx; actor: ServerActor },
  asked: Asked,
  planned: readonly (Planned & { id: number })[],
): Promise<TakenTime> {
  const { actor } = context
  await dropOwnHolds(context, planned)
  const over = new Set<number>()
  const groups = new Map<number, number>()
  for (const [at, one] of planned.entries()) {
    const { id: idCoupon } = one
    try {
      if (one.group === null) {
        if (await takeAll(context, asked, one, { idCoupon })) over.add(idCoupon)
        continue
      }
      // Of several coupons in the same group only the first creates it.
      const idGroup = one.group.id ?? (await groupsAt(context.tx, asked.idFilial, [ofTime(one, one.group)]))[0]?.id
      // Another group of the doctor that begins then conflicts as any visit does.
      if (idGroup === undefined && (await groupOf(context.tx, one.idUser, one.dateFrom)))
        throw new TakenError(doctorResource(one.idUser), false)
      const made = idGroup ?? (await makeGroup(context, asked, one, one.group))
      if (idGroup === undefined && (await takeAll(context, asked, one, { idGroup: made }))) over.add(idCoupon)
      await takeSeat(context, made, { idCoupon }, actor.id)
      groups.set(idCoupon, made)
    } catch (error) {
      throw refusalOf(error, asked, at, one)
    }
  }
  return { over, groups }
}

/**
 * Refuses a plan whose time is taken, before its visit gets a number that patients see. The plan's resources are
 * locked, so `takeTime` finds the same.
 * @throws NoRoomError, or HttpError 403 if a right would allow it
 */
export async function mustBeFree(
  context: { records: Records; tx: Tx; actor: ServerActor },
  asked: Asked,
  planned: readonly Planned[],
): Promise<void> {
  const { tx, actor } = context
  await dropOwnHolds(context, planned)
  for (const [at, one] of planned.entries())
    try {
      const idGroup =
        one.group && (one.group.id ?? (await groupsAt(tx, asked.idFilial, [ofTime(one, one.group)]))[0]?.id)
      if (!idGroup) await takeAll(context, asked, one, {}, tryToOccupy)
      else if (!(await hasSeat(tx, idGroup, actor.id))) throw new NoPlaceError()
    } catch (error) {
      throw refusalOf(error, asked, at, one)
    }
}

/** The error to return if a time could not be taken. */
function refusalOf(error: unknown, asked: Asked, at: number, one: Planned): unknown {
  const coupon = asked.coupons[at] as CouponAsked
  if (error instanceof NoPlaceError) return new NoRoomError('taken', error.message, coupon, asked)
  if (!(error instanceof TakenError)) return error
  if (error.needsRight) return forbidden('Записывать сверх расписания вам не разрешено')
  return new NoRoomError('taken', takenWords(error, one), coupon, asked)
}

/**
 * Moves an existing group with all its patients to another time.
 * @returns whether it exceeds the doctor's capacity
 * @throws NoRoomError, or HttpError 403 if a right would allow it
 */
export async function takeForGroup(
  context: { records: Records; tx: Tx; actor: ServerActor },
  asked: Asked,
  one: Planned,
  idGroup: number,
): Promise<boolean> {
  await dropOwnHolds(context, [one])
  try {
    // Another group of this service that begins then stays separate.
    const there = await groupOf(context.tx, one.idUser, one.dateFrom)
    if (there && there.id !== idGroup) throw new TakenError(doctorResource(one.idUser), false)
    return await takeAll(context, asked, one, { idGroup })
  } catch (error) {
    throw refusalOf(error, asked, 0, one)
  }
}

const dropOwnHolds = (
  { records, actor }: { records: Records; actor: ServerActor },
  planned: readonly Planned[],
): Promise<unknown> =>
  dropHolds(
    records,
    actor.id,
    planned.flatMap((one) => [
      { resource: doctorResource(one.idUser), from: one.dateFrom, to: later(one.dateTo, one.breakAfter) },
      ...(one.idRoom === null
        ? []
        : [{ resource: roomResource(one.idRoom), from: one.dateFrom, to: later(one.dateTo, one.cleaning) }]),
      ...gearTimes(one),
    ]),
  )

const ofTime = ({ idUser, dateFrom }: Planned, { idService }: GroupOf) => ({ idUser, idService, dateFrom })

async function makeGroup(
  { records }: { records: Records },
  { idFilial, localDate }: Asked,
  { idUser, idRoom, localStart, dateFrom, dateTo, minutes, breakAfter, cleaning }: Planned,
  { idService, capacity }: GroupOf,
): Promise<number> {
  const made = await records.asSystem.create(GroupVisit, {
    idService,
    idUser,
    idFilial,
    idRoom,
    localDate,
    localStart,
    dateFrom,
    dateTo,
    minutes,
    breakAfter,
    cleaning,
    capacity,
  })
  return made.id
}

/**
 * Takes the doctor, the room and the equipment.
 * @param take how a time is taken
 * @returns whether it exceeds the doctor's capacity
 * @throws TakenError
 */
async function takeAll(
  { tx, actor }: { tx: Tx; actor: ServerActor },
  asked: Asked,
  one: Planned,
  who: { idCoupon?: number; idGroup?: number },
  take = occupy,
): Promise<boolean> {
  const overbook = asked.overbook ? (holds(actor, 'overbookAppointments') ? 'allowed' : 'refused') : 'never'
  const { dateFrom: from } = one
  const to = later(one.dateTo, one.breakAfter)
  const over = await take(tx, { resource: doctorResource(one.idUser), capacity: 1, overbook, from, to, ...who })
  if (one.idRoom !== null) {
    const room = await tx.one<{ capacity: number }>(
      sql`select "capacity" from filials_rooms where "id" = ${one.idRoom}`,
    )
    const roomTo = later(one.dateTo, one.cleaning)
    const resource = roomResource(one.idRoom)
    // An overbooked visit may share the room, and so does one from the clinic's former program.
    const beyond = over || asked.isMoved ? 'allowed' : 'never'
    await take(tx, { resource, capacity: room?.capacity ?? 1, overbook: beyond, from, to: roomTo, ...who })
  }
  for (const time of gearTimes(one)) await take(tx, { ...time, overbook: 'never', ...who })
  return over
}

const gearTimes = ({ gear, dateFrom: from, dateTo }: Pick<Planned, 'gear' | 'dateFrom' | 'dateTo'>) =>
  gear.flatMap(({ id, capacity, cleaning }) =>
    id === null ? [] : [{ resource: equipmentResource(id), capacity, from, to: later(dateTo, cleaning) }],
  )

/**
 * Takes the equipment of a plan for a hold, which stores no services itself. Needs the locks of the plan.
 * @throws NoRoomError
 */
export async function holdGear(
  { records, tx, actor }: { records: Records; tx: Tx; actor: ServerActor },
  asked: Asked,
  planned: Planned,
  { id: idHold, expiresAt }: { id: number; expiresAt: string },
): Promise<void> {
  // A seat uses the group's equipment.
  if (planned.group?.id !== undefined) return
  const times = gearTimes(planned)
  await dropHolds(records, actor.id, times)
  try {
    for (const time of times) await occupy(tx, { ...time, overbook: 'never', idHold, expiresAt })
  } catch (error) {
    if (!(error instanceof TakenError)) throw error
    throw new NoRoomError('taken', takenWords(error, planned), asked.coupons[0] as CouponAsked, asked)
  }
}

/** Describes the busy resource. */
function takenWords({ resource, message }: TakenError, { idUser, gear }: Planned): string {
  if (resource === doctorResource(idUser)) return message
  const piece = gear.find(({ id }) => id !== null && equipmentResource(id) === resource)
  return piece ? `Оборудование в это время занято: ${piece.name}` : 'Кабинет в это время занят'
}

const MINUTE_MS = 60_000
const later = (moment: string, minutes: number): string =>
  minutes === 0 ? moment : new Date(Date.parse(moment) + minutes * MINUTE_MS).toISOString()
