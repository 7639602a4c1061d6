/** `npm run backup|restore|admin|months|rotate-secret`: maintenance commands for the terminal. */
import { formatFileSize } from '@ordinator/model/format'
import { ConfigError, readConfig } from '#platform/config.ts'
import { createDb, type Db } from '#platform/db.ts'
import { createLog } from '#platform/log.ts'
import { PostgresError } from '#platform/postgres/error.ts'
import { startPostgres } from '#platform/postgres/postgres.ts'
import { checkJournal } from '#records/journalSeals.ts'
import { newPassword } from './admin.ts'
import { backup } from './backup.ts'
import { bringBack, putAside, readMonths } from './months.ts'
import { restore } from './restore.ts'
import { rotateSecret } from './rotate.ts'

const config = readConfig(process.env)
const log = createLog('warn')

const commands: Record<string, (argument: string | undefined, ...more: string[]) => Promise<string>> = {
  async backup(path) {
    const { bytes, files } = await backup(config, log, named(path, 'backup'))
    return `Готово: ${path}, ${formatFileSize(bytes)}, файлов клиники: ${files}. ${config.backupPassphrase ? 'Архив зашифрован: без BACKUP_PASSPHRASE его не открыть.' : 'Архив не зашифрован (см. BACKUP_PASSPHRASE): храните его как саму базу, в нём данные пациентов и ключ подписи.'}`
  },
  async restore(path) {
    const { date, files, missing, rows } = await restore(config, log, named(path, 'restore'))
    const lost = missing > 0 ? ` Не нашлось файлов, о которых знает база: ${missing}.` : ''
    return `Восстановлено в ${config.dataDir} по копии от ${date}. Записей: ${rows}, файлов клиники: ${files}.${lost}`
  },
  async admin(login = 'admin') {
    return onBase(
      async (db) =>
        `Новый пароль сотрудника ${login}: ${await newPassword(db, login)} (показан один раз, при входе его надо сменить)`,
    )
  },
  'journal-check': () =>
    onBase(async (db) => {
      const { seals, lines, broken, detached, hash } = await checkJournal(db)
      if (broken)
        throw new ConfigError(
          `Журнал доступа изменён: не сходится печать строк с ${broken.fromId} по ${broken.toId} (до неё целы: ${seals}).`,
        )
      const gone = detached > 0 ? ` Отсоединённых печатей: ${detached}.` : ''
      return `Журнал доступа цел: печатей ${seals}, строк ${lines}.${gone} Последняя печать: ${hash ?? 'нет'}`
    }),
  months: (act, parent = '', month = '') =>
    onBase(async (db) => {
      if (act === 'detach') await putAside(db, parent, month)
      else if (act === 'attach') await bringBack(db, parent, month)
      else if (act !== undefined)
        throw new ConfigError('Есть: npm run months, … -- detach history 2025-01, … -- attach history 2025-01.')
      const lines = (await readMonths(db)).map(
        ({ parent: of, month: at, isAside, bytes }) =>
          `${of} ${at}  ${formatFileSize(bytes)}${isAside ? '  отсоединён, схема archive' : ''}`,
      )
      return lines.join('\n')
    }),
  'rotate-secret': () =>
    onBase(async (db) => {
      const { changed, closed } = await rotateSecret(config, db)
      const left = closed > 0 ? ` Не открылись прежним SECRET: ${closed}, их надо вписать заново.` : ''
      const then = config.isSecretKept
        ? 'Новый SECRET лежит в папке данных:'
        : 'Теперь задайте SECRET равным NEW_SECRET'
      return `Перешифровано ключей внешних систем: ${changed}.${left} ${then} перезапустите сервер.`
    }),
}

async function onBase(run: (db: Db) => Promise<string>): Promise<string> {
  const postgres = config.databaseUrl ? undefined : await startPostgres(config.dataDir)
  const db = createDb({ url: config.databaseUrl ?? postgres?.url ?? '', log, secret: config.secret, max: 1 })
  try {
    return await run(db)
  } finally {
    await db.end()
    await postgres?.stop()
  }
}

function named(path: string | undefined, command: string): string {
  if (path) return path
  throw new ConfigError(`Назовите файл: npm run ${command} ordinator.tar.gz`)
}

const [name = '', argument, ...more] = process.argv.slice(2)
try {
  const command = commands[name]
  if (!command) throw new ConfigError(`Нет такой команды: ${name}. Есть: ${Object.keys(commands).join(', ')}.`)
  console.log(await command(argument, ...more))
} catch (error) {
  console.error(error instanceof ConfigError || error instanceof PostgresError ? error.message : error)
  process.exitCode = 1
}
