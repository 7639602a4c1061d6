import { defineConfig } from 'vitest/config'

const MINUTE = 60_000

export default defineConfig({
  test: {
    maxWorkers: 4,
    projects: [
      {
        test: {
          name: 'model',
          include: ['packages/**/*.test.ts'],
          environment: 'node',
        },
      },
      {
        test: {
          name: 'server',
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
