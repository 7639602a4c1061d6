/**
 * What pages load: bytes of script and style after gzip, from the files that the build has written (`.cache/shell.json`).
 * The limits are checked by `e2e/shell.e2e.ts`; `npm run bench -- pages` writes the figures into docs/bench.md.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type BuiltSizes, closureOf } from '../apps/web/shellSizes.ts'

const CACHE = join(import.meta.dirname, '../.cache')
const KB = 1_000
const PORTAL_LIMIT = 120 * KB

/** Module of what every page behind the sign-in has. */
const APP = 'apps/web/src/app/start.tsx'

interface Weighed {
  what: string
  /** Modules that must be there before the page stands. */
  modules: readonly string[]
  limit: number
}

const area = (path: string) => [APP, `apps/web/src/areas/${path}`]

/** Pages and their limits before they stand. */
const pages: readonly Weighed[] = [
  { what: 'sign-in', modules: ['apps/web/src/app/signIn.tsx'], limit: 180 * KB },
  { what: 'list of a registry', modules: [APP, 'apps/web/src/records/registry/RegistryScreen.tsx'], limit: 400 * KB },
  { what: 'customers', modules: area('customers/CustomersPage.tsx'), limit: 400 * KB },
  { what: 'my tasks', modules: area('tasks/mine/MyTasksPage.tsx'), limit: 400 * KB },
  { what: 'goods of the warehouse', modules: area('warehouse/goods/GoodsPage.tsx'), limit: 400 * KB },
  { what: 'dashboard', modules: area('dashboard/DashboardPage.tsx'), limit: 450 * KB },
]

/** Pages opened by the browser test, with their limits when they are idle: bytes, and requests of any kind but pictures. */
export const opened: readonly { path: string; limit: number; requests: number }[] = [
  { path: '/app/login', limit: 180 * KB, requests: 40 },
  { path: '/app', limit: 450 * KB, requests: 40 },
  { path: '/app/customers', limit: 400 * KB, requests: 40 },
  { path: '/app/tasks/mine', limit: 400 * KB, requests: 40 },
  { path: '/app/warehouse', limit: 400 * KB, requests: 40 },
]

export const readSizes = (file = 'shell.json'): BuiltSizes => JSON.parse(readFileSync(join(CACHE, file), 'utf8'))

export interface Weight {
  what: string
  size: number
  files: number
  limit: number
}

/** @returns bytes and files of each page before it stands, beside its limit; the patients' app loads all of itself at once */
export function weights({ first, files }: BuiltSizes, portal: BuiltSizes): Weight[] {
  const byModule = new Map(
    Object.entries(files).flatMap(([name, { facade }]): [string, string][] => (facade ? [[facade, name]] : [])),
  )
  const weighed = (what: string, closure: ReadonlySet<string>, of: BuiltSizes['files'], limit: number): Weight => {
    const size = [...closure].reduce((sum, name) => sum + (of[name]?.size ?? 0), 0)
    return { what, size, files: closure.size, limit }
  }
  const own = pages.map(({ what, modules, limit }) => {
    const names = modules.map((module) => {
      const name = byModule.get(module)
      if (name === undefined) throw new Error(`${module} is not a file of the build: a page has moved`)
      return name
    })
    return weighed(what, closureOf(files, [...first, ...names]), files, limit)
  })
  return [
    ...own,
    weighed("the patients' app, sign-in", closureOf(portal.files, portal.first), portal.files, PORTAL_LIMIT),
  ]
}
