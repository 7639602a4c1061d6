import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import type { Plugin } from 'vite'

const FOLDER = join(import.meta.dirname, '../../.cache')
const area = /(?:packages\/model|apps\/web)\/src\/areas\/([^/]+)\//

/**
 * Writes `.cache/shell.json` with each build: gzipped bytes of the shell, and those of each area in it without its briefs.
 * `e2e/shell.e2e.ts` checks their limits.
 */
export function shellSizes(): Plugin {
  return {
    name: 'ordinator:shell-sizes',
    apply: 'build',
    generateBundle: (_, bundle) => {
      const chunks = Object.values(bundle).filter((file) => file.type === 'chunk')
      const shell = chunks.find(({ name }) => name === 'shell')
      if (!shell) return
      const areas = new Map<string, string>()
      for (const [id, { code }] of Object.entries(shell.modules)) {
        const name = area.exec(id)?.[1]
        if (name) areas.set(name, (areas.get(name) ?? '') + (code ?? ''))
      }
      const sizes = Object.fromEntries([...areas].map(([name, code]) => [name, gzipSync(code).length]))
      mkdirSync(FOLDER, { recursive: true })
      writeFileSync(join(FOLDER, 'shell.json'), JSON.stringify({ shell: gzipSync(shell.code).length, areas: sizes }))
    },
  }
}
