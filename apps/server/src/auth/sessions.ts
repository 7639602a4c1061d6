import type { Lane, Queryable, Tx } from '#platform/db.ts'
import { type Policy, readPolicy } from './policy.ts'
import { signal } from './signals.ts'
import { isRefreshHash, type RefreshToken, refreshHash, type Tokens } from './tokens.ts'

/** Seconds for which the previous token is still accepted: parallel tabs, a lost answer. */
const GRACE = 10
const MAX_USER_AGENT = 300

export interface Opened {
  idSession: string
  idUser: number
  token: RefreshToken
  remember: boolean
  /** Seconds. */
  life: number
}

export type EndReason = 'logout' | 'forced' | 'closed' | 'reuse' | 'blocked' | 'password' | 'replaced' | 'expired'

/** A session as shown to its user and to staff managers. */
export interface SessionInfo {
  id: string
  ip: string | null
  userAgent: string | null
  remember: boolean
  dateCreate: string
  lastSeen: string
  expiresAt: string
}

/**
 * Lifetime of a session in seconds after its last refresh, with «запомнить меня» and without; however often it is
 * refreshed, it ends a number of days after the sign-in.
 * @param age seconds since the sign-in
 */
const lifeOf = (remember: boolean, { sessionDays, sessionHours, sessionMostDays }: Policy, age: number) =>
  Math.min(remember ? sessionDays * 24 * 3_600 : sessionHours * 3_600, sessionMostDays * 24 * 3_600 - age)

/**
 * Opens a session and ends the user's others.
 * @param instead a session of the same browser, which is replaced without confirmation
 * @returns undefined when another session is open and `force` is not set
 */
export async function openSession(
  tx: Tx,
  tokens: Tokens,
  own: { idUser: number; remember: boolean; force: boolean; instead?: string; ip: string; userAgent?: string },
  policy: Policy,
): Promise<Opened | undefined> {
  // Serialises sign-ins of a user, so that two at once do not both find no session.
  await tx.query({ text: 'select 1 from user_secrets where "idUser" = $1 for update', values: [own.idUser] })
  const open = await tx.query<{ id: string }>({ text: `select id from sessions where ${OPEN}`, values: [own.idUser] })
  if (open.some(({ id }) => id !== own.instead) && !own.force) return undefined
  await endSessions(tx, own.idUser, 'forced')
  const { id } = (await tx.one<{ id: string }>({ text: 'select gen_random_uuid() as id' })) as { id: string }
  const token = tokens.firstRefresh(id)
  const life = lifeOf(own.remember, policy, 0)
  await tx.query({
    text: `insert into sessions (id, "idUser", "refreshHash", remember, ip, "userAgent", "expiresAt")
      values ($1, $2, $3, $4, $5, $6, now() + make_interval(secs => $7))`,
    values: [
      id,
      own.idUser,
      refreshHash(token),
      own.remember,
      own.ip,
      own.userAgent?.slice(0, MAX_USER_AGENT) ?? null,
      life,
    ],
  })
  return { idSession: id, idUser: own.idUser, token, remember: own.remember, life }
}

/** True when the user has another open session. @param instead a session of the same browser */
export async function hasOtherSession(db: Queryable, idUser: number, instead?: string): Promise<boolean> {
  const open = await db.query<{ id: string }>({ text: `select id from sessions where ${OPEN}`, values: [idUser] })
  return open.some(({ id }) => id !== instead)
}

const OPEN = `"idUser" = $1 and "endedAt" is null and "expiresAt" > now()`

/** Ends the user's open sessions, all or all but one; every process is notified after the commit. */
export async function endSessions(tx: Tx, idUser: number, reason: EndReason, but?: string): Promise<string[]> {
  const ended = await tx.query<{ id: string }>({
    text: `update sessions set "endedAt" = now(), "endReason" = $2
      where "idUser" = $1 and "endedAt" is null and ($3::uuid is null or id <> $3::uuid) returning id`,
    values: [idUser, reason, but ?? null],
  })
  const ids = ended.map((row) => row.id)
  if (ids.length > 0) await signal(tx, { sessions: ids })
  return ids
}

/** @returns the owner; undefined when it was not open, or not a session of `idUser` */
export async function endSession(
  tx: Tx,
  idSession: string,
  reason: EndReason,
  idUser?: number,
): Promise<number | undefined> {
  const row = await tx.one<{ idUser: number }>({
    text: `update sessions set "endedAt" = now(), "endReason" = $2
      where id = $1::uuid and "endedAt" is null and ($3::bigint is null or "idUser" = $3) returning "idUser"`,
    values: [idSession, reason, idUser ?? null],
  })
  if (row) await signal(tx, { sessions: [idSession] })
  return row?.idUser
}

interface SessionRow {
  idUser: number
  refreshHash: Buffer
  refreshCount: number
  remember: boolean
  /** Seconds since the last rotation. */
  age: number
  /** Seconds since the sign-in. */
  sinceSignIn: number
  mayEnter: boolean
}

export type Refreshed = { opened: Opened } | { refused: 'unknown' } | { refused: 'reuse'; idUser: number }

/** Rotates the refresh token. Reuse of an old one after the grace period means theft: the session ends. */
export function refreshSession(db: Lane, tokens: Tokens, given: RefreshToken): Promise<Refreshed> {
  return db.tx(async (tx) => {
    const row = await tx.one<SessionRow>({
      text: `select s."idUser", s."refreshHash", s."refreshCount", s.remember,
          extract(epoch from now() - s."dateRefresh")::float8 as age,
          extract(epoch from now() - s."dateCreate")::float8 as "sinceSignIn", not u.deleted and not u."isBlocked" as "mayEnter"
        from sessions s join users u on u.id = s."idUser"
        where s.id = $1::uuid and s."endedAt" is null and s."expiresAt" > now() for update of s`,
      values: [given.idSession],
    })
    if (!row?.mayEnter) return { refused: 'unknown' }
    const current = tokens.forward(given, row.refreshCount)
    if (!current || !isRefreshHash(current, row.refreshHash)) return { refused: 'unknown' }
    const behind = row.refreshCount - given.count
    if (behind > 1 || (behind === 1 && row.age > GRACE)) {
      await endSession(tx, given.idSession, 'reuse')
      return { refused: 'reuse', idUser: row.idUser }
    }
    const token = behind === 0 ? tokens.next(current) : current
    const life = Math.floor(lifeOf(row.remember, await readPolicy(tx), row.sinceSignIn))
    if (life <= 0) {
      await endSession(tx, given.idSession, 'expired')
      return { refused: 'unknown' }
    }
    if (behind === 0) {
      await tx.query({
        text: `update sessions set "refreshHash" = $2, "refreshCount" = $3, "dateRefresh" = now(), "lastSeen" = now(),
          "expiresAt" = now() + make_interval(secs => $4) where id = $1::uuid`,
        values: [given.idSession, refreshHash(token), token.count, life],
      })
    }
    return { opened: { idSession: given.idSession, idUser: row.idUser, token, remember: row.remember, life } }
  })
}

/** The open session whose current refresh token this is. */
export async function ownSession(
  db: Queryable,
  given: RefreshToken | undefined,
  idUser: number,
): Promise<string | undefined> {
  if (!given) return undefined
  const row = await db.one<{ refreshHash: Buffer }>({
    text: `select "refreshHash" from sessions where ${OPEN} and id = $2::uuid and "refreshCount" = $3`,
    values: [idUser, given.idSession, given.count],
  })
  return row && isRefreshHash(given, row.refreshHash) ? given.idSession : undefined
}

export function openSessionsOf(db: Queryable, idUser: number): Promise<SessionInfo[]> {
  return db.query<SessionInfo>({
    text: `select id, ip, "userAgent", remember, "dateCreate", "lastSeen", "expiresAt" from sessions where ${OPEN} order by "lastSeen" desc`,
    values: [idUser],
  })
}

/** Updates the time of last activity; not recorded in history. */
export async function markActive(db: Queryable, idUser: number, idSession: string | undefined): Promise<void> {
  await db.query({ name: 'seen-user', text: 'update users set "lastActive" = now() where id = $1', values: [idUser] })
  if (idSession) {
    await db.query({
      name: 'seen-session',
      text: 'update sessions set "lastSeen" = now() where id = $1::uuid',
      values: [idSession],
    })
  }
}
