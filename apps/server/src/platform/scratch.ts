import { mkdir, mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'

/** Files older than this are not in use: a request takes five minutes at most, a job less than half an hour. */
const LEFT_MS = 3_600_000

/** Temporary files, in the clinic's data folder and not in the system's temporary folder, which may be small. */
export interface Scratch {
  /** Runs with an empty folder, which is removed afterwards in any case. */
  use<T>(run: (folder: string) => Promise<T>): Promise<T>
  /** Removes files left by killed servers. */
  sweep(): Promise<void>
}

/** @param root created when needed; other servers may use it too */
export function createScratch(root: string): Scratch {
  let swept = 0
  const scratch: Scratch = {
    async use(run) {
      // Not a job: each machine has its own folder.
      if (Date.now() - swept > LEFT_MS) await scratch.sweep()
      await mkdir(root, { recursive: true, mode: 0o700 })
      const folder = await mkdtemp(join(root, 'work-'))
      try {
        return await run(folder)
      } finally {
        await rm(folder, { recursive: true, force: true })
      }
    },
    async sweep() {
      swept = Date.now()
      await sweepFolder(root)
    },
  }
  return scratch
}

/** Removes entries of a folder that were not modified for an hour. A missing folder is fine. */
export async function sweepFolder(root: string): Promise<void> {
  const names = await readdir(root).catch(() => [])
  for (const name of names) {
    const path = join(root, name)
    const there = await stat(path).catch(() => undefined)
    if (there && Date.now() - there.mtimeMs > LEFT_MS) await rm(path, { recursive: true, force: true }).catch(() => {})
  }
}
