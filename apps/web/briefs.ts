import { globSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { briefOf } from '@ordinator/model/brief'
import { packBriefs } from '@ordinator/model/briefPack'
import type { Entity } from '@ordinator/model/entity'
import type { Plugin } from 'vite'

const MODULE = 'virtual:briefs'
const AREAS = join(import.meta.dirname, '../../packages/model/src/areas')

/**
 * The module `virtual:briefs`: the briefs of all entities (`briefPack.ts`), computed from the declarations when the app is built. A changed
 * declaration is picked up after a restart of the development server.
 */
export function briefs(): Plugin {
  return {
    name: 'ordinator:briefs',
    resolveId: (id) => (id === MODULE ? `\0${MODULE}` : undefined),
    load: async (id) => {
      if (id !== `\0${MODULE}`) return undefined
      const found = await Promise.all(globSync(`${AREAS}/*/entities.ts`).sort().map(briefsIn))
      // Browsers compile no code for JSON text: half the time of a literal of this size.
      return `export const packed = JSON.parse(${JSON.stringify(JSON.stringify(packBriefs(found.flat())))})`
    },
  }
}

async function briefsIn(file: string) {
  const { entities } = (await import(pathToFileURL(file).href)) as { entities: readonly Entity[] }
  return entities.map((entity) => briefOf(entity, basename(dirname(file))))
}
