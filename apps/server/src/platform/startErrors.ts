/** Errors that abort the start: a sentence that names the setting instead of a stack trace. */

/** The start is stopped and `message`, a Russian sentence, shown. */
export class StartError extends Error {
  override name = 'StartError'
}

type Known = Error & {
  code?: string
  path?: string
  hostname?: string
  address?: string
  port?: number
  errors?: Known[]
}

/** Messages for PostgreSQL error codes (https://www.postgresql.org/docs/18/errcodes-appendix.html). */
const refusals: Record<string, string> = {
  '28P01': 'база данных не приняла пароль',
  '28000': 'база данных не пускает эту роль',
  '3D000': 'такой базы данных на сервере нет',
  '42501': 'роли не хватает прав: ей нужно создавать таблицы и расширения',
  '53300': 'у базы данных не осталось свободных подключений',
  '57P03': 'база данных ещё запускается, повторите через минуту',
  '53100': 'на диске базы данных не осталось места',
  '0A000': 'эта версия PostgreSQL не подходит: нужна 15 или новее',
}

const unreachable: Record<string, string> = {
  ECONNREFUSED: 'там никто не отвечает',
  ECONNRESET: 'соединение обрывается',
  ENOTFOUND: 'такого имени нет',
  EAI_AGAIN: 'имя сейчас не определяется',
  EHOSTUNREACH: 'до этого адреса нет пути',
  ENETUNREACH: 'до этого адреса нет пути',
  ETIMEDOUT: 'ответа нет слишком долго',
}

/** Messages for an untrusted TLS connection (codes of Node's TLS). */
const untrusted = 'сертификату того сервера не верят: назовите его издателя в NODE_EXTRA_CA_CERTS'
const tls: Record<string, string> = {
  DEPTH_ZERO_SELF_SIGNED_CERT: untrusted,
  SELF_SIGNED_CERT_IN_CHAIN: untrusted,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: untrusted,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: untrusted,
  CERT_HAS_EXPIRED: 'срок сертификата того сервера истёк',
  ERR_TLS_CERT_ALTNAME_INVALID: 'сертификат того сервера выдан на другое имя',
}

/** Messages for errors without a code, by the beginning of their text. */
const phrases: readonly (readonly [RegExp, string])[] = [
  [/timeout expired|Connection terminated/, 'ответа нет слишком долго'],
  [/^The server does not support SSL/, 'база данных не умеет TLS: уберите sslmode из адреса'],
  [/^(WRONGPASS|NOAUTH)|invalid (username-)?password/, 'Redis не принял имя или пароль'],
  [/^(Protocol error|Unknown RESP)/, 'там отвечает не Redis'],
  // ioredis, after it has passed the code to its listeners.
  [/^Connection is closed\.$/, 'там никто не отвечает'],
]

/** Messages for errors of an S3 store (https://docs.aws.amazon.com/AmazonS3/latest/API/ErrorResponses.html). */
const store: Record<string, string> = {
  CredentialsProviderError: 'нет ключа доступа к хранилищу: задайте AWS_ACCESS_KEY_ID и AWS_SECRET_ACCESS_KEY',
  InvalidAccessKeyId: 'хранилище не знает этого ключа доступа (AWS_ACCESS_KEY_ID)',
  SignatureDoesNotMatch: 'секрет ключа доступа не подходит (AWS_SECRET_ACCESS_KEY)',
  AccessDenied: 'ключу доступа не разрешено писать в это хранилище',
  NoSuchBucket: 'такого хранилища (bucket) нет',
  PermanentRedirect: 'хранилище в другом регионе: задайте ?region=',
  AuthorizationHeaderMalformed: 'хранилище в другом регионе: задайте ?region=',
  TimeoutError: 'хранилище не отвечает',
  /** From storage.ts. */
  storage: 'хранилище не отвечает',
}

const disk: Record<string, string> = {
  EROFS: 'диск открыт только для чтения',
  EACCES: 'нет права на запись',
  EPERM: 'нет права на запись',
  ENOSPC: 'на диске не осталось места',
  EDQUOT: 'исчерпана квота на диске',
  ENOTDIR: 'часть пути — не папка',
  EIO: 'диск не отвечает',
}

/**
 * Runs one step of the start.
 * @param setting the setting whose value the step uses: `DATABASE_URL`
 * @param more messages by code that only this step knows
 * @throws StartError for known failures; other errors unchanged
 */
export async function starting<T>(
  setting: string,
  step: () => Promise<T>,
  more: Readonly<Record<string, string>> = {},
): Promise<T> {
  try {
    return await step()
  } catch (error) {
    const why = more[(error as Known).code ?? ''] ?? reasonOf(error as Known)
    if (!why) throw error
    throw new StartError(`${setting}: ${why}.`, { cause: error })
  }
}

/** Why a database, a store or a disk has failed, in Russian and without a capital; undefined for other errors. */
export function reasonOf(error: Known): string | undefined {
  // One name with several addresses: report the last error.
  const one = error.errors?.at(-1) ?? error
  const code = one.code ?? ''
  if (refusals[code]) return refusals[code]
  if (unreachable[code]) return `${unreachable[code]}${placeOf(one)}`
  const fromStore = store[one.name] ?? store[code]
  if (fromStore) return fromStore
  if (disk[code]) return `${disk[code]}${one.path ? ` (${one.path})` : ''}`
  if (tls[code]) return tls[code]
  return phrases.find(([words]) => words.test(one.message))?.[1]
}

function placeOf({ hostname, address, port }: Known): string {
  const host = hostname ?? address
  return host ? ` (${host}${port ? `:${port}` : ''})` : ''
}
