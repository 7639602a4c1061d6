/**
 * Wrong passwords slow down, each kind of count in its own measure. An account is held up for the address that guesses
 * it; over all addresses, and for all accounts of an address (a whole clinic may stand behind one), only by many times
 * as many. A browser that somebody has signed in from counts for itself, so that no stranger keeps its owner out.
 */
import { createHash } from 'node:crypto'
import { loginOf } from '@ordinator/model/areas/staff/user'
import { addressOf } from '../platform/address.ts'
import type { Queryable } from '../platform/db.ts'
import { tooMany } from '../platform/errors.ts'
import type { AppContext } from '../records/context.ts'
import { type JournalEntry, journal } from '../records/journal.ts'

/** Wrong passwords in a row before the first delay, and the seconds that delays grow to. */
interface Bound {
  free: number
  most: number
}
const DEVICE: Bound = { free: 5, most: 900 }
const ACCOUNT_AT_ADDRESS: Bound = { free: 5, most: 900 }
const ACCOUNT: Bound = { free: 100, most: 300 }
const ADDRESS: Bound = { free: 300, most: 60 }
const FIRST_DELAY_SECONDS = 30
/** After so long without a wrong password the count begins anew. */
const FORGET_SECONDS = 3_600
/** Devices of one person: those used last. */
const MAX_DEVICES = 20

export interface Attempt {
  /** Seconds to wait; 0: the password may be checked. */
  wait: number
  /** What has counted it; the first one is its own. */
  keys: readonly string[]
}

/**
 * Counts an attempt before its password is looked at, so that a thousand sent at once do not pass unseen. An account
 * that does not exist is counted alike. Attempts made during a delay do not lengthen it.
 * @param device what the browser keeps of an earlier sign-in; not believed unless it was this account's
 */
export async function takeAttempt(db: Queryable, login: string, ip: string, device?: string): Promise<Attempt> {
  const bounds = await boundsOf(db, loginOf(login), addressOf(ip), device)
  const keys = bounds.map(([key]) => key)
  const locked = await db.one<{ wait: number }>({
    name: 'attempt-locked',
    text: `select ceil(extract(epoch from max("lockedUntil") - now()))::int as wait
      from login_attempts where key = any($1) and "lockedUntil" > now()`,
    values: [keys],
  })
  if (locked?.wait) return { wait: locked.wait, keys }
  for (const [key, { free, most }] of bounds) {
    const counted = await db.one({
      name: 'attempt',
      text: COUNT,
      values: [key, free, FIRST_DELAY_SECONDS, most, FORGET_SECONDS],
    })
    // Locked by another attempt a moment ago.
    if (!counted) return { wait: FIRST_DELAY_SECONDS, keys }
  }
  return { wait: 0, keys }
}

async function boundsOf(
  db: Queryable,
  login: string,
  address: string,
  device: string | undefined,
): Promise<[string, Bound][]> {
  const account = hashOf(login)
  if (device && (await isKnown(db, login, device))) return [[`device:${hashOf(device)}:${account}`, DEVICE]]
  return [
    [`account:${account}:${address}`, ACCOUNT_AT_ADDRESS],
    [`account:${account}`, ACCOUNT],
    [`address:${address}`, ADDRESS],
  ]
}

async function isKnown(db: Queryable, login: string, device: string): Promise<boolean> {
  const known = await db.one({
    name: 'known-device',
    text: `select 1 from known_devices d join users u on u.id = d."idUser"
      where lower(u.login) = $1 and not u.deleted and d.device = $2`,
    values: [login, hashOf(device)],
  })
  return known !== undefined
}

/** Somebody has signed in from this device. */
export async function rememberDevice(db: Queryable, idUser: number, device: string): Promise<void> {
  await db.query({
    name: 'device-remembered',
    text: `insert into known_devices ("idUser", device) values ($1, $2)
      on conflict ("idUser", device) do update set "lastSeen" = now()`,
    values: [idUser, hashOf(device)],
  })
  await db.query({
    name: 'devices-forgotten',
    text: `delete from known_devices where "idUser" = $1 and device in
      (select device from known_devices where "idUser" = $1 order by "lastSeen" desc offset $2)`,
    values: [idUser, MAX_DEVICES],
  })
}

const hashOf = (text: string): string => createHash('sha256').update(text).digest('base64url')

const DELAY = 'make_interval(secs => least($4::int, $3::int * power(2, least(n - $2::int, 20))))'
const COUNT = `insert into login_attempts as a (key, fails) values ($1, 1)
  on conflict (key) do update set ("fails", "lastFail", "lockedUntil") = (
    select n, now(), case when n >= $2::int then now() + ${DELAY} end
    from (select case when a."lastFail" < now() - make_interval(secs => $5::int) then 1 else a.fails + 1 end as n) counted
  )
  where a."lockedUntil" is null or a."lockedUntil" <= now()
  returning key`

/** The password was right: its own count begins anew, and the wider ones take back what this attempt had counted. */
export async function forgiveAttempt(db: Queryable, { keys: [own, ...wider] }: Attempt): Promise<void> {
  await db.query({ name: 'attempt-right', text: 'delete from login_attempts where key = $1', values: [own] })
  await db.query({
    name: 'attempt-taken-back',
    text: 'update login_attempts set fails = greatest(fails - 1, 0), "lockedUntil" = null where key = any($1)',
    values: [wider],
  })
}

/** @throws HttpError 429 while the attempt has to wait; the journal tells of it */
export async function refuseWaiting(
  { db }: Pick<AppContext, 'db'>,
  { wait }: Attempt,
  from: Omit<JournalEntry, 'action'>,
): Promise<void> {
  if (wait === 0) return
  await journal(db.kept, { ...from, action: 'refused', basis: 'Слишком много попыток' })
  throw tooMany(wait, waitText(wait))
}

/** Russian words for a wait. */
export function waitText(seconds: number): string {
  if (seconds < 60) return `Слишком много попыток входа. Повторите через ${seconds} с`
  return `Слишком много попыток входа. Повторите через ${Math.ceil(seconds / 60)} мин`
}
