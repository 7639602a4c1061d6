import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { readGuide } from '@ordinator/model/guide'
import type { Plugin } from 'vite'

const MODULE = 'virtual:guide'
const DOCS = join(import.meta.dirname, '../../docs/guide')
/** Made by `npm run guide`; absent in a fresh clone. */
const PICTURES = join(import.meta.dirname, '../../.cache/guide')

/**
 * The module `virtual:guide`: the guide for staff (`docs/guide`), and the URLs of its screenshots where they were made. It
 * is loaded with the help of a page or the first search, never with the shell.
 */
export function guide(): Plugin {
  let isBuild = false
  return {
    name: 'ordinator:guide',
    configResolved(config) {
      isBuild = config.command === 'build'
    },
    resolveId: (id) => (id === MODULE ? `\0${MODULE}` : undefined),
    load(id) {
      if (id !== `\0${MODULE}`) return undefined
      const files = globSync(`${DOCS}/*.md`).sort()
      for (const file of files) this.addWatchFile(file)
      const pages = files.flatMap((file) => readGuide(readFileSync(file, 'utf8')))
      const pictures = isBuild ? globSync('*.jpg', { cwd: PICTURES }).sort() : []
      const urls = pictures.map((name) => {
        const asset = this.emitFile({
          type: 'asset',
          name: `guide-${name}`,
          source: readFileSync(join(PICTURES, name)),
        })
        return `${JSON.stringify(name.replace('.jpg', ''))}: import.meta.ROLLUP_FILE_URL_${asset}`
      })
      return `export const guide = JSON.parse(${JSON.stringify(JSON.stringify(pages))})
export const pictures = {${urls.join(', ')}}`
    },
  }
}
