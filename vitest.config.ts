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
          testTimeout: MINUTE / 2,
          // The machines are shared: a slow moment gets one more try.
          retry: process.env.CI ? 1 : 0,
          hookTimeout: 2 * MINUTE,
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
