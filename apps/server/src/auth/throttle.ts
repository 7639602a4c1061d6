/**
 * Throttling of wrong passwords, with several counters. An account is delayed for the address that guesses; over all
 * addresses, and for all accounts of an address (a clinic may share one), only after many more attempts. A browser with
 * an earlier sign-in has its own counter, so that an attacker cannot lock its owner out.
 */
import { createHash } from 'node:crypto'
import { loginOf } from '@ordinator/model/areas/staff/user'
import { addressOf } from '#platform/address.ts'
import type { Queryable } from '#platform/db.ts'
import { tooMany } from '#platform/errors.ts'
import type { AppContext } from '#records/context.ts'
import { type JournalEntry, journal } from '#records/journal.ts'

/** Wrong passwords in a row before the first delay, and the maximum delay in seconds. */
interface Bound {
  free: number
  most: number
}
const DEVICE: Bound = { free: 5, most: 900 }
const ACCOUNT_AT_ADDRESS: Bound = { free: 5, most: 900 }
const ACCOUNT: Bound = { free: 100, most: 300 }
const ADDRESS: Bound = { free: 300, most: 60 }
const FIRST_DELAY_SECONDS = 30
/** The counter is reset after this long without a wrong password. */
const FORGET_SECONDS = 3_600
/** Remembered devices per person: the most recently used ones. */
const MAX_DEVICES = 20

export interface Attempt {
  /** Seconds to wait; 0: the password may be checked. */
  wait: number
  /** Counters of the attempt; the first is the most specific. */
  keys: readonly string[]
}

/**
 * Counts an attempt before the password is verified, so that a thousand parallel ones are all counted. Unknown accounts
 * are counted alike. Attempts during a delay do not lengthen it.
 * @param device token of an earlier sign-in; ignored unless it belongs to this account
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

/** Remembers a device after a sign-in. */
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

/** After a right password: resets the specific counter, and subtracts this attempt from the wider ones. */
export async function forgiveAttempt(db: Queryable, { keys: [own, ...wider] }: Attempt): Promise<void> {
  await db.query({ name: 'attempt-right', text: 'delete from login_attempts where key = $1', values: [own] })
  await db.query({
    name: 'attempt-taken-back',
    text: 'update login_attempts set fails = greatest(fails - 1, 0), "lockedUntil" = null where key = any($1)',
    values: [wider],
  })
}

/** @throws HttpError 429 while the attempt must wait; it is journaled */
export async function refuseWaiting(
  { db }: Pick<AppContext, 'db'>,
  { wait }: Attempt,
  from: Omit<JournalEntry, 'action'>,
): Promise<void> {
  if (wait === 0) return
  await journal(db.kept, { ...from, action: 'refused', basis: 'Слишком много попыток' })
  throw tooMany(wait, waitText(wait))
}

/** Russian text for a wait. */
export function waitText(seconds: number): string {
  if (seconds < 60) return `Слишком много попыток входа. Повторите через ${seconds} с`
  return `Слишком много попыток входа. Повторите через ${Math.ceil(seconds / 60)} мин`
}
