import { readdirSync, writeFileSync } from 'node:fs'
import { seed } from '@ordinator/model/testing/turns'
import { defineConfig } from 'playwright/test'
import { scenariosOfAnotherDay } from './look/share.ts'
import { PORT } from './ports.ts'

const MINUTE = 60_000
/** `E2E_URL`: a server that is already running. */
const baseURL = process.env.E2E_URL ?? `http://localhost:${PORT}`
const CI = Boolean(process.env.CI)

/** Files left out of a whole run, which names them at its end: see `look/share.ts`. A named file always runs. */
function leftOut(): string[] {
  const list = process.env.E2E_LEFT_OUT
  if (!list) return []
  const files = readdirSync(import.meta.dirname).filter((name) => name.endsWith('.e2e.ts'))
  const left = scenariosOfAnotherDay(files, seed())
  // Workers read the configuration too.
  if (process.env.TEST_WORKER_INDEX === undefined) writeFileSync(list, JSON.stringify(left))
  return left
}

export default defineConfig({
  testDir: '.',
  testMatch: '**/*.e2e.ts',
  testIgnore: leftOut().map((name) => `**/${name}`),
  outputDir: '../.cache/test-results/browser',
  // Limits for hangs, not for speed: see the budgets in docs/tests.md.
  timeout: 15 * MINUTE,
  fullyParallel: true,
  forbidOnly: CI,
  workers: 2,
  // A failure is retried once, and `npm test` names the test in its last lines.
  retries: 1,
  reporter: [['list'], ['json']],
  expect: { timeout: MINUTE },
  use: {
    baseURL,
    // A worker uses one browser for all its tests, cleared in between, so that scripts are not read and compiled again. Tests
    // that need another computer use `visitor`.
    locale: 'ru-RU',
    timezoneId: 'Europe/Moscow',
    actionTimeout: 2 * MINUTE,
    viewport: { width: 1366, height: 800 },
    colorScheme: 'light',
    screenshot: 'only-on-failure',
    // Only on retries, since tracing takes a screenshot of each step.
    trace: 'on-first-retry',
    // Disables animations.
    contextOptions: { reducedMotion: 'reduce' },
    launchOptions: {
      executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
      args: [
        '--no-sandbox',
        '--disable-gpu',
        '--disable-quic',
        '--no-first-run',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
        // A microphone that beeps, for tests with the permission.
        '--use-fake-device-for-media-stream',
      ],
    },
  },
  ...(process.env.E2E_URL
    ? {}
    : {
        webServer: {
          // A new demo clinic for each run.
          command: `${JSON.stringify(process.execPath)} e2e/server.mjs`,
          cwd: '..',
          url: `${baseURL}/health`,
          env: {
            PORT: String(PORT),
            DEMO: '1',
            DEMO_YEARS: '0',
            HOST: '127.0.0.1',
            LOG_LEVEL: 'error',
            GIVE_WAY: '0',
            E2E_RUNNER: String(process.pid),
          },
          timeout: 15 * MINUTE,
          reuseExistingServer: false,
          gracefulShutdown: { signal: 'SIGTERM' as const, timeout: 20_000 },
          stdout: 'ignore' as const,
          stderr: 'pipe' as const,
        },
      }),
})
