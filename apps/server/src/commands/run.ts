/** `npm run backup|restore|admin`: what is done with the data of a clinic from the terminal. */
import { formatFileSize } from '@ordinator/model/format'
import { ConfigError, readConfig } from '../platform/config.ts'
import { createDb } from '../platform/db.ts'
import { createLog } from '../platform/log.ts'
import { PostgresError } from '../platform/postgres/error.ts'
import { startPostgres } from '../platform/postgres/postgres.ts'
import { newPassword } from './admin.ts'
import { backup } from './backup.ts'
import { restore } from './restore.ts'

const config = readConfig(process.env)
const log = createLog('warn')

const commands: Record<string, (argument: string | undefined) => Promise<string>> = {
  async backup(path) {
    const { bytes, files } = await backup(config, log, named(path, 'backup'))
    return `Готово: ${path}, ${formatFileSize(bytes)}, файлов клиники: ${files}. Храните архив как саму базу: в нём данные пациентов и ключ подписи.`
  },
  async restore(path) {
    const { date, files, missing } = await restore(config, log, named(path, 'restore'))
    const lost = missing > 0 ? ` Не нашлось файлов, о которых знает база: ${missing}.` : ''
    return `Восстановлено в ${config.dataDir} по копии от ${date}. Файлов клиники: ${files}.${lost}`
  },
  async admin(login = 'admin') {
    const postgres = config.databaseUrl ? undefined : await startPostgres(config.dataDir)
    const db = createDb({ url: config.databaseUrl ?? postgres?.url ?? '', log, max: 1 })
    try {
      return `Новый пароль сотрудника ${login}: ${await newPassword(db, login)} (показан один раз, при входе его надо сменить)`
    } finally {
      await db.end()
      await postgres?.stop()
    }
  },
}

function named(path: string | undefined, command: string): string {
  if (path) return path
  throw new ConfigError(`Назовите файл: npm run ${command} ordinator.tar.gz`)
}

const [name = '', argument] = process.argv.slice(2)
try {
  const command = commands[name]
  if (!command) throw new ConfigError(`Нет такой команды: ${name}. Есть: ${Object.keys(commands).join(', ')}.`)
  console.log(await command(argument))
} catch (error) {
  console.error(error instanceof ConfigError || error instanceof PostgresError ? error.message : error)
  process.exitCode = 1
}
