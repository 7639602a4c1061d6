/** All settings of the server, from the environment. Nothing else reads `process.env`. */
import { randomBytes } from 'node:crypto'
import { chmodSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { isIP } from 'node:net'
import { join, resolve } from 'node:path'
import { z } from 'zod'

export interface Config {
  port: number
  host: string
  /** An outside PostgreSQL; undefined: the embedded one in `dataDir`. */
  databaseUrl: string | undefined
  /** Fan-out between several server processes; undefined: through PostgreSQL. */
  redisUrl: string | undefined
  /** Absolute. */
  dataDir: string
  /** An absolute folder, or `s3://bucket[/prefix][?region=&endpoint=]`. */
  files: string
  /** Where people reach the server, without a slash at the end. */
  publicUrl: string
  /** Signs tokens and links. At least 32 characters. */
  secret: string
  /** Whether it is the one of `DATA_DIR`, and not of the environment. */
  isSecretKept: boolean
  /** The next one, for the command that changes it; absent: the command makes one. */
  newSecret: string | undefined
  /** Encrypts the archives of `npm run backup`; absent: they are not encrypted. */
  backupPassphrase: string | undefined
  /** Where copies of the clinic lie: an absolute folder, or `s3://bucket[/prefix][?region=&endpoint=]`. */
  backupTo: string
  /** A copy is made before an update changes the base. */
  updateCopy: boolean
  /** Where a scanner for viruses listens, `unix:/run/clamav/clamd.ctl` or `host:3310`; absent: files are not scanned. */
  clamd: string | undefined
  /** Where sealed lines of the journal of access go too: `syslog://host:514` or a file; absent: nowhere. */
  journalTo: string | undefined
  /** Servers of browsers' makers, which alone devices are told through; `*.` before a name: whatever stands under it. */
  pushHosts: string[]
  /** Whether anybody may read `/docs` and `/openapi.json`. */
  apiDocs: boolean
  /** Make the demo clinic in an empty database. */
  demo: boolean
  /** The demo clinic gets two years of a past, in the background. */
  demoYears: boolean
  logLevel: LogLevel
  /** Absent: no letters are sent. */
  smtpUrl: string | undefined
  /** Whom the letters are from; there whenever `smtpUrl` is. */
  mailFrom: string | undefined
  /** The gateway of text messages, without a slash at the end; absent: none are sent. */
  /** The API of МДЛП, where the clinic's settings name none. */
  mdlpUrl: string | undefined
  smsUrl: string | undefined
  /** The clinic's own language model, `…/v1` of the OpenAI protocol; absent: none is asked. */
  llmUrl: string | undefined
  /** The clinic's own recognition of speech, likewise. */
  asrUrl: string | undefined
  /** Where providers of text messages are spoken to, without a slash at the end. */
  smscUrl: string
  smsruUrl: string
  smsaeroUrl: string
  /** Where ЮKassa and АТОЛ Онлайн are spoken to, likewise. */
  yookassaUrl: string
  atolOnlineUrl: string
  /** Where Mango Office and Zadarma are spoken to, likewise. */
  mangoUrl: string
  zadarmaUrl: string
  /** Where Яндекс Метрика is spoken to. */
  metrikaUrl: string
  /** Where bots of Telegram are spoken to, without a slash at the end. */
  telegramUrl: string
  /** Where communities of ВКонтакте are spoken to, likewise. */
  vkUrl: string
  /** Where bots of MAX are spoken to, likewise. */
  maxUrl: string
  /** Where the Cloud API of WhatsApp is spoken to, likewise, with its version. */
  whatsappUrl: string
  /** The simulator of ЕГИСЗ, without a slash at the end: spoken to in its mode alone. */
  egiszUrl: string
  /** Addresses of registers that the server itself may speak to, in its own network. */
  deviceAddresses: string[]
  /** The telephone exchange, `ami://user:secret@host:5038`; absent: there is no telephony. */
  amiUrl: string | undefined
  /** Of the Social Fund: sick leaves, the search of a СНИЛС; and of ТФОМС. */
  elnUrl: string | undefined
  snilsUrl: string | undefined
  tfomsUrl: string | undefined
  /** The exchange's own journal of calls. */
  cdrUrl: string | undefined
  /** Addresses of the balancers whose X-Forwarded-For is believed. */
  trustProxy: string[]
  /** Whether the clinic's own list of addresses to sign in from is passed over: the way back in. */
  anyAddress: boolean
  /** Megabytes of files that one person may send in a day. */
  uploadMbPerDay: number
}

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const
export type LogLevel = (typeof LOG_LEVELS)[number]

/** The start is stopped and `message`, a Russian sentence, shown. */
export class ConfigError extends Error {
  override name = 'ConfigError'
}

/** PostgreSQL has addresses without a host (`postgresql://user@/base?host=/socket`), which `URL` does not know. */
const parseUrl = (value: string): URL | null => URL.parse(value.replace('@/', '@localhost/'))

const url = (name: string, protocols: string[]) =>
  z
    .string()
    .refine(
      (value) => protocols.includes(parseUrl(value)?.protocol ?? ''),
      `${name}: нужен адрес вида ${protocols.map((p) => `${p}//…`).join(' или ')}`,
    )

/** Without a slash at the end. */
const bare = (address: string): string => address.replace(/\/+$/, '')

const listed = (text: string): string[] =>
  text
    .split(',')
    .map((item) => item.trim())
    .filter(Boolean)

/** An address, a network, or a name that proxy-addr knows. */
function isProxy(text: string): boolean {
  if (['loopback', 'linklocal', 'uniquelocal'].includes(text)) return true
  const [address = '', bits, more] = text.split('/')
  const version = isIP(address)
  if (version === 0 || more !== undefined) return false
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128))
}

/** Of a store elsewhere than Amazon's. */
function hasGoodEndpoint(files: string): boolean {
  const endpoint = URL.parse(files)?.searchParams.get('endpoint')
  return endpoint === null || endpoint === undefined || /^https?:$/.test(URL.parse(endpoint)?.protocol ?? '')
}

const schema = z.object({
  PORT: z
    .string()
    .regex(/^\d{1,5}$/, 'PORT: нужен номер порта от 0 до 65535')
    .transform(Number)
    .refine((port) => port <= 65535, 'PORT: нужен номер порта от 0 до 65535')
    .default(8080),
  HOST: z
    .string()
    .regex(/^[\w.:-]+$/, 'HOST: нужен адрес или имя, на котором слушать, например 127.0.0.1')
    .optional(),
  DATABASE_URL: url('DATABASE_URL', ['postgres:', 'postgresql:']).optional(),
  REDIS_URL: url('REDIS_URL', ['redis:', 'rediss:']).optional(),
  DATA_DIR: z.string().default('./data'),
  FILES: z
    .string()
    .refine(
      (value) => !/^\w+:\/\//.test(value) || (URL.canParse(value) && /^s3:\/\/[a-z0-9][\w.-]+/.test(value)),
      'FILES: нужна папка на диске или хранилище вида s3://bucket',
    )
    .refine(hasGoodEndpoint, 'FILES: endpoint — адрес хранилища вида https://storage.example.ru')
    .optional(),
  PUBLIC_URL: url('PUBLIC_URL', ['http:', 'https:']).optional(),
  SECRET: z.string().min(32, 'SECRET: нужно не меньше 32 знаков').optional(),
  NEW_SECRET: z.string().min(32, 'NEW_SECRET: нужно не меньше 32 знаков').optional(),
  BACKUP_PASSPHRASE: z.string().min(12, 'BACKUP_PASSPHRASE: нужно не меньше 12 знаков').optional(),
  UPDATE_COPY: z.enum(['0', '1'], 'UPDATE_COPY: нужно 0 или 1').default('1'),
  BACKUP_TO: z
    .string()
    .refine(
      (value) => !/^\w+:\/\//.test(value) || (URL.canParse(value) && /^s3:\/\/[a-z0-9][\w.-]+/.test(value)),
      'BACKUP_TO: нужна папка на диске или хранилище вида s3://bucket',
    )
    .refine(hasGoodEndpoint, 'BACKUP_TO: endpoint — адрес хранилища вида https://storage.example.ru')
    .optional(),
  CLAMD: z
    .string()
    .regex(/^(?:unix:\/.+|[\w.-]+:\d{1,5})$/, 'CLAMD: нужно unix:/путь/к/сокету или адрес:порт')
    .optional(),
  JOURNAL_TO: z
    .string()
    .regex(/^(?:syslog:\/\/[\w.-]+(?::\d{1,5})?|[^:]+)$/, 'JOURNAL_TO: нужен файл или syslog://сервер:514')
    .optional(),
  PUSH_HOSTS: z
    .string()
    .default(
      'fcm.googleapis.com, updates.push.services.mozilla.com, *.push.services.mozilla.com, web.push.apple.com, *.push.apple.com, *.notify.windows.com',
    ),
  API_DOCS: z.enum(['0', '1'], 'API_DOCS: нужно 0 или 1').default('1'),
  DEMO: z.enum(['0', '1'], 'DEMO: нужно 0 или 1').default('1'),
  DEMO_YEARS: z.enum(['0', '1'], 'DEMO_YEARS: нужно 0 или 1').default('1'),
  LOG_LEVEL: z.enum(LOG_LEVELS, `LOG_LEVEL: нужно одно из ${LOG_LEVELS.join(', ')}`).optional(),
  SMTP_URL: url('SMTP_URL', ['smtp:', 'smtps:']).optional(),
  MAIL_FROM: z
    .string()
    .regex(
      /^(?:[^<>@\r\n]*<[^<>@\s]+@[^<>@\s]+>|[^<>@\s]+@[^<>@\s]+)$/,
      'MAIL_FROM: нужен адрес отправителя вида clinic@example.ru или Клиника <clinic@example.ru>',
    )
    .optional(),
  MDLP_URL: url('MDLP_URL', ['http:', 'https:']).optional(),
  SMS_URL: url('SMS_URL', ['http:', 'https:']).optional(),
  LLM_URL: url('LLM_URL', ['http:', 'https:']).optional(),
  ASR_URL: url('ASR_URL', ['http:', 'https:']).optional(),
  METRIKA_URL: url('METRIKA_URL', ['http:', 'https:']).default('https://api-metrika.yandex.net'),
  SMSC_URL: url('SMSC_URL', ['http:', 'https:']).default('https://smsc.ru/sys'),
  SMSRU_URL: url('SMSRU_URL', ['http:', 'https:']).default('https://sms.ru'),
  SMSAERO_URL: url('SMSAERO_URL', ['http:', 'https:']).default('https://gate.smsaero.ru/v2'),
  YOOKASSA_URL: url('YOOKASSA_URL', ['http:', 'https:']).default('https://api.yookassa.ru/v3'),
  ATOL_ONLINE_URL: url('ATOL_ONLINE_URL', ['http:', 'https:']).default('https://online.atol.ru/possystem/v5'),
  MANGO_URL: url('MANGO_URL', ['http:', 'https:']).default('https://app.mango-office.ru/vpbx'),
  ZADARMA_URL: url('ZADARMA_URL', ['http:', 'https:']).default('https://api.zadarma.com'),
  TELEGRAM_URL: url('TELEGRAM_URL', ['http:', 'https:']).default('https://api.telegram.org'),
  VK_URL: url('VK_URL', ['http:', 'https:']).default('https://api.vk.com'),
  MAX_URL: url('MAX_URL', ['http:', 'https:']).default('https://platform-api2.max.ru'),
  WHATSAPP_URL: url('WHATSAPP_URL', ['http:', 'https:']).default('https://graph.facebook.com/v23.0'),
  EGISZ_URL: url('EGISZ_URL', ['http:', 'https:']).default('http://127.0.0.1:8195'),
  AMI_URL: url('AMI_URL', ['ami:']).optional(),
  ELN_URL: url('ELN_URL', ['http:', 'https:']).optional(),
  SNILS_URL: url('SNILS_URL', ['http:', 'https:']).optional(),
  TFOMS_URL: url('TFOMS_URL', ['http:', 'https:']).optional(),
  CDR_URL: url('CDR_URL', ['postgres:', 'postgresql:']).optional(),
  TRUST_PROXY: z
    .string()
    .refine(
      (value) => listed(value).every(isProxy),
      'TRUST_PROXY: нужны адреса или подсети через запятую, например 10.0.0.1, 192.168.0.0/16',
    )
    .default(''),
  DEVICE_ADDRESSES: z
    .string()
    .refine(
      (text) => listed(text).every((one) => /^https?:\/\/[^/@\s]+$/.test(one) && URL.canParse(one)),
      'DEVICE_ADDRESSES: нужны адреса касс через запятую, например http://192.168.1.50:16732',
    )
    .default(''),
  ANY_ADDRESS: z.enum(['0', '1'], 'ANY_ADDRESS: нужно 0 или 1').default('0'),
  UPLOAD_MB_PER_DAY: z
    .string()
    .regex(/^[1-9]\d{0,8}$/, 'UPLOAD_MB_PER_DAY: нужно целое число мегабайт, например 2048')
    .transform(Number)
    .default(2_048),
})

/**
 * Reads the settings; an empty value counts as absent. Makes `DATA_DIR` and, when `SECRET` is not given, the
 * secret in it.
 * @throws ConfigError with a sentence which names the wrong setting
 */
export function readConfig(env: Record<string, string | undefined>): Config {
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined && value !== ''))
  const parsed = schema.safeParse(given)
  if (!parsed.success) {
    throw new ConfigError(`Неверные настройки. ${parsed.error.issues.map((issue) => issue.message).join('. ')}.`)
  }
  const set = parsed.data
  if (set.SMTP_URL && !set.MAIL_FROM)
    throw new ConfigError('Неверные настройки. MAIL_FROM: нужен адрес отправителя писем, раз задан SMTP_URL.')
  if (set.CDR_URL && !set.AMI_URL)
    throw new ConfigError('Неверные настройки. AMI_URL: нужен адрес АТС, раз задан её журнал CDR_URL.')
  const demo = set.DEMO === '1'
  const host = set.HOST ?? (demo ? '127.0.0.1' : '0.0.0.0')
  const dataDir = resolve(set.DATA_DIR)
  makeDataDir(dataDir)
  return {
    port: set.PORT,
    host,
    databaseUrl: set.DATABASE_URL,
    redisUrl: set.REDIS_URL,
    dataDir,
    files:
      set.FILES === undefined ? join(dataDir, 'files') : set.FILES.startsWith('s3:') ? set.FILES : resolve(set.FILES),
    publicUrl: (set.PUBLIC_URL ?? `http://${shownHost(host)}:${set.PORT}`).replace(/\/+$/, ''),
    secret: set.SECRET ?? keptSecret(join(dataDir, 'secret')),
    isSecretKept: set.SECRET === undefined,
    newSecret: set.NEW_SECRET,
    backupPassphrase: set.BACKUP_PASSPHRASE,
    backupTo:
      set.BACKUP_TO === undefined
        ? join(dataDir, 'backups')
        : set.BACKUP_TO.startsWith('s3:')
          ? set.BACKUP_TO
          : resolve(set.BACKUP_TO),
    updateCopy: !demo && set.UPDATE_COPY === '1',
    clamd: set.CLAMD,
    journalTo: set.JOURNAL_TO,
    pushHosts: listed(set.PUSH_HOSTS),
    apiDocs: set.API_DOCS === '1',
    demo,
    demoYears: demo && set.DEMO_YEARS === '1',
    logLevel: set.LOG_LEVEL ?? (demo ? 'warn' : 'info'),
    smtpUrl: set.SMTP_URL,
    mailFrom: set.MAIL_FROM,
    mdlpUrl: set.MDLP_URL?.replace(/\/+$/, ''),
    smsUrl: set.SMS_URL?.replace(/\/+$/, ''),
    llmUrl: set.LLM_URL?.replace(/\/+$/, ''),
    asrUrl: set.ASR_URL?.replace(/\/+$/, ''),
    metrikaUrl: set.METRIKA_URL.replace(/\/+$/, ''),
    smscUrl: bare(set.SMSC_URL),
    smsruUrl: bare(set.SMSRU_URL),
    smsaeroUrl: bare(set.SMSAERO_URL),
    yookassaUrl: bare(set.YOOKASSA_URL),
    atolOnlineUrl: bare(set.ATOL_ONLINE_URL),
    mangoUrl: bare(set.MANGO_URL),
    zadarmaUrl: bare(set.ZADARMA_URL),
    telegramUrl: set.TELEGRAM_URL.replace(/\/+$/, ''),
    vkUrl: set.VK_URL.replace(/\/+$/, ''),
    maxUrl: set.MAX_URL.replace(/\/+$/, ''),
    whatsappUrl: set.WHATSAPP_URL.replace(/\/+$/, ''),
    egiszUrl: set.EGISZ_URL.replace(/\/+$/, ''),
    amiUrl: set.AMI_URL,
    elnUrl: set.ELN_URL?.replace(/\/+$/, ''),
    snilsUrl: set.SNILS_URL?.replace(/\/+$/, ''),
    tfomsUrl: set.TFOMS_URL?.replace(/\/+$/, ''),
    cdrUrl: set.CDR_URL,
    trustProxy: listed(set.TRUST_PROXY),
    deviceAddresses: listed(set.DEVICE_ADDRESSES),
    anyAddress: set.ANY_ADDRESS === '1',
    uploadMbPerDay: set.UPLOAD_MB_PER_DAY,
  }
}

function shownHost(host: string): string {
  if (['0.0.0.0', '::', '127.0.0.1', '::1'].includes(host)) return 'localhost'
  return host.includes(':') ? `[${host}]` : host
}

function makeDataDir(dir: string): void {
  try {
    mkdirSync(dir, { recursive: true })
  } catch (error) {
    throw new ConfigError(`DATA_DIR: не удалось создать папку ${dir} (${(error as NodeJS.ErrnoException).code}).`)
  }
}

/** One that others may read is closed to them; where a folder is mounted for reading only, it must be so already. */
function readSecret(path: string): string {
  try {
    if (statSync(path).mode & 0o077) chmodSync(path, 0o600)
    return readFileSync(path, 'utf8').trim()
  } catch (error) {
    const { code, syscall } = error as NodeJS.ErrnoException
    const what = syscall === 'chmod' ? 'закрыть от других' : 'прочитать'
    throw new ConfigError(`DATA_DIR: не удалось ${what} ${path} (${code}).`)
  }
}

/** `wx` lets only one of several processes that start at once make the secret; the others read it. */
function keptSecret(path: string): string {
  try {
    writeFileSync(path, `${randomBytes(48).toString('base64url')}\n`, { flag: 'wx', mode: 0o600 })
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code !== 'EEXIST') throw new ConfigError(`DATA_DIR: не удалось записать ${path} (${code}).`)
  }
  const secret = readSecret(path)
  if (secret.length < 32) throw new ConfigError(`Файл ${path} повреждён: в нём должно быть не меньше 32 знаков.`)
  return secret
}
