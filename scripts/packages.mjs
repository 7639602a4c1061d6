/** Packages of the lock file with their licences, for the SBOM and the licence check. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('..', import.meta.url))

/** SPDX of a package.json; older ones have an object or a list. */
const licenceOf = ({ license, licenses }) =>
  typeof license === 'string'
    ? license
    : (license?.type ?? (Array.isArray(licenses) ? licenses.map(({ type }) => type).join(' OR ') : undefined))

/**
 * @returns {{ name: string, version: string, licence: string | undefined, integrity: string | undefined, isDev: boolean,
 *   isOptional: boolean }[]} by name and version; one of another system, which is not installed, has the lock's licence
 */
export function packagesOf() {
  const { packages } = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8'))
  const found = new Map()
  for (const [path, entry] of Object.entries(packages)) {
    if (!path.includes('node_modules/') || entry.link) continue
    const name = entry.name ?? path.slice(path.lastIndexOf('node_modules/') + 13)
    const manifest = join(ROOT, path, 'package.json')
    const own = existsSync(manifest) ? JSON.parse(readFileSync(manifest, 'utf8')) : {}
    const key = `${name}@${entry.version}`
    const before = found.get(key)
    found.set(key, {
      name,
      version: entry.version,
      licence: licenceOf(own) ?? entry.license,
      integrity: entry.integrity,
      isDev: Boolean(entry.dev) && (before?.isDev ?? true),
      isOptional: Boolean(entry.optional),
    })
  }
  return [...found.values()].sort((a, b) => `${a.name}@${a.version}`.localeCompare(`${b.name}@${b.version}`, 'en'))
}
