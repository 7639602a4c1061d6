import { randomInt } from 'node:crypto'
import { availableParallelism } from 'node:os'
import { hash, verify } from '@node-rs/argon2'
import type { Queryable } from '#platform/db.ts'
import { isCommon } from './commonPasswords.ts'
import { isLeaked } from './leakedPasswords.ts'
import type { Policy } from './policy.ts'

/** Letters and digits that are not easily confused. */
const ALPHABET = 'abcdefghjkmnpqrstuvwxyz23456789'

/** argon2id with OWASP's second profile: 19 MiB, 2 passes; about 20 ms. The library's default is argon2id. */
const ARGON = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

/** Longer passwords only cost time. */
export const MAX_PASSWORD = 200

/** Hash of a random password: verified when there is no such account, so that both cases take the same time. */
const decoy = hash(randomPassword(), ARGON)

/** Passwords verified at once: attempts use at most half of the machine. */
const AT_ONCE = Math.max(1, Math.floor(availableParallelism() / 2))
let checking = 0
const waiting: (() => void)[] = []

async function inTurn<T>(run: () => Promise<T>): Promise<T> {
  if (checking >= AT_ONCE) await new Promise<void>((free) => waiting.push(free))
  else checking++
  try {
    return await run()
  } finally {
    const next = waiting.shift()
    if (next) next()
    else checking--
  }
}

export const hashPassword = (password: string): Promise<string> => inTurn(() => hash(password, ARGON))

/** @param stored undefined when there is no such account or it has no password */
export async function isPassword(stored: string | null | undefined, password: string): Promise<boolean> {
  const expected = stored ?? (await decoy)
  const right = await inTurn(() => verify(expected, password.slice(0, MAX_PASSWORD + 1)))
  return right && typeof stored === 'string'
}

/** Reason why the user cannot use this password; undefined when it is acceptable. */
export function passwordFault(
  password: string,
  login: string,
  { passwordLength, passwordMixed }: Pick<Policy, 'passwordLength' | 'passwordMixed'>,
): string | undefined {
  const length = [...password].length
  if (length < passwordLength) return `Пароль должен быть не короче ${passwordLength} знаков`
  if (length > MAX_PASSWORD) return `Пароль должен быть не длиннее ${MAX_PASSWORD} знаков`
  if (new Set(password).size < 4) return 'Слишком простой пароль: знаки повторяются'
  if (passwordMixed && !(/\p{L}/u.test(password) && /\d/.test(password))) return 'В пароле должны быть и буквы, и цифры'
  if (isCommon(password) || isLeaked(password)) return 'Этот пароль подбирают одним из первых: придумайте другой'
  if (login !== '' && password.toLowerCase().includes(login.toLowerCase())) return 'Пароль не должен содержать логин'
  return undefined
}

/** Like `k7mq-x3nd-84tz`: 59 random bits, easy to dictate. */
export function randomPassword(): string {
  const letters = Array.from({ length: 12 }, () => ALPHABET[randomInt(ALPHABET.length)]).join('')
  return `${letters.slice(0, 4)}-${letters.slice(4, 8)}-${letters.slice(8)}`
}

export async function storePassword(
  db: Queryable,
  idUser: number,
  passwordHash: string,
  mustChange: boolean,
): Promise<void> {
  await db.query({
    text: `insert into user_secrets ("idUser", "passwordHash", "mustChange") values ($1, $2, $3)
      on conflict ("idUser") do update set "passwordHash" = $2, "mustChange" = $3, "dateChange" = now()`,
    values: [idUser, passwordHash, mustChange],
  })
}
