import type { Area } from '#records/area.ts'
import {
  backupFile,
  backupRecords,
  backupsState,
  cancelBackup,
  makeBackup,
  startBackups,
  tryBackup,
} from './backups.ts'
import { health } from './health.ts'

export { folderOf } from './copies.ts'

/** Copies of the clinic, and how its server is. */
export const upkeep: Area = {
  name: 'upkeep',
  title: 'Обслуживание',
  records: [backupRecords],
  operations: [backupsState, makeBackup, cancelBackup, tryBackup, backupFile, health],
  start: startBackups,
}
