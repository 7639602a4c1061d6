import { mkdir, mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'

/** Nothing that is under way is older: a request takes five minutes at most, a job not half an hour. */
const LEFT_MS = 3_600_000

/** Room for files that are on their way, in the clinic's own folder and not in the system's, which may be small. */
export interface Scratch {
  /** Runs with an empty folder, which goes whatever comes of it. */
  use<T>(run: (folder: string) => Promise<T>): Promise<T>
  /** Removes what servers that were killed have left. */
  sweep(): Promise<void>
}

/** @param root made when it is needed; other servers may have theirs there too */
export function createScratch(root: string): Scratch {
  let swept = 0
  const scratch: Scratch = {
    async use(run) {
      // No job: each machine has a folder of its own.
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

/** Removes what lies in a folder and has not been touched for an hour. A folder that is not there is swept. */
export async function sweepFolder(root: string): Promise<void> {
  const names = await readdir(root).catch(() => [])
  for (const name of names) {
    const path = join(root, name)
    const there = await stat(path).catch(() => undefined)
    if (there && Date.now() - there.mtimeMs > LEFT_MS) await rm(path, { recursive: true, force: true }).catch(() => {})
  }
}
