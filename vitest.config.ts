import { writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { configDefaults, defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { briefs } from './apps/web/briefs.ts'
import { reports } from './apps/web/reports.ts'
import { seed, suitesOfAnotherDay } from './packages/model/src/testing/turns.ts'
import { readBudget } from './scripts/budget.mjs'

const MINUTE = 60_000

/** The files with the largest shares of the budget begin, so that none of them is left to run alone at the end. */
class LargestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const budget = readBudget()
    const share = ({ moduleId }: TestSpecification): number => {
      const file = relative(import.meta.dirname, moduleId)
      return budget.find(({ fits }) => fits.test(file))?.seconds ?? 0
    }
    return (await super.sort(files)).toSorted((a, b) => share(b) - share(a))
  }
}

/** The same for every project. Bounds for what hangs, not measures of speed: no machine is too slow for a green run. */
const shared = {
  environment: 'node',
  testTimeout: 5 * MINUTE,
  hookTimeout: 10 * MINUTE,
  expect: { poll: { timeout: MINUTE } },
} as const

const GB = 1024 ** 3

/** Suites left out of a whole run, which names them at its end: see `turns.ts`. A named file always runs. */
function leftOut(): readonly string[] {
  const list = process.env.SUITES_LEFT_OUT
  if (!list) return []
  const left = suitesOfAnotherDay(seed())
  writeFileSync(list, JSON.stringify(left))
  return left
}

/** More than two a core, since many tests wait; a worker takes up to a gigabyte. */
const usualWorkers = (): number => (process.availableMemory() > 10 * GB ? 5 : 4)

export default defineConfig({
  test: {
    maxWorkers: Number(process.env.VITEST_WORKERS ?? usualWorkers()),
    sequence: { sequencer: LargestFirst },
    projects: [
      {
        test: {
          ...shared,
          name: 'model',
          isolate: false,
          include: ['packages/**/*.test.ts'],
        },
      },
      {
        test: {
          ...shared,
          name: 'server',
          // A worker reads the server's modules once and not for each file: half of the run's work. What a file leaves
          // behind it is its database, which is its own; modules keep nothing of a clinic.
          isolate: false,
          include: ['apps/server/**/*.test.ts', 'scripts/**/*.test.ts', 'bench/**/*.test.ts'],
          exclude: [...configDefaults.exclude, ...leftOut()],
          globalSetup: ['apps/server/src/testing/globalSetup.ts'],
          env: {
            // Children of the tests are not held back: no person waits beside them.
            GIVE_WAY: '0',
            // Processes that the tests start compile each module once a run, not once a process.
            NODE_COMPILE_CACHE: join(import.meta.dirname, '.cache/node'),
          },
        },
      },
      {
        plugins: [briefs(), reports()],
        test: {
          ...shared,
          name: 'web',
          include: ['apps/web/**/*.test.{ts,tsx}'],
        },
      },
    ],
  },
})
