/**
 * What pages load: bytes of script and style after gzip, from the files that the build has written (`.cache/shell.json`).
 * `e2e/shell.e2e.ts` checks that no page outgrows its ceiling; `npm run bench -- pages` writes the figures and goals into
 * docs/bench.md.
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
  /** Modules that must be there before the page is drawn. */
  modules: readonly string[]
  goal: number
  /** What the page may not outgrow where the goal is missed; it only falls. */
  ceiling?: number
}

const area = (path: string) => [APP, `apps/web/src/areas/${path}`]

/** Pages before they are drawn. */
const pages: readonly Weighed[] = [
  { what: 'sign-in', modules: ['apps/web/src/app/signIn.tsx'], goal: 180 * KB },
  {
    what: 'list of a registry',
    modules: [APP, 'apps/web/src/records/registry/RegistryScreen.tsx'],
    goal: 400 * KB,
  },
  { what: 'customers', modules: [APP, 'apps/web/src/app/CustomersScreen.tsx'], goal: 400 * KB, ceiling: 405 * KB },
  { what: 'my tasks', modules: area('tasks/mine/MyTasksPage.tsx'), goal: 400 * KB },
  { what: 'goods of the warehouse', modules: area('warehouse/goods/GoodsPage.tsx'), goal: 400 * KB },
  { what: 'dashboard', modules: area('dashboard/DashboardPage.tsx'), goal: 450 * KB },
]

/**
 * Pages opened by the browser test: goals when they are idle, bytes and requests of any kind but pictures and fonts, and the
 * ceilings that they may not outgrow while a goal is missed; those only fall.
 */
export const opened: readonly {
  path: string
  goal: number
  ceiling: number
  requests: { goal: number; ceiling: number }
}[] = [
  { path: '/app/login', goal: 180 * KB, ceiling: 141 * KB, requests: { goal: 40, ceiling: 10 } },
  { path: '/app', goal: 450 * KB, ceiling: 520 * KB, requests: { goal: 40, ceiling: 146 } },
  { path: '/app/customers', goal: 400 * KB, ceiling: 452 * KB, requests: { goal: 40, ceiling: 61 } },
  { path: '/app/tasks/mine', goal: 400 * KB, ceiling: 435 * KB, requests: { goal: 40, ceiling: 73 } },
  { path: '/app/warehouse', goal: 400 * KB, ceiling: 411 * KB, requests: { goal: 40, ceiling: 47 } },
]

export const readSizes = (file = 'shell.json'): BuiltSizes => JSON.parse(readFileSync(join(CACHE, file), 'utf8'))

export interface Weight {
  what: string
  size: number
  files: number
  goal: number
  ceiling: number
}

/**
 * @returns bytes and files of each page before it is drawn, beside its goal and ceiling; the patients' app loads all of
 * itself at once
 */
export function weights({ first, files }: BuiltSizes, portal: BuiltSizes): Weight[] {
  const byModule = new Map(
    Object.entries(files).flatMap(([name, { facade }]): [string, string][] => (facade ? [[facade, name]] : [])),
  )
  const weighed = (
    what: string,
    closure: ReadonlySet<string>,
    of: BuiltSizes['files'],
    goal: number,
    ceiling = goal,
  ): Weight => {
    const size = [...closure].reduce((sum, name) => sum + (of[name]?.size ?? 0), 0)
    return { what, size, files: closure.size, goal, ceiling }
  }
  const own = pages.map(({ what, modules, goal, ceiling }) => {
    const names = modules.map((module) => {
      const name = byModule.get(module)
      if (name === undefined) throw new Error(`${module} is not a file of the build: a page has moved`)
      return name
    })
    return weighed(what, closureOf(files, [...first, ...names]), files, goal, ceiling)
  })
  return [
    ...own,
    weighed("the patients' app, sign-in", closureOf(portal.files, portal.first), portal.files, PORTAL_LIMIT),
  ]
}
