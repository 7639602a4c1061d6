import type { Area } from '#records/area.ts'
import {
  backupFile,
  backupRecords,
  backupsState,
  cancelBackup,
  makeBackup,
  makings,
  startBackups,
  trials,
  tryBackup,
} from './backups.ts'
import { health } from './health.ts'

export { folderOf } from './copies.ts'

/** Backups of the clinic, and the health of its server. */
export const upkeep: Area = {
  name: 'upkeep',
  title: 'Обслуживание',
  records: [backupRecords],
  operations: [backupsState, makeBackup, cancelBackup, tryBackup, backupFile, health],
  runs: [makings, trials],
  start: startBackups,
}
