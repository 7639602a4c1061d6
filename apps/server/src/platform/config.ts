/** All settings of the server, from the environment. Nothing else reads `process.env`. */
import { randomBytes } from 'node:crypto'
import { chmodSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { isIP } from 'node:net'
import { join, resolve } from 'node:path'
import { z } from 'zod'
import { LEAST_CONNECTIONS } from './laneSizes.ts'

export interface Config {
  port: number
  host: string
  /** An external PostgreSQL; undefined: the embedded one in `dataDir`. */
  databaseUrl: string | undefined
  /** A streaming replica of `databaseUrl`, for reads; undefined: none. */
  replicaUrl: string | undefined
  /**
   * What this process does: `web` serves people only; `jobs` takes the background jobs and owns the lines of devices and
   * exchanges (it serves requests as well, but a balancer need not know it); `all` does both.
   */
  role: Role
  /** Maximum connections of this process to the database; undefined: the default sizes of the pools. */
  connections: number | undefined
  /** Opens `/metrics` to Prometheus; absent: nothing is measured. */
  metricsToken: string | undefined
  /** The OpenTelemetry collector to which a share of the requests and jobs is told; absent: none is traced. */
  traces: { endpoint: string; share: number } | undefined
  /** Signals between server processes; undefined: through PostgreSQL. */
  redisUrl: string | undefined
  /** Absolute path. */
  dataDir: string
  /** An absolute folder, or `s3://bucket[/prefix][?region=&endpoint=]`. */
  files: string
  /** Address of the product for browsers, without a trailing slash. */
  publicUrl: string
  /** Signs tokens and links. At least 32 characters. */
  secret: string
  /** True when it is read from `DATA_DIR`, not from the environment. */
  isSecretKept: boolean
  /** The next secret, for the command that rotates it; absent: the command generates one. */
  newSecret: string | undefined
  /** Encrypts the archives of `npm run backup`; absent: they are not encrypted. */
  backupPassphrase: string | undefined
  /** Location of backups: an absolute folder, or `s3://bucket[/prefix][?region=&endpoint=]`. */
  backupTo: string
  /** Makes a backup before an update changes the database. */
  updateCopy: boolean
  /** Address of the virus scanner, `unix:/run/clamav/clamd.ctl` or `host:3310`; absent: files are not scanned. */
  clamd: string | undefined
  /** Copy of the sealed access journal: `syslog://host:514` or a file; absent: none. */
  journalTo: string | undefined
  /** Hosts of browser push services; push is sent only to these. `*.` before a name: all its subdomains. */
  pushHosts: string[]
  /** True when `/docs` and `/openapi.json` are public. */
  apiDocs: boolean
  /** Creates the demo clinic in an empty database. */
  demo: boolean
  /** Gives the demo clinic two years of history, in the background. */
  demoYears: boolean
  /**
   * A training clinic (areas/training): a demo clinic in a schema of its own, started by the clinic's server below the
   * path `/training`, without anything outside.
   */
  training: boolean
  /** The training clinic begins with the demo data; without them it is empty. */
  trainingDemo: boolean
  /** A real clinic starts with ready-made document templates, lists and units. */
  ready: boolean
  logLevel: LogLevel
  /** Absent: no mail is sent. */
  smtpUrl: string | undefined
  /** Sender of mail; set whenever `smtpUrl` is. */
  mailFrom: string | undefined
  /** The SMS gateway, without a trailing slash; absent: none is sent. */
  /** The API of МДЛП, when the clinic's settings name none. */
  mdlpUrl: string | undefined
  smsUrl: string | undefined
  /** The clinic's own language model, `…/v1` of the OpenAI protocol; absent: none is used. */
  llmUrl: string | undefined
  /** The clinic's own speech recognition, in the same form. */
  asrUrl: string | undefined
  /** APIs of SMS providers, without a trailing slash. */
  smscUrl: string
  smsruUrl: string
  smsaeroUrl: string
  /** APIs of ЮKassa and АТОЛ Онлайн, without a trailing slash. */
  yookassaUrl: string
  atolOnlineUrl: string
  /** APIs of Mango Office and Zadarma, without a trailing slash. */
  mangoUrl: string
  zadarmaUrl: string
  /** API of Яндекс Метрика. */
  metrikaUrl: string
  /** APIs of sellers of free times: МедФлекс (ПроДокторов), НаПоправку, confirmations of Яндекс; without a trailing slash. */
  medflexUrl: string
  napopravkuUrl: string
  yandexOrdersUrl: string
  /** API of Telegram bots, without a trailing slash. */
  telegramUrl: string
  /** API of ВКонтакте communities, without a trailing slash. */
  vkUrl: string
  /** API of MAX bots, without a trailing slash. */
  maxUrl: string
  /** Cloud API of WhatsApp with its version, without a trailing slash. */
  whatsappUrl: string
  /** The simulator of ЕГИСЗ, without a trailing slash: used only in simulator mode. */
  egiszUrl: string
  /** Addresses of cash registers that the server may connect to in its own network. */
  deviceAddresses: string[]
  /** Networks of analysers that the server may connect to in its own network. */
  analyserNetworks: string[]
  /** Folder with a folder for each partner laboratory that exchanges files. */
  partnerFolders: string
  /** The telephone exchange, `ami://user:secret@host:5038`; absent: no telephony. */
  amiUrl: string | undefined
  /** Services of the Social Fund (sick leaves, search for a СНИЛС) and of ТФОМС. */
  elnUrl: string | undefined
  snilsUrl: string | undefined
  tfomsUrl: string | undefined
  /** The call journal of the telephone exchange. */
  cdrUrl: string | undefined
  /** Addresses of proxies whose X-Forwarded-For is trusted. */
  trustProxy: string[]
  /** Ignores the clinic's own list of addresses allowed to sign in: the recovery from a lock-out. */
  anyAddress: boolean
  /** Megabytes of files that one person may upload in a day. */
  uploadMbPerDay: number
}

const ROLES = ['all', 'web', 'jobs'] as const
export type Role = (typeof ROLES)[number]

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const
export type LogLevel = (typeof LOG_LEVELS)[number]

/** Aborts the start and shows `message`, a Russian sentence. */
export class ConfigError extends Error {
  override name = 'ConfigError'
}

/** PostgreSQL allows addresses without a host (`postgresql://user@/base?host=/socket`), which `URL` rejects. */
const parseUrl = (value: string): URL | null => URL.parse(value.replace('@/', '@localhost/'))

const url = (name: string, protocols: string[]) =>
  z
    .string()
    .refine(
      (value) => protocols.includes(parseUrl(value)?.protocol ?? ''),
      `${name}: нужен адрес вида ${protocols.map((p) => `${p}//…`).join(' или ')}`,
    )

/** Removes trailing slashes. */
const bare = (address: string): string => address.replace(/\/+$/, '')

const listed = (text: string): string[] =>
  text
    .split(',')
    .map((item) => item.trim())
    .filter(Boolean)

/** An address, a network, or a name that proxy-addr knows. */
const isProxy = (text: string): boolean => ['loopback', 'linklocal', 'uniquelocal'].includes(text) || isNetwork(text)

/** An address, or a network `10.0.0.0/8`. */
function isNetwork(text: string): boolean {
  const [address = '', bits, more] = text.split('/')
  const version = isIP(address)
  if (version === 0 || more !== undefined) return false
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128))
}

/** For an S3 store other than Amazon's. */
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
  REPLICA_URL: url('REPLICA_URL', ['postgres:', 'postgresql:']).optional(),
  ROLE: z.enum(ROLES, 'ROLE: нужно all, web или jobs').default('all'),
  DB_CONNECTIONS: z
    .string()
    .regex(/^\d{1,4}$/, 'DB_CONNECTIONS: нужно целое число соединений, например 40')
    .transform(Number)
    .refine((count) => count >= LEAST_CONNECTIONS, `DB_CONNECTIONS: нужно не меньше ${LEAST_CONNECTIONS} соединений`)
    .optional(),
  METRICS_TOKEN: z.string().min(16, 'METRICS_TOKEN: нужно не меньше 16 знаков').optional(),
  OTEL_EXPORTER_OTLP_ENDPOINT: url('OTEL_EXPORTER_OTLP_ENDPOINT', ['http:', 'https:']).optional(),
  OTEL_TRACES_SAMPLER_ARG: z.coerce
    .number('OTEL_TRACES_SAMPLER_ARG: нужна доля от 0 до 1')
    .min(0, 'OTEL_TRACES_SAMPLER_ARG: нужна доля от 0 до 1')
    .max(1, 'OTEL_TRACES_SAMPLER_ARG: нужна доля от 0 до 1')
    .default(0.01),
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
  TRAINING: z.enum(['0', '1'], 'TRAINING: нужно 0 или 1').default('0'),
  TRAINING_DEMO: z.enum(['0', '1'], 'TRAINING_DEMO: нужно 0 или 1').default('1'),
  READY: z.enum(['0', '1'], 'READY: нужно 0 или 1').default('1'),
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
  MEDFLEX_URL: url('MEDFLEX_URL', ['http:', 'https:']).default('https://api.prodoctorov.ru'),
  NAPOPRAVKU_URL: url('NAPOPRAVKU_URL', ['http:', 'https:']).default('https://rta-api.napopravku.ru/api/v1'),
  YANDEX_ORDERS_URL: url('YANDEX_ORDERS_URL', ['http:', 'https:']).default('https://yandex.ru/medicine-api/orders'),
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
  ANALYSER_NETWORKS: z
    .string()
    .refine(
      (text) => listed(text).every(isNetwork),
      'ANALYSER_NETWORKS: нужны адреса или подсети анализаторов через запятую, например 192.168.10.0/24',
    )
    .default(''),
  PARTNER_FOLDERS: z.string().optional(),
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
  if (set.REPLICA_URL && !set.DATABASE_URL)
    throw new ConfigError(
      'Неверные настройки. DATABASE_URL: нужен адрес основной базы, раз задана её реплика REPLICA_URL.',
    )
  const demo = set.DEMO === '1'
  const host = set.HOST ?? (demo ? '127.0.0.1' : '0.0.0.0')
  const dataDir = resolve(set.DATA_DIR)
  makeDataDir(dataDir)
  return {
    port: set.PORT,
    host,
    databaseUrl: set.DATABASE_URL,
    replicaUrl: set.REPLICA_URL,
    role: set.ROLE,
    connections: set.DB_CONNECTIONS,
    metricsToken: set.METRICS_TOKEN,
    traces: set.OTEL_EXPORTER_OTLP_ENDPOINT
      ? { endpoint: set.OTEL_EXPORTER_OTLP_ENDPOINT, share: set.OTEL_TRACES_SAMPLER_ARG }
      : undefined,
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
    updateCopy: set.UPDATE_COPY === '1',
    clamd: set.CLAMD,
    journalTo: set.JOURNAL_TO,
    pushHosts: listed(set.PUSH_HOSTS),
    apiDocs: set.API_DOCS === '1',
    demo,
    training: set.TRAINING === '1',
    trainingDemo: set.TRAINING_DEMO === '1',
    demoYears: demo && set.DEMO_YEARS === '1',
    ready: !demo && set.READY === '1',
    logLevel: set.LOG_LEVEL ?? (demo ? 'warn' : 'info'),
    smtpUrl: set.SMTP_URL,
    mailFrom: set.MAIL_FROM,
    mdlpUrl: set.MDLP_URL?.replace(/\/+$/, ''),
    smsUrl: set.SMS_URL?.replace(/\/+$/, ''),
    llmUrl: set.LLM_URL?.replace(/\/+$/, ''),
    asrUrl: set.ASR_URL?.replace(/\/+$/, ''),
    metrikaUrl: set.METRIKA_URL.replace(/\/+$/, ''),
    medflexUrl: bare(set.MEDFLEX_URL),
    napopravkuUrl: bare(set.NAPOPRAVKU_URL),
    yandexOrdersUrl: bare(set.YANDEX_ORDERS_URL),
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
    analyserNetworks: listed(set.ANALYSER_NETWORKS),
    partnerFolders: resolve(set.PARTNER_FOLDERS ?? join(dataDir, 'partners')),
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

/** Restricts the file to its owner if others may read it; on a read-only mount it must be so already. */
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

/** `wx` lets only one of several processes starting at once create the secret; the others read it. */
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
