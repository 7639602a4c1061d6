/** The copy that a start makes before an update changes the base. */
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { counted, formatFileSize } from '@ordinator/model/format'
import { folderOf } from '#areas/upkeep/index.ts'
import { backup } from '#commands/backup.ts'
import type { Config } from '#platform/config.ts'
import type { Db } from '#platform/db.ts'
import { isDemoClinic } from '#platform/demoClinic.ts'
import type { Logger } from '#platform/log.ts'
import { MIGRATIONS, pendingMigrations } from '#platform/migrate.ts'
import { StartError } from '#platform/startErrors.ts'

interface UpdateContext {
  db: Db
  /** Prints a line about the progress of the start. */
  say(line: string): void
}

/**
 * Makes a copy where the start is about to change a base that holds something; the demo clinic's holds nothing.
 * @returns the path of the archive; undefined: nothing is about to change
 * @throws StartError in words where it cannot be made: the base stays as it is
 */
export async function copyBeforeUpdate(
  config: Config,
  log: Logger,
  { db, say }: UpdateContext,
  dir = MIGRATIONS,
): Promise<string | undefined> {
  if (!config.updateCopy) return undefined
  const pending = await pendingMigrations(db, dir)
  if (!pending?.length || (await isDemoClinic(db))) return undefined
  say(
    `Обновление меняет базу данных: ${counted(pending.length, ['изменение', 'изменения', 'изменений'])}. Сначала делаем резервную копию…`,
  )
  const moment = new Date().toISOString().slice(0, 19).replace(/[-:]/g, '')
  const path = join(folderOf(config), `ordinator-${moment}Z-update.tar.gz`)
  try {
    await mkdir(folderOf(config), { recursive: true, mode: 0o700 })
    const { bytes } = await backup(config, log, path)
    say(`Копия перед обновлением: ${path}, ${formatFileSize(bytes)}`)
    return path
  } catch (error) {
    await rm(path, { force: true }).catch(() => undefined)
    throw new StartError(
      `Копия перед обновлением не сделана: ${(error as Error).message} База не изменилась. Освободите место или задайте другую папку (BACKUP_TO); обновить без копии — UPDATE_COPY=0.`,
    )
  }
}

/** What to do when the update has stopped. */
export const wayBack = (path: string): string =>
  `Вернуться к тому, что было: поставьте прежнюю версию программы и выполните DATA_DIR=/новая/папка npm run restore ${path}`
