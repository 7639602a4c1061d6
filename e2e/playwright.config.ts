import { defineConfig } from 'playwright/test'
import { PORT } from './ports.ts'

const MINUTE = 60_000
/** `E2E_URL`: a server that runs already. */
const baseURL = process.env.E2E_URL ?? `http://localhost:${PORT}`
const CI = Boolean(process.env.CI)

export default defineConfig({
  testDir: '.',
  testMatch: '**/*.e2e.ts',
  outputDir: '../.cache/test-results/browser',
  // Bounds for what hangs, not measures of speed: docs/tests.md holds that, at the pace of the machine.
  timeout: 5 * MINUTE,
  fullyParallel: true,
  forbidOnly: CI,
  workers: 2,
  // The machines are shared: a slow moment gets one more try, and is reported as flaky.
  retries: CI ? 1 : 0,
  reporter: [['list'], ['json']],
  expect: { timeout: MINUTE },
  use: {
    baseURL,
    // A worker has one browser for all of its tests, emptied between them: what opens a page anew is not another process
    // that reads and compiles the scripts again. Whoever needs another computer takes `visitor`.
    locale: 'ru-RU',
    timezoneId: 'Europe/Moscow',
    actionTimeout: 2 * MINUTE,
    viewport: { width: 1366, height: 800 },
    colorScheme: 'light',
    screenshot: 'only-on-failure',
    // Drawn only where a test is tried again: each step of a traced test is photographed.
    trace: 'on-first-retry',
    // Nothing is waited for that only moves.
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
        // A microphone that beeps, for who is allowed it.
        '--use-fake-device-for-media-stream',
      ],
    },
  },
  ...(process.env.E2E_URL
    ? {}
    : {
        webServer: {
          // A demo clinic of its own, new each time.
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
