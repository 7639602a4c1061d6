/** A fresh demo clinic with a browser signed in to it, for commands that take pictures of the product. */
import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Failure, NODE, ROOT } from './prepare.mjs'

const CHROMIUM = process.env.CHROMIUM ?? '/usr/bin/chromium'
/** Making the demo clinic takes a minute, and much longer on a machine that is busy. */
const START_MS = 30 * 60_000
/** How long a page may load before it is taken as it is. */
const LOADED_MS = 30_000

/**
 * Starts a demo clinic in a temporary folder, and ends it after `work`.
 * @param work gets `enter(login, viewport)`: a page signed in as that demo user, whose `see(path)` opens a page of the
 *   program and waits until it has loaded
 */
export async function withDemo(work) {
  if (!existsSync(CHROMIUM)) throw new Failure('Нужен Chromium: apt-get install chromium (или задайте CHROMIUM=путь).')
  mkdirSync(join(ROOT, '.cache'), { recursive: true })
  const data = mkdtempSync(join(ROOT, '.cache/demo-'))
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
  let browser
  try {
    const origin = `http://localhost:${port}`
    await answering(origin, server)
    const { chromium } = await import('playwright')
    browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox'] })
    return await work((login, viewport) => enter(browser, { origin, login, viewport }))
  } finally {
    await browser?.close()
    server.kill('SIGTERM')
    await new Promise((resolve) => (server.exitCode === null ? server.once('exit', resolve) : resolve()))
    rmSync(data, { recursive: true, force: true })
  }
}

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

async function enter(browser, { origin, login, viewport }) {
  const signIn = await fetch(`${origin}/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ login, password: 'demo', forceLogin: true }),
  })
  const { accessToken } = await signIn.json()
  const context = await browser.newContext({ viewport, locale: 'ru-RU', timezoneId: 'Europe/Moscow' })
  await context.addCookies(
    signIn.headers.getSetCookie().map((line) => {
      const [name, value] = line.split(';', 1)[0].split('=')
      return { name, value, url: origin }
    }),
  )
  await context.addInitScript((token) => localStorage.setItem('ordinator:token', token), accessToken)
  const page = await context.newPage()
  const see = async (path) => {
    await page.goto(`${origin}/app/${path}`, { timeout: LOADED_MS })
    await page.locator('#main').waitFor()
    await loaded(page)
  }
  return { page, see, loaded: () => loaded(page) }
}

async function loaded(page) {
  await page.waitForLoadState('networkidle', { timeout: LOADED_MS }).catch(() => {})
  await page
    .locator('#main :is([aria-busy=true], .mantine-Skeleton-root)')
    .first()
    .waitFor({ state: 'detached', timeout: LOADED_MS })
    .catch(() => {})
}

function freePort() {
  return new Promise((resolve) => {
    const probe = createServer().listen(0, '127.0.0.1', () => {
      const { port } = probe.address()
      probe.close(() => resolve(port))
    })
  })
}
