/**
 * `npm run guide [page]`: screenshots of the menu's pages for the guide, taken of a fresh demo clinic as its administrator,
 * so that they stay true. They are not committed: sixty pictures change with every screen. They go to `.cache/guide`, and
 * the next build of the web bundles those that are there.
 */
import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { buildWeb, Failure, install, NODE, ROOT, script } from './prepare.mjs'

const FOLDER = join(ROOT, '.cache/guide')
const CHROMIUM = process.env.CHROMIUM ?? '/usr/bin/chromium'
/** Making the demo clinic takes a minute, and much longer on a machine that is busy. */
const START_MS = 30 * 60_000
/** How long a page may load before it is taken as it is. */
const LOADED_MS = 30_000
/** Pixels of a window: that of a picture too. */
const WINDOW = { width: 1120, height: 700 }
const QUALITY = 72

await script(async () => {
  const [only] = process.argv.slice(2)
  await install()
  await buildWeb()
  const { pages } = await import('../packages/model/src/pages.ts').catch(() => {
    throw new Failure('Для снимков нужен Node 24: npm run guide')
  })
  if (!existsSync(CHROMIUM)) throw new Failure('Нужен Chromium: apt-get install chromium (или задайте CHROMIUM=путь).')
  const shown = pages.filter(({ key, menu }) => (only ? key === only : menu))
  const data = mkdtempSync(join(ROOT, '.cache/guide-data-'))
  const port = await freePort()
  const server = spawn(NODE, ['apps/server/src/main.ts'], {
    cwd: ROOT,
    stdio: ['ignore', 'ignore', 'inherit'],
    env: {
      ...process.env,
      DATA_DIR: data,
      DATABASE_URL: '',
      PORT: String(port),
      DEMO: '1',
      DEMO_YEARS: '0',
      PUBLIC_URL: '',
    },
  })
  try {
    const origin = `http://localhost:${port}`
    await answering(origin, server)
    mkdirSync(FOLDER, { recursive: true })
    for (const key of await shoot(origin, shown)) console.log(key)
    console.log(`\nСнимки: ${FOLDER}. В справку они встанут со следующей сборкой: npm run build`)
  } finally {
    server.kill('SIGTERM')
    await new Promise((resolve) => server.once('exit', resolve))
    rmSync(data, { recursive: true, force: true })
  }
})

/** Waits for the first start, which makes the demo clinic. */
async function answering(origin, server) {
  for (const end = Date.now() + START_MS; Date.now() < end; await sleep(500)) {
    if (server.exitCode !== null) throw new Failure('Демонстрационная клиника не запустилась.')
    if (
      await fetch(`${origin}/health`).then(
        ({ ok }) => ok,
        () => false,
      )
    )
      return
  }
  throw new Failure('Демонстрационная клиника не ответила за полчаса.')
}

async function shoot(origin, shown) {
  const { chromium } = await import('playwright')
  const signIn = await fetch(`${origin}/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ login: 'admin', password: 'demo', forceLogin: true }),
  })
  const { accessToken } = await signIn.json()
  const browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox'] })
  try {
    return await shootIn(browser, { origin, accessToken, cookies: signIn.headers.getSetCookie(), shown })
  } finally {
    await browser.close()
  }
}

async function shootIn(browser, { origin, accessToken, cookies, shown }) {
  const context = await browser.newContext({ viewport: WINDOW, locale: 'ru-RU', timezoneId: 'Europe/Moscow' })
  await context.addCookies(
    cookies.map((line) => {
      const [name, value] = line.split(';', 1)[0].split('=')
      return { name, value, url: origin }
    }),
  )
  await context.addInitScript((token) => localStorage.setItem('ordinator:token', token), accessToken)
  const page = await context.newPage()
  const done = []
  for (const { key, path } of shown) {
    await page.goto(`${origin}/app/${path}`, { timeout: LOADED_MS })
    await page.locator('#main').waitFor()
    await page.waitForLoadState('networkidle', { timeout: LOADED_MS }).catch(() => {})
    await page
      .locator('#main :is([aria-busy=true], .mantine-Skeleton-root)')
      .first()
      .waitFor({ state: 'detached', timeout: LOADED_MS })
      .catch(() => {})
    await page.screenshot({ path: join(FOLDER, `${key}.jpg`), type: 'jpeg', quality: QUALITY })
    done.push(key)
  }
  return done
}

function freePort() {
  return new Promise((resolve) => {
    const probe = createServer().listen(0, '127.0.0.1', () => {
      const { port } = probe.address()
      probe.close(() => resolve(port))
    })
  })
}
