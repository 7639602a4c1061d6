/** Schema of the environment: each setting with its check and its message. */

import { isIP } from 'node:net'
import { z } from 'zod'
import { LEAST_CONNECTIONS } from './laneSizes.ts'

const ROLES = ['all', 'web', 'jobs'] as const
export type Role = (typeof ROLES)[number]

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const
export type LogLevel = (typeof LOG_LEVELS)[number]

/** PostgreSQL allows addresses without a host (`postgresql://user@/base?host=/socket`), which `URL` rejects. */
const parseUrl = (value: string): URL | null => URL.parse(value.replace('@/', '@localhost/'))

const url = (name: string, protocols: string[]) =>
  z
    .string()
    .refine(
      (value) => protocols.includes(parseUrl(value)?.protocol ?? ''),
      `${name}: нужен адрес вида ${protocols.map((p) => `${p}//…`).join(' или ')}`,
    )

export const listed = (text: string): string[] =>
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

export const schema = z.object({
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
