/**
 * Proof of work for holds without a confirmed phone, required once half of the free times are held that way. The
 * challenge is signed, so nothing is stored until it is solved; a solved one is stored with its hold.
 */
import { createHmac, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto'
import {
  type PortalWork,
  type PortalWorkDone,
  WORK_BITS,
  WORK_ITERATIONS,
  WORK_MINUTES,
  workResult,
  zeroBits,
} from '@ordinator/model/areas/portal/work'
import sql from 'sql-template-tag'
import { type OnlinePlace, onlineDays, onlineTimes } from '#areas/visits/index.ts'
import type { Queryable } from '#platform/db.ts'
import { HttpError } from '#platform/errors.ts'

/** Number of such holds that need no work, however few times are free. */
const FEW = 2
/** Maximum number of free times counted. */
const MOST = 100

/**
 * Bits of work for one more hold of this service: none while strangers hold less than half of the times available to
 * them.
 * Counts all times of the branch's doctors who perform the service, whatever service the holds are for.
 */
export async function workFor(db: Queryable, { idServices, idFilial }: OnlinePlace): Promise<number> {
  const counted = await db.one<{ held: number }>(sql`
    select count(*)::int as held from portal_bookings b
      join appointments_holds h on h."id" = b."idHold" and not h."deleted" and h."expiresAt" > now()
    where b."idFilial" = ${idFilial} and not b."isKnown" and b."dateExpires" > now()
      and not exists (select 1 from unnest(${idServices}::bigint[]) s(id)
        where exists (select 1 from service_performers p where p."idService" = s.id and not p."deleted")
          and not exists (select 1 from service_performers p where p."idService" = s.id and p."idUser" = b."idUser"
            and (p."idFilial" is null or p."idFilial" = b."idFilial") and p."allowed" and not p."deleted"))`)
  const held = counted?.held ?? 0
  if (held < FEW) return 0
  const { first, last } = await onlineDays(db)
  const limit = Math.min(held + 1, MOST)
  const free = (await onlineTimes(db, { idServices, idFilial, from: first, to: last, limit })).length
  if (free * 3 <= held) return WORK_BITS.most
  return free <= held ? WORK_BITS.half : 0
}

const macOf = (secret: string, claims: string, about: string): Buffer =>
  createHmac('sha256', Buffer.from(hkdfSync('sha256', secret, '', 'portal work', 32)))
    .update(`${claims} ${about}`)
    .digest()

/** The booked place and the address: the challenge is valid for nothing else. */
const aboutOf = (place: OnlinePlace, address: string): string => JSON.stringify([place, address])

/** Error 409 `work` with the challenge. */
export function workWanted(secret: string, place: OnlinePlace, address: string, bits: number): HttpError {
  const claims = `${Date.now() + WORK_MINUTES * 60_000}.${bits}.${randomBytes(12).toString('base64url')}`
  const mac = macOf(secret, claims, aboutOf(place, address)).toString('base64url')
  const work: PortalWork = { challenge: `${claims}.${mac}`, bits, iterations: WORK_ITERATIONS }
  const message = 'Сейчас записываются очень многие: браузер должен показать, что вы не программа'
  return new HttpError(409, message, {
    code: 'work',
    body: { name: 'Conflict', status: 409, code: 'work', message, work },
  })
}

/**
 * Verifies the work for this place and address, within its time. An unsigned challenge costs no computation.
 * @returns the id of the challenge; undefined if invalid
 */
export async function workDone(
  secret: string,
  place: OnlinePlace,
  address: string,
  done: PortalWorkDone,
): Promise<string | undefined> {
  const found = /^((\d{13})\.(\d{1,2})\.([\w-]{16}))\.([\w-]{43})$/.exec(done.challenge)
  if (!found) return undefined
  const [, claims, until, bits, mark, mac] = found as unknown as [string, string, string, string, string, string]
  const ours = macOf(secret, claims, aboutOf(place, address))
  if (!timingSafeEqual(ours, Buffer.from(mac, 'base64url')) || Number(until) < Date.now()) return undefined
  return zeroBits(await workResult(done, WORK_ITERATIONS)) >= Number(bits) ? mark : undefined
}
