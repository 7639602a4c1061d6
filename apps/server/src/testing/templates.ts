/** Location of the test server's data, and the databases that tests clone. Used by the browser tests' server too. */
import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, realpathSync, statfsSync } from 'node:fs'
import { join } from 'node:path'
import { migrationsHash } from '#platform/migrate.ts'

const ROOT = join(import.meta.dirname, '../../../..')
export const CACHE = join(ROOT, '.cache')
/** Decrypts the secrets stored in the demo template. */
export const SECRET = 'a secret of the tests, long enough for everyone'

const MEMORY = '/dev/shm'
const TMPFS = 0x01021994
const GB = 1024 ** 3
/** Maximum free bytes of the memory file system and of memory that a run needs. */
const MEMORY_NEEDED = 4 * GB

/**
 * Folder of the test server: in memory if Linux has room. A clone is 2,500 files, and a run creates and deletes half a
 * million: a disk takes up to two seconds of CPU for one clone, memory a twentieth of that.
 */
export function postgresDir(): string {
  const onDisk = join(CACHE, 'test-pg')
  try {
    const { type, bavail, bsize } = statfsSync(MEMORY)
    if (type !== TMPFS || Math.min(bavail * bsize, process.availableMemory()) < MEMORY_NEEDED) return onDisk
    const checkout = createHash('sha256')
      .update(realpathSync(import.meta.dirname))
      .digest('hex')
      .slice(0, 12)
    const dir = join(MEMORY, `ordinator-${process.getuid?.()}-${checkout}`)
    mkdirSync(dir, { recursive: true })
    return dir
  } catch {
    return onDisk
  }
}

/** The migrated, empty database of the current migrations. */
export const templateName = async (): Promise<string> => `template_${(await migrationsHash()).slice(0, 16)}`

/** The demo clinic of the current sources. */
export const demoTemplateName = (template: string): string => `template_demo_${sourcesHash()}_${template.slice(-8)}`

/** The data folder of the demo clinic, named like its database. */
export const demoFiles = (name: string): string => join(CACHE, 'test-files', name)

const SOURCES = ['apps/server/src', 'packages/model/src'].map((path) => join(ROOT, path))

/** By content: checking out the same files again must not create another clinic. */
function sourcesHash(): string {
  const hash = createHash('sha256')
  for (const root of SOURCES) {
    for (const file of readdirSync(root, { recursive: true, encoding: 'utf8' }).sort()) {
      if (!/\.(ts|sql|json)$/.test(file) || /\.test\.ts$|(^|\/)testing\//.test(file)) continue
      hash.update(`${file}\n`).update(readFileSync(join(root, file)))
    }
  }
  return hash.digest('hex').slice(0, 12)
}
