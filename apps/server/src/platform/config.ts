/** All settings of the server, from the environment. Nothing else reads `process.env`. */
import { randomBytes } from 'node:crypto'
import { chmodSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { type LogLevel, listed, type Role, schema } from './configSchema.ts'

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
  /** The OpenTelemetry collector that gets a share of the requests and jobs; absent: none is traced. */
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

/** Aborts the start and shows `message`, a Russian sentence. */
export class ConfigError extends Error {
  override name = 'ConfigError'
}

/** Removes trailing slashes. */
const bare = (address: string): string => address.replace(/\/+$/, '')

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
