/** Storage and verification of second factors: TOTP codes, passkeys, recovery codes. */
import { createHash, randomBytes, randomInt } from 'node:crypto'
import { type Factor, type Factors, RECOVERY_CODES } from '@ordinator/model/areas/auth/factor'
import {
  generateAuthenticationOptions,
  generateRegistrationOptions,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
} from '@simplewebauthn/server'
import { Secret, TOTP } from 'otpauth'
import sql from 'sql-template-tag'
import type { Config } from '#platform/config.ts'
import type { Queryable, Tx } from '#platform/db.ts'

const SECRET_COLUMN = 'user_factors.secret'
/** Period of a code in seconds, and the allowed drift in periods (RFC 6238 §5.2: one at most). */
const STEP = 30
const WINDOW = 1
/** Bytes of a secret, as recommended by RFC 4226. */
const SECRET_BYTES = 20
const ISSUER = 'Ординатор'
const CHALLENGE_MINUTES = 5
/** Letters and digits that are not easily confused. */
const ALPHABET = 'abcdefghjkmnpqrstuvwxyz23456789'
/** Maximum factors of one person. */
export const MOST_FACTORS = 10

const CONFIRMED = sql`"dateConfirmed" is not null`

export async function factorsOf(db: Queryable, idUser: number): Promise<Factors> {
  const items = await db.query<Factor>(sql`
    select "id", "kind", "name", "dateCreate", "dateUsed" from user_factors where "idUser" = ${idUser} and ${CONFIRMED} order by "id"`)
  const more = (await db.one<{ codesLeft: number; required: boolean }>(sql`
    select (select count(*)::int from user_recovery_codes where "idUser" = ${idUser} and "dateUsed" is null) as "codesLeft",
      exists (select 1 from user_roles ur join roles r on r."id" = ur."idRole"
        where ur."idUser" = ${idUser} and r."requiresFactor") as required`)) as { codesLeft: number; required: boolean }
  return { items, ...more }
}

/** True when sign-in requires more than the password. */
export const hasFactor = async (db: Queryable, idUser: number): Promise<boolean> =>
  (await db.one(sql`select 1 from user_factors where "idUser" = ${idUser} and ${CONFIRMED} limit 1`)) !== undefined

const totpOf = (secret: string, label: string) =>
  new TOTP({ issuer: ISSUER, label, algorithm: 'SHA1', digits: 6, period: STEP, secret: Secret.fromBase32(secret) })

/** A new secret that awaits confirmation by its first code; replaces an unconfirmed one. */
export async function beginTotp(tx: Tx, idUser: number, login: string): Promise<{ secret: string; uri: string }> {
  await tx.query(sql`delete from user_factors where "idUser" = ${idUser} and "dateConfirmed" is null`)
  const secret = new Secret({ buffer: new Uint8Array(randomBytes(SECRET_BYTES)).buffer }).base32
  const made = (await tx.one<{ id: number }>(sql`
    insert into user_factors ("idUser", "kind", "name") values (${idUser}, 'totp', '') returning "id"`)) as {
    id: number
  }
  await tx.query(
    sql`update user_factors set "secret" = ${tx.cipher.encrypt(SECRET_COLUMN, made.id, secret)} where "id" = ${made.id}`,
  )
  return { secret, uri: totpOf(secret, login).toString() }
}

/** Confirms the pending secret by its first code. */
export async function confirmTotp(tx: Tx, idUser: number, name: string, code: string): Promise<boolean> {
  const id = await takeTotp(tx, idUser, code, false)
  if (id === undefined) return false
  await tx.query(sql`update user_factors set "name" = ${name}, "dateConfirmed" = now() where "id" = ${id}`)
  return true
}

interface Kept {
  id: number
  secret: string
  usedStep: number | null
}

/** @returns the factor that generated the code; undefined when none did, or the code was used before */
async function takeTotp(tx: Tx, idUser: number, code: string, confirmed: boolean): Promise<number | undefined> {
  const token = code.replace(/\s/g, '')
  if (!/^\d{6}$/.test(token)) return undefined
  const kept = await tx.query<Kept>(sql`
    select "id", "secret", "usedStep" from user_factors
    where "idUser" = ${idUser} and "kind" = 'totp' and ("dateConfirmed" is not null) = ${confirmed} for update`)
  const now = Date.now()
  for (const { id, secret, usedStep } of kept) {
    const delta = totpOf(tx.cipher.decrypt(SECRET_COLUMN, id, secret), '').validate({
      token,
      window: WINDOW,
      timestamp: now,
    })
    if (delta === null) continue
    const step = Math.floor(now / 1000 / STEP) + delta
    // RFC 6238 §5.2: a code is accepted once.
    if (usedStep !== null && usedStep >= step) return undefined
    await tx.query(sql`update user_factors set "usedStep" = ${step}, "dateUsed" = now() where "id" = ${id}`)
    return id
  }
  return undefined
}

const codeHash = (idUser: number, code: string): Buffer =>
  createHash('sha256')
    .update(`recovery ${idUser} ${code.toLowerCase().replace(/[^a-z0-9]/g, '')}`)
    .digest()

/** Replaces all recovery codes: ten with 49 random bits each, stored as hashes. */
export async function renewCodes(tx: Tx, idUser: number): Promise<string[]> {
  const codes = Array.from({ length: RECOVERY_CODES }, () => {
    const letters = Array.from({ length: 10 }, () => ALPHABET[randomInt(ALPHABET.length)]).join('')
    return `${letters.slice(0, 5)}-${letters.slice(5)}`
  })
  await tx.query(sql`delete from user_recovery_codes where "idUser" = ${idUser}`)
  for (const code of codes)
    await tx.query(
      sql`insert into user_recovery_codes ("idUser", "hash") values (${idUser}, ${codeHash(idUser, code)})`,
    )
  return codes
}

/** Recovery codes for a first factor; null when the person already has some. */
export async function firstCodes(tx: Tx, idUser: number): Promise<string[] | null> {
  const { codesLeft } = await factorsOf(tx, idUser)
  return codesLeft > 0 ? null : renewCodes(tx, idUser)
}

export type TakenCode = 'totp' | 'recovery' | undefined

/** Accepts a TOTP code or a recovery code; each works once. */
export async function takeCode(tx: Tx, idUser: number, code: string): Promise<TakenCode> {
  if ((await takeTotp(tx, idUser, code, true)) !== undefined) return 'totp'
  const taken = await tx.one(sql`
    update user_recovery_codes set "dateUsed" = now()
    where "idUser" = ${idUser} and "hash" = ${codeHash(idUser, code)} and "dateUsed" is null returning 1`)
  return taken ? 'recovery' : undefined
}

/** Removes all factors and codes of a person. @returns the number of factors removed */
export async function removeFactors(tx: Tx, idUser: number): Promise<number> {
  const gone = await tx.query(sql`delete from user_factors where "idUser" = ${idUser} and ${CONFIRMED} returning 1`)
  await tx.query(sql`delete from user_factors where "idUser" = ${idUser}`)
  await tx.query(sql`delete from user_recovery_codes where "idUser" = ${idUser}`)
  return gone.length
}

/** @returns whether it existed; the recovery codes are removed with the last factor */
export async function removeFactor(tx: Tx, idUser: number, id: number): Promise<boolean> {
  const gone = await tx.one(
    sql`delete from user_factors where "id" = ${id} and "idUser" = ${idUser} and ${CONFIRMED} returning 1`,
  )
  if (gone && !(await hasFactor(tx, idUser)))
    await tx.query(sql`delete from user_recovery_codes where "idUser" = ${idUser}`)
  return gone !== undefined
}

const relyingParty = ({ publicUrl }: Config) => {
  const { hostname, origin } = new URL(publicUrl)
  return { id: hostname, origin }
}

interface Passkey {
  id: number
  credential: string
  publicKey: Buffer
  counter: number
  transports: string[]
}

const passkeysOf = (db: Queryable, idUser: number): Promise<Passkey[]> =>
  db.query<Passkey>(sql`select "id", "credential", "publicKey", "counter", "transports" from user_factors
    where "idUser" = ${idUser} and "kind" = 'passkey'`)

const named = (passkeys: readonly Passkey[]) =>
  passkeys.map(({ credential, transports }) => ({ id: credential, transports: transports as never[] }))

async function keepChallenge(db: Queryable, idUser: number, purpose: 'add' | 'signIn', challenge: string) {
  await db.query(sql`delete from passkey_challenges where "dateExpires" < now()`)
  await db.query(sql`insert into passkey_challenges ("challenge", "idUser", "purpose", "dateExpires")
    values (${challenge}, ${idUser}, ${purpose}, now() + make_interval(mins => ${CHALLENGE_MINUTES}))`)
}

/** Consumes the person's pending challenge, if it is recent. */
const takeChallenge =
  (db: Queryable, idUser: number, purpose: 'add' | 'signIn') =>
  async (challenge: string): Promise<boolean> =>
    (await db.one(sql`delete from passkey_challenges where "challenge" = ${challenge} and "idUser" = ${idUser}
      and "purpose" = ${purpose} and "dateExpires" > now() returning 1`)) !== undefined

export async function beginPasskey(db: Queryable, config: Config, user: { id: number; login: string; fio: string }) {
  const options = await generateRegistrationOptions({
    rpName: ISSUER,
    rpID: relyingParty(config).id,
    userID: new TextEncoder().encode(String(user.id)),
    userName: user.login,
    userDisplayName: user.fio,
    attestationType: 'none',
    excludeCredentials: named(await passkeysOf(db, user.id)),
    authenticatorSelection: { residentKey: 'discouraged', userVerification: 'preferred' },
  })
  await keepChallenge(db, user.id, 'add', options.challenge)
  return options
}

/** Whether the browser's response was made in a frame of another site (WebAuthn Level 3 §5.8.1). */
function isFramed(response: unknown): boolean {
  try {
    const { clientDataJSON } = (response as { response: { clientDataJSON: string } }).response
    return JSON.parse(Buffer.from(clientDataJSON, 'base64url').toString()).crossOrigin === true
  } catch {
    return true
  }
}

/** @returns whether the browser's response is valid */
export async function addPasskey(
  db: Queryable,
  config: Config,
  idUser: number,
  name: string,
  response: unknown,
): Promise<boolean> {
  if (isFramed(response)) return false
  const { id: expectedRPID, origin } = relyingParty(config)
  const verified = await verifyRegistrationResponse({
    response: response as never,
    expectedChallenge: takeChallenge(db, idUser, 'add'),
    expectedOrigin: origin,
    expectedRPID,
    requireUserVerification: false,
  }).catch(() => undefined)
  if (!verified?.verified) return false
  const { id, publicKey, counter, transports = [] } = verified.registrationInfo.credential
  const added = await db.one(sql`
    insert into user_factors ("idUser", "kind", "name", "credential", "publicKey", "counter", "transports", "dateConfirmed")
    values (${idUser}, 'passkey', ${name}, ${id}, ${Buffer.from(publicKey)}, ${counter}, ${transports as string[]}, now())
    on conflict ("credential") do nothing returning 1`)
  return added !== undefined
}

/** The challenge for the browser at sign-in; null: the person has no passkey. */
export async function askPasskey(db: Queryable, config: Config, idUser: number) {
  const passkeys = await passkeysOf(db, idUser)
  if (passkeys.length === 0) return null
  const options = await generateAuthenticationOptions({
    rpID: relyingParty(config).id,
    allowCredentials: named(passkeys),
    userVerification: 'preferred',
  })
  await keepChallenge(db, idUser, 'signIn', options.challenge)
  return { ...options }
}

/** @returns whether a passkey of the person has signed the challenge */
export async function takePasskey(
  db: Queryable,
  config: Config,
  idUser: number,
  response: { id: string },
): Promise<boolean> {
  const passkey = (await passkeysOf(db, idUser)).find(({ credential }) => credential === response.id)
  if (!passkey || isFramed(response)) return false
  const { id: expectedRPID, origin } = relyingParty(config)
  const verified = await verifyAuthenticationResponse({
    response: response as never,
    expectedChallenge: takeChallenge(db, idUser, 'signIn'),
    expectedOrigin: origin,
    expectedRPID,
    requireUserVerification: false,
    credential: {
      id: passkey.credential,
      publicKey: new Uint8Array(passkey.publicKey),
      counter: passkey.counter,
    },
  }).catch(() => undefined)
  if (!verified?.verified) return false
  await db.query(sql`update user_factors set "counter" = ${verified.authenticationInfo.newCounter}, "dateUsed" = now()
    where "id" = ${passkey.id}`)
  return true
}
