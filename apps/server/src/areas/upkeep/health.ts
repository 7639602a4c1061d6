/** «Состояние системы»: health checks with instructions, in words for clinic managers. */
import { CERTIFICATE_DAYS } from '@ordinator/model/areas/exchange/integration'
import { upkeepCalls } from '@ordinator/model/areas/upkeep/calls'
import type { HealthGroup, HealthState, healthPages } from '@ordinator/model/areas/upkeep/health'
import { counted, formatDate, formatFileSize, formatFromNow } from '@ordinator/model/format'
import sql, { raw } from 'sql-template-tag'
import { adaptersOf, healthOf } from '#areas/exchange/index.ts'
import type { Adapter } from '#platform/adapter.ts'
import { jobsSchema } from '#platform/jobs.ts'
import type { ReplicaHealth, ReplicaState } from '#platform/replica.ts'
import { VERSION } from '#platform/version.ts'
import type { AppContext } from '#records/context.ts'
import { operation } from '#records/operation.ts'
import { stateOf } from './backups.ts'
import { freeBytes } from './copies.ts'

interface Item {
  key: string
  group: HealthGroup
  title: string
  state: HealthState
  words: string
  todo: string | null
  page: (typeof healthPages)[number] | null
}

const GB = 1024 ** 3
/** Free disk space for a warning, and for an error. */
const [LITTLE, NONE] = [10 * GB, 2 * GB]
/** Milliseconds in which a healthy database answers the simplest query. */
const QUICK_MS = 500
const DAY_MS = 86_400_000

export const health = operation(upkeepCalls.health, async ({ app, actor }) => {
  const [own, outside] = await Promise.all([
    Promise.all([versionItem(), diskItem(app), baseItem(app), serversItem(app), backupsItem(app), jobsItem(app)]),
    adaptersOf(app).then((all) => Promise.all(all.map((one) => adapterItem(app, one, actor.timeZone)))),
  ])
  return { items: [...own, ...replicaItems(app), ...outside] }
})

function versionItem(): Item {
  const words = `Версия ${VERSION}`
  return { key: 'version', group: 'server', title: 'Программа', state: 'good', words, todo: null, page: null }
}

async function diskItem({ config }: AppContext): Promise<Item> {
  const free = await freeBytes(config.dataDir)
  const line = { key: 'disk', group: 'server', title: 'Место на диске', page: null } as const
  if (free === undefined)
    return {
      ...line,
      state: 'warn',
      words: 'Сколько места свободно, узнать не удалось',
      todo: 'Спросите того, кто обслуживает сервер',
    }
  const words = `Свободно ${formatFileSize(free)}`
  if (free > LITTLE) return { ...line, state: 'good', words, todo: null }
  return {
    ...line,
    state: free > NONE ? 'warn' : 'bad',
    words,
    todo: 'Попросите того, кто обслуживает сервер, освободить место или добавить диск: когда оно кончится, записать будет ничего нельзя',
  }
}

async function baseItem({ db }: AppContext): Promise<Item> {
  const start = performance.now()
  const row = await db.one<{ size: number }>(sql`select pg_database_size(current_database())::float8 as size`)
  const ms = performance.now() - start
  const words = `Отвечает за ${Math.round(ms)} мс, занимает ${formatFileSize(row?.size)}`
  const isSlow = ms > QUICK_MS
  return {
    ...{ key: 'base', group: 'server', title: 'База данных', state: isSlow ? 'warn' : 'good', words, page: null },
    todo: isSlow ? 'Если так дольше часа, попросите того, кто обслуживает сервер, проверить нагрузку' : null,
  }
}

/** Server processes: whether a process takes the jobs, and whether the database has connections for all of them. */
async function serversItem({ db }: Pick<AppContext, 'db'>): Promise<Item> {
  const row = await db.one<{ servers: number; works: number; wanted: number; offered: number }>(sql`
    select count(*)::int as servers, count(*) filter (where "role" <> 'web')::int as works,
      coalesce(sum("connections"), 0)::int as wanted,
      current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int as offered
    from server_lives`)
  const { servers = 0, works = 0, wanted = 0, offered = 0 } = row ?? {}
  const line = { key: 'servers', group: 'server', title: 'Серверы программы', page: null } as const
  const words = `${counted(servers, ['сервер', 'сервера', 'серверов'])}, соединений с базой до ${wanted} из ${offered}`
  if (works === 0 && servers > 0)
    return {
      ...line,
      state: 'bad',
      words: `${words}; фоновые задания никто не выполняет`,
      todo: 'Попросите того, кто обслуживает сервер, запустить ещё один с ROLE=jobs',
    }
  if (wanted > offered)
    return {
      ...line,
      state: 'warn',
      words,
      todo: 'Попросите того, кто обслуживает сервер, увеличить max_connections базы или задать DB_CONNECTIONS поменьше',
    }
  return { ...line, state: 'good', words, todo: null }
}

const behindWords = ({ seconds, bytes }: ReplicaHealth) =>
  `отстаёт на ${Math.round(seconds)} с, ${formatFileSize(bytes)}`

const replicaWords: Readonly<
  Record<Exclude<ReplicaState, 'ok'>, (found: ReplicaHealth) => [words: string, todo: string]>
> = {
  behind: (found) => [
    `Реплика ${behindWords(found)}`,
    'Если так дольше часа, попросите того, кто обслуживает сервер, проверить нагрузку реплики и связь с ней',
  ],
  away: () => ['Реплика недоступна', 'Попросите того, кто обслуживает сервер, проверить реплику (REPLICA_URL)'],
  promoted: () => [
    'Реплика повышена: это больше не реплика',
    'Попросите того, кто обслуживает сервер, сделать новую реплику или убрать REPLICA_URL',
  ],
  foreign: () => ['REPLICA_URL ведёт в другую базу', 'Попросите того, кто обслуживает сервер, исправить REPLICA_URL'],
}

/** The replica as this process sees it; nothing without one. */
function replicaItems({ db }: Pick<AppContext, 'db'>): Item[] {
  const found = db.replica?.health()
  if (!found) return []
  const line = { key: 'replica', group: 'server', title: 'Реплика базы', page: null } as const
  if (found.state === 'ok') {
    const words = `В порядке. Чтений с неё ${found.served}, с основной базы вместо неё ${found.returned}`
    return [{ ...line, state: 'good', words, todo: null }]
  }
  const [words, todo] = replicaWords[found.state](found)
  const state = found.state === 'foreign' ? 'bad' : 'warn'
  return [{ ...line, state, words: `${words}. Отчёты, поиск и выгрузки читаются с основной базы`, todo }]
}

async function backupsItem(app: AppContext): Promise<Item> {
  const { refusal, alert, last, isSameDisk, passphrase } = await stateOf(app)
  const line = { key: 'backups', group: 'backups', title: 'Резервные копии', page: 'backups' } as const
  if (refusal) return { ...line, state: 'off', words: refusal, todo: null }
  const words = last ? `Последняя удачная — ${formatFromNow(last.date)}, ${formatFileSize(last.size)}` : 'Копий ещё нет'
  if (alert)
    return { ...line, state: 'bad', words: alert, todo: 'Сделайте копию сейчас и посмотрите, почему не вышла ночная' }
  if (!last) return { ...line, state: 'warn', words, todo: 'Сделайте первую копию' }
  const todo = isSameDisk
    ? 'Копии лежат на одном диске с базой и погибнут вместе с ним: попросите вынести их на другой диск или в S3 (BACKUP_TO)'
    : passphrase === null
      ? 'Копии не зашифрованы: задайте пароль копий'
      : null
  return { ...line, state: todo ? 'warn' : 'good', words, todo }
}

/** Background jobs that failed finally within a day. */
async function jobsItem({ db }: Pick<AppContext, 'db'>): Promise<Item> {
  const row = await db.one<{ failed: number; names: string[] | null }>(sql`
    select count(*)::int as failed, (array_agg(distinct "name"))[1:5] as names from ${raw(jobsSchema(db.url))}.job
    where "state" = 'failed' and "completed_on" > now() - interval '1 day'`)
  const failed = row?.failed ?? 0
  const line = { key: 'jobs', group: 'jobs', title: 'Фоновые задания', page: null } as const
  if (failed === 0) return { ...line, state: 'good', words: 'За сутки все выполнились', todo: null }
  return {
    ...line,
    state: 'warn',
    words: `За сутки не выполнились: ${counted(failed, ['задание', 'задания', 'заданий'])} (${row?.names?.join(', ')})`,
    todo: 'Если число растёт, передайте эти названия тому, кто обслуживает программу: причина — в журнале сервера',
  }
}

const groups: Readonly<Record<string, HealthGroup>> = {
  sms: 'messages',
  smsBalance: 'messages',
  mail: 'messages',
  ami: 'messages',
  mango: 'messages',
  zadarma: 'messages',
  kkt: 'desk',
  terminal: 'desk',
  agent: 'desk',
}
const groupOf = ({ key, page }: Adapter): HealthGroup =>
  groups[key] ?? groups[key.split('-')[0] as string] ?? (page === 'chatChannels' ? 'messages' : 'exchange')

async function adapterItem(app: AppContext, adapter: Adapter, timeZone: string): Promise<Item> {
  const { key, name: title, mode, setIn, page = null } = adapter
  const line = { key, group: groupOf(adapter), title }
  if (mode === 'off') return { ...line, state: 'off', words: `Не подключено (${setIn})`, todo: null, page }
  const [{ state, error, dateFailing, dateSuccess, dateCertificate }, warnings, waiting] = await Promise.all([
    healthOf(app, adapter),
    adapter.warnings?.() ?? [],
    adapter.queue?.() ?? 0,
  ])
  if (state === 'fails')
    return {
      ...{ ...line, state: 'bad', page: 'integrations' },
      words: `${error ?? 'Не отвечает'}${dateFailing ? `, ${formatFromNow(dateFailing)}` : ''}`,
      todo: `Нажмите «Проверить связь» в «Интеграциях». Не поможет — проверьте ключ и адрес: ${setIn}`,
    }
  const left = dateCertificate ? (Date.parse(dateCertificate) - Date.now()) / DAY_MS : Number.POSITIVE_INFINITY
  if (left < CERTIFICATE_DAYS)
    return {
      ...{ ...line, state: left < 0 ? 'bad' : 'warn', page: 'integrations' },
      words: `Сертификат ${left < 0 ? 'кончился' : 'кончается'} ${formatDate(dateCertificate as string, timeZone)}`,
      todo: 'Скажите об этом тому, чья это система: без нового сертификата связь прервётся',
    }
  const [warning] = warnings
  if (warning)
    return {
      ...line,
      state: 'warn',
      words: warning,
      todo: warnings.length > 1 ? warnings.slice(1).join('. ') : null,
      page: 'integrations',
    }
  const words = [
    dateSuccess ? `Последний успех ${formatFromNow(dateSuccess)}` : 'Ещё не проверялось',
    waiting ? `в очереди ${waiting}` : '',
  ]
  return { ...line, state: dateSuccess ? 'good' : 'unknown', words: words.filter(Boolean).join(', '), todo: null, page }
}
