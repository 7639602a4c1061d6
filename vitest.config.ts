import { relative } from 'node:path'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
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

export default defineConfig({
  test: {
    maxWorkers: Number(process.env.VITEST_WORKERS ?? 4),
    sequence: { sequencer: LargestFirst },
    projects: [
      {
        test: {
          name: 'model',
          isolate: false,
          include: ['packages/**/*.test.ts'],
          environment: 'node',
        },
      },
      {
        test: {
          name: 'server',
          // A worker reads the server's modules once and not for each file: half of the run's work. What a file leaves
          // behind it is its database, which is its own; modules keep nothing of a clinic.
          isolate: false,
          include: ['apps/server/**/*.test.ts', 'scripts/**/*.test.ts', 'bench/**/*.test.ts'],
          environment: 'node',
          globalSetup: ['apps/server/src/testing/globalSetup.ts'],
          // Bounds for what hangs, not measures of speed: docs/tests.md holds that, at the pace of the machine.
          testTimeout: 3 * MINUTE,
          // The machines are shared: a slow moment gets one more try.
          retry: process.env.CI ? 1 : 0,
          hookTimeout: 5 * MINUTE,
        },
      },
      {
        test: {
          name: 'web',
          include: ['apps/web/**/*.test.{ts,tsx}'],
          environment: 'node',
        },
      },
    ],
  },
})
