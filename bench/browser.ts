/** A real Chromium, signed in like a user, with its traffic counted. */
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { type Browser, type BrowserContext, type CDPSession, chromium, type Page } from 'playwright'
import { PASSWORD } from './bigData.ts'
import { type BenchClinic, hold } from './clinic.ts'

const ROOT = join(import.meta.dirname, '..')
const ARGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

let browser: Browser | undefined

/**
 * Builds the web app if it is stale, like `npm start`; must run before the server, which reads it once.
 * @returns false: the build failed, and the last one is served
 */
export function freshWeb(): boolean {
  const build = "const { buildWeb } = await import('./scripts/prepare.mjs'); await buildWeb()"
  const { status } = spawnSync(process.execPath, ['--input-type=module', '-e', build], {
    cwd: ROOT,
    stdio: ['ignore', 'ignore', 'inherit'],
    timeout: 120_000,
  })
  if (status === 0) return true
  if (!existsSync(join(ROOT, 'apps/web/dist/index.html'))) throw new Error('the web app does not build')
  return false
}

export interface Tab {
  page: Page
  cdp: CDPSession
  traffic: Traffic
  close(): Promise<void>
}

export interface Traffic {
  requests: number
  /** Bytes over the wire, including headers. */
  bytes: number
  /** Script bodies by path, after gzip. */
  scripts: Map<string, number>
  /** Waits for bodies that are still being read. */
  settled(): Promise<void>
}

interface Credentials {
  login: string
  password: string
}

/** @param who undefined: not signed in; a login of the data set, or of another clinic with its password */
export async function openTab(clinic: Pick<BenchClinic, 'product'>, who?: string | Credentials): Promise<Tab> {
  if (!browser) {
    browser = await chromium.launch(browserOptions(clinic.product.url).launch)
    const launched = browser
    hold(() => launched.close())
  }
  const context = await browser.newContext(browserOptions(clinic.product.url).context)
  if (who) await signInto(context, who)
  const page = await context.newPage()
  const cdp = await context.newCDPSession(page)
  const traffic = await count(cdp, page)
  return { page, cdp, traffic, close: () => context.close() }
}

/** Launch and context options: a screen in Moscow. */
export const browserOptions = (baseURL: string) => ({
  launch: { executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args: ARGS },
  context: { baseURL, locale: 'ru-RU', timezoneId: 'Europe/Moscow', viewport: { width: 1366, height: 800 } },
})

/** Sets the refresh cookie, and the token where the app stores it (apps/web/src/base/token.ts). */
export async function signInto(context: BrowserContext, who: string | Credentials): Promise<void> {
  const { login, password } = typeof who === 'string' ? { login: who, password: PASSWORD } : who
  const response = await context.request.post('/auth/login', { data: { login, password, forceLogin: true } })
  if (!response.ok()) throw new Error(`sign-in of ${login}: ${response.status()} ${await response.text()}`)
  const { accessToken } = await response.json()
  await context.addInitScript((token) => localStorage.setItem('ordinator:token', token), accessToken)
}

async function count(cdp: CDPSession, page: Page): Promise<Traffic> {
  const reading: Promise<unknown>[] = []
  const traffic: Traffic = {
    requests: 0,
    bytes: 0,
    scripts: new Map(),
    settled: async () => void (await Promise.all(reading)),
  }
  await cdp.send('Network.enable')
  await cdp.send('Network.setCacheDisabled', { cacheDisabled: true })
  cdp.on('Network.loadingFinished', ({ encodedDataLength }) => {
    traffic.requests++
    traffic.bytes += encodedDataLength
  })
  page.on('response', (response) => {
    const path = new URL(response.url()).pathname
    if (!path.endsWith('.js')) return
    reading.push(
      response.body().then(
        (body) => traffic.scripts.set(path, gzipSync(body, { level: 9 }).length),
        () => {},
      ),
    )
  })
  return traffic
}
