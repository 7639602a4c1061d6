/**
 * A child process that makes or verifies a backup, so that the server is not blocked: it gets one message (`CopyOrder`),
 * reports progress and the result (`CopyNews`), and exits.
 */
import { type Config, ConfigError } from '#platform/config.ts'
import { createLog } from '#platform/log.ts'
import { PostgresError } from '#platform/postgres/error.ts'
import { backup } from './backup.ts'
import { type Restored, restore } from './restore.ts'

export interface CopyOrder {
  what: 'backup' | 'trial'
  config: Config
  path: string
}

export type CopyNews =
  | { share: number }
  | { made: { bytes: number; files: number } }
  | { restored: Restored }
  /** In Russian. */
  | { failed: string }

/** Interval of progress messages. */
const REPORT_EVERY_MS = 1_000

const report = (news: CopyNews) => new Promise<void>((sent) => process.send?.(news, () => sent()) ?? sent())

process.once('message', async ({ what, config, path }: CopyOrder) => {
  const log = createLog('warn')
  try {
    if (what === 'trial') await report({ restored: await restore(config, log, path) })
    else {
      let last = 0
      const made = await backup(config, log, path, (share) => {
        if (Date.now() - last < REPORT_EVERY_MS) return
        last = Date.now()
        void report({ share })
      })
      await report({ made })
    }
  } catch (error) {
    const known = error instanceof ConfigError || error instanceof PostgresError
    await report({ failed: known ? (error as Error).message : reasonOf(error) })
  }
  process.disconnect?.()
})

function reasonOf(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException
  if (code === 'ENOSPC') return 'На диске кончилось место.'
  if (code === 'EACCES' || code === 'EPERM') return 'Нет права писать в папку копий.'
  return message
}
