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
const TOLD_MS = 1_000

const tell = (news: CopyNews) => new Promise<void>((sent) => process.send?.(news, () => sent()) ?? sent())

process.once('message', async ({ what, config, path }: CopyOrder) => {
  const log = createLog('warn')
  try {
    if (what === 'trial') await tell({ restored: await restore(config, log, path) })
    else {
      let last = 0
      const made = await backup(config, log, path, (share) => {
        if (Date.now() - last < TOLD_MS) return
        last = Date.now()
        void tell({ share })
      })
      await tell({ made })
    }
  } catch (error) {
    const known = error instanceof ConfigError || error instanceof PostgresError
    await tell({ failed: known ? (error as Error).message : reasonOf(error) })
  }
  process.disconnect?.()
})

function reasonOf(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException
  if (code === 'ENOSPC') return 'На диске кончилось место.'
  if (code === 'EACCES' || code === 'EPERM') return 'Нет права писать в папку копий.'
  return message
}
