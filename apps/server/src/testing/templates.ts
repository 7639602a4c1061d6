/** Location of the test server's data, and the databases that tests clone. Used by the browser tests' server too. */
import { createHash } from 'node:crypto'
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statfsSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { migrationsHash } from '#platform/migrate.ts'
import { isServerOf } from '#platform/postgres/processes.ts'
import { pidFile } from '#platform/postgres/server.ts'

const ROOT = join(import.meta.dirname, '../../../..')
export const CACHE = join(ROOT, '.cache')
/** Decrypts the secrets stored in the demo template. */
export const SECRET = 'a secret of the tests, long enough for everyone'

const MEMORY = '/dev/shm'
const TMPFS = 0x01021994
const GB = 1024 ** 3
/** Maximum free bytes of the memory file system and of memory that a run needs. */
const MEMORY_NEEDED = 4 * GB
/** In a folder of a test server: the checkout it belongs to. */
const OWNER = 'checkout'

/**
 * Folder of the test server: in memory if Linux has room. A clone is 2,500 files, and a run creates and deletes half a
 * million: a disk takes up to two seconds of CPU for one clone, memory a twentieth of that.
 */
export function postgresDir(): string {
  const onDisk = join(CACHE, 'test-pg')
  try {
    const { type, bavail, bsize } = statfsSync(MEMORY)
    if (type !== TMPFS || Math.min(bavail * bsize, process.availableMemory()) < MEMORY_NEEDED) return onDisk
    const checkout = realpathSync(import.meta.dirname)
    const prefix = `ordinator-${process.getuid?.()}-`
    removeAbandoned(MEMORY, prefix)
    const dir = join(MEMORY, prefix + createHash('sha256').update(checkout).digest('hex').slice(0, 12))
    mkdirSync(dir, { recursive: true })
    writeFileSync(join(dir, OWNER), checkout)
    return dir
  } catch {
    return onDisk
  }
}

/** Removes the folders of checkouts that are gone: each takes up to a gigabyte of memory. A running server keeps its own. */
export function removeAbandoned(memory: string, prefix: string): void {
  for (const name of readdirSync(memory).filter((one) => one.startsWith(prefix))) {
    const dir = join(memory, name)
    const owner = join(dir, OWNER)
    if (!existsSync(owner) || existsSync(readFileSync(owner, 'utf8'))) continue
    const data = join(dir, 'pg')
    const running = pidFile(data)
    if (!running || !isServerOf(running.pid, data)) rmSync(dir, { recursive: true, force: true })
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
