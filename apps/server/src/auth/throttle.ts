import { createHash } from 'node:crypto'
import { loginOf } from '@ordinator/model/areas/staff/user'
import { addressOf } from '../platform/address.ts'
import type { Queryable } from '../platform/db.ts'

/** Wrong passwords in a row before the first delay. Many people share one address of a clinic, so it bears more. */
const FREE = { account: 5, address: 25 }
const FIRST_DELAY_SECONDS = 30
const MAX_DELAY_SECONDS = 900
/** After so long without a wrong password the count begins anew. */
const FORGET_SECONDS = 3_600

export interface Attempt {
  /** Seconds to wait; 0: the password may be checked. */
  wait: number
  keys: readonly string[]
}

/**
 * Counts an attempt before its password is looked at, so that a thousand sent at once do not pass unseen. An account
 * that does not exist is counted alike. Attempts made during a delay do not lengthen it.
 */
export async function takeAttempt(db: Queryable, login: string, ip: string): Promise<Attempt> {
  const account = `account:${createHash('sha256').update(loginOf(login)).digest('base64url')}`
  const address = `address:${addressOf(ip)}`
  const keys = [account, address]
  const locked = await db.one<{ wait: number }>({
    name: 'attempt-locked',
    text: `select ceil(extract(epoch from max("lockedUntil") - now()))::int as wait
      from login_attempts where key = any($1) and "lockedUntil" > now()`,
    values: [keys],
  })
  if (locked?.wait) return { wait: locked.wait, keys }
  for (const [key, free] of [
    [account, FREE.account],
    [address, FREE.address],
  ] as const) {
    const counted = await db.one({
      name: 'attempt',
      text: COUNT,
      values: [key, free, FIRST_DELAY_SECONDS, MAX_DELAY_SECONDS, FORGET_SECONDS],
    })
    // Locked by another attempt a moment ago.
    if (!counted) return { wait: FIRST_DELAY_SECONDS, keys }
  }
  return { wait: 0, keys }
}

const DELAY = 'make_interval(secs => least($4::int, $3::int * power(2, least(n - $2::int, 20))))'
const COUNT = `insert into login_attempts as a (key, fails) values ($1, 1)
  on conflict (key) do update set ("fails", "lastFail", "lockedUntil") = (
    select n, now(), case when n >= $2::int then now() + ${DELAY} end
    from (select case when a."lastFail" < now() - make_interval(secs => $5::int) then 1 else a.fails + 1 end as n) counted
  )
  where a."lockedUntil" is null or a."lockedUntil" <= now()
  returning key`

/** The password was right: the account begins anew, and the address takes back what this attempt had counted. */
export async function forgiveAttempt(db: Queryable, { keys: [account, address] }: Attempt): Promise<void> {
  await db.query({ name: 'attempt-right', text: 'delete from login_attempts where key = $1', values: [account] })
  await db.query({
    name: 'attempt-taken-back',
    text: 'update login_attempts set fails = greatest(fails - 1, 0), "lockedUntil" = null where key = $1',
    values: [address],
  })
}

/** Russian words for a wait. */
export function waitText(seconds: number): string {
  if (seconds < 60) return `Слишком много попыток входа. Повторите через ${seconds} с`
  return `Слишком много попыток входа. Повторите через ${Math.ceil(seconds / 60)} мин`
}
