import { mkdirSync, writeFileSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { gzipSync } from 'node:zlib'
import type { Plugin, Rolldown } from 'vite'

const ROOT = join(import.meta.dirname, '../..')
const FOLDER = join(ROOT, '.cache')
const area = /(?:packages\/model|apps\/web)\/src\/areas\/([^/]+)\//

/** A file of the build. Sizes are in bytes after gzip. */
interface BuiltFile {
  size: number
  /** Script: files that load with it; style sheets included. */
  imports: string[]
  /** Script: the module, relative to the repository, that it is the file of: a page, a dialog. */
  facade?: string | undefined
}

/** Contents of `.cache/shell.json`. */
export interface BuiltSizes {
  /** Files that the document itself loads. */
  first: string[]
  files: Record<string, BuiltFile>
  /** Bytes of each area within the first script and its imports, without its briefs. */
  areas: Record<string, number>
}

/**
 * Writes `.cache/shell.json` with each build: the files with their sizes and imports, and what each area adds to the files
 * that every page loads. `e2e/shell.e2e.ts` checks the limits (bench/pageWeights.ts).
 */
export function shellSizes(file = 'shell.json'): Plugin {
  return {
    name: 'ordinator:shell-sizes',
    apply: 'build',
    // After vite has written the style sheets' names into the bundle.
    enforce: 'post',
    generateBundle: {
      order: 'post',
      handler(_, bundle) {
        const chunks = Object.values(bundle).filter((file) => file.type === 'chunk')
        const page = Object.values(bundle).find(({ fileName }) => fileName.endsWith('.html'))
        if (page?.type !== 'asset') return
        const first = Object.keys(bundle).filter((name) => String(page.source).includes(name))
        const files: Record<string, BuiltFile> = {}
        for (const file of Object.values(bundle)) {
          if (file.type === 'chunk') {
            const facade = file.facadeModuleId && relative(ROOT, file.facadeModuleId).split(sep).join('/')
            const imports = [...file.imports, ...(file.viteMetadata?.importedCss ?? [])]
            files[file.fileName] = { size: gzipSync(file.code).length, imports, facade: facade ?? undefined }
          } else if (file.fileName.endsWith('.css'))
            files[file.fileName] = { size: gzipSync(file.source).length, imports: [] }
        }
        const circle = circleOf(files)
        if (circle)
          this.error(`Files of the build import each other, so modules may run before what they use: ${circle}`)
        const always = closureOf(files, first)
        const areas = new Map<string, string>()
        for (const chunk of chunks.filter(({ fileName }) => always.has(fileName)))
          for (const [id, { code }] of Object.entries(chunk.modules)) {
            const name = area.exec(id)?.[1]
            if (name) areas.set(name, (areas.get(name) ?? '') + (code ?? ''))
          }
        const sizes = Object.fromEntries([...areas].map(([name, code]) => [name, gzipSync(code).length]))
        const built: BuiltSizes = { first: first.filter((name) => files[name]), files, areas: sizes }
        mkdirSync(FOLDER, { recursive: true })
        writeFileSync(join(FOLDER, file), JSON.stringify(built))
        if (process.env.MODULES)
          writeFileSync(process.env.MODULES, JSON.stringify(chunks.map((chunk) => modulesOf(this, chunk))))
      },
    },
  }
}

/** Path of a module within the repository, or within `node_modules`. */
const shortOf = (id: string) => id.slice(id.lastIndexOf('/node_modules/') + 1).replace(`${ROOT}/`, '')

/** For the search of what draws a module into a file: `MODULES=<file> npm run build` writes each file's modules there. */
function modulesOf(context: Rolldown.PluginContext, { fileName, modules }: Rolldown.OutputChunk) {
  return {
    fileName,
    modules: Object.entries(modules).map(([id, { code }]) => ({
      id: shortOf(id),
      size: gzipSync(code ?? '').length,
      imports: (context.getModuleInfo(id)?.importedIds ?? []).map(shortOf),
    })),
  }
}

/** Names of the files that load with these. */
export function closureOf(files: Record<string, BuiltFile>, names: Iterable<string>): Set<string> {
  const found = new Set(names)
  for (const name of found) for (const one of files[name]?.imports ?? []) found.add(one)
  return found
}

/** @returns files that import each other, in their order; undefined when there are none */
function circleOf(files: Record<string, BuiltFile>): string | undefined {
  const done = new Set<string>()
  const look = (name: string, path: readonly string[]): string | undefined => {
    const at = path.indexOf(name)
    if (at >= 0) return [...path.slice(at), name].join(' → ')
    if (done.has(name)) return undefined
    for (const next of files[name]?.imports ?? []) {
      const found = look(next, [...path, name])
      if (found) return found
    }
    done.add(name)
    return undefined
  }
  for (const name of Object.keys(files)) {
    const found = look(name, [])
    if (found) return found
  }
  return undefined
}
