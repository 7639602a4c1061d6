/**
 * A registrar's tab, open all day: pages are opened one after another while others work, then it rests, then the machine
 * sleeps. What the page holds after a collection must not grow, a page at rest costs nothing, and after the sleep it is right.
 */
import { mkdirSync, mkdtempSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'playwright/test'
import { openTab, type Tab } from './browser.ts'
import { http } from './centreScreen.ts'
import { freePort, hold, type Process, removeData, startProcess } from './clinic.ts'
import { bytes, type Line, ms, type Part } from './table.ts'

const ROOT = join(import.meta.dirname, '..')
const START_MS = 240_000
const PASSWORD = 'demo'
/** A share of the day after which everything has been opened and is kept: caches, code, the last pages. */
const FIRST_HOUR = 1 / 8
const EVENTS_PER_NAVIGATION = 2.5
const MAX_GROWTH = 1.2
const REST_MS = 20_000
const MAX_REST = 0.01
const SLEEP_MS = 40_000
const MAX_AWAKE_MS = 3_000
/** Pages that follow others' work by themselves. */
const RESTING = ['/app', '/app/schedule', '/app/tasks', '/app/live-assist', '/app/laboratory/orders']

interface Held {
  heap: number
  listeners: number
  nodes: number
}

/** @param navigations pages opened in the day */
export async function measureTab(navigations: number): Promise<Part> {
  const product = await startDemo()
  const tab = await openTab({ product }, { login: 'registrar', password: PASSWORD })
  const { page } = tab
  await page.goto('/app')
  const menu = page.locator('nav a[href^="/app"]')
  await expect(menu.first()).toBeVisible()
  const paths = [...new Set(await menu.evaluateAll((all) => all.map((one) => one.getAttribute('href') as string)))]
  const failures: string[] = []
  page.on('pageerror', (error) => failures.push(error.message))
  const others = await workers(product.url)

  let opened = 0
  const open = async () => {
    const path = paths[opened++ % paths.length] as string
    await go(page, path)
    for (let n = 0; n < EVENTS_PER_NAVIGATION; n++) await others.change()
  }
  const first = Math.round(navigations * FIRST_HOUR)
  while (opened < first) await open()
  const before = await held(tab)
  while (opened < navigations) await open()
  const after = await held(tab)

  const rests: Line[] = []
  for (const path of RESTING) {
    await page.goto(path, { waitUntil: 'networkidle' })
    await sleep(3_000)
    const share = await restOf(tab)
    rests.push({
      what: `processor of ${path} at rest, share of a core`,
      product: `${(share * 100).toFixed(2)} %`,
      goal: { text: `≤ ${MAX_REST * 100} %`, met: share <= MAX_REST },
    })
  }
  const awake = await afterSleep(tab, others)

  const growth = (name: keyof Held, shown: (value: number) => string): Line => ({
    what: `${name} after ${navigations} pages and ${others.changed()} changes of others, against the first hour`,
    product: shown(after[name]),
    yardstick: shown(before[name]),
    ratio: after[name] / before[name],
    goal: { text: `≤ ${MAX_GROWTH}`, met: after[name] / before[name] <= MAX_GROWTH },
  })
  return {
    title: `A registrar's tab over ${paths.length} pages of the menu`,
    lines: [
      growth('heap', bytes),
      growth('listeners', String),
      growth('nodes', String),
      ...rests,
      {
        what: `after a sleep of ${SLEEP_MS / 1000} s the page shows what has changed`,
        product: ms(awake),
        goal: { text: `≤ ${MAX_AWAKE_MS} ms`, met: awake <= MAX_AWAKE_MS },
      },
      { what: 'errors of the page', product: `${failures.length}`, goal: { text: 'none', met: failures.length === 0 } },
    ],
    notes: [...new Set(failures)].slice(0, 10),
  }
}

async function startDemo(): Promise<Process> {
  mkdirSync(join(ROOT, '.cache'), { recursive: true })
  const dir = mkdtempSync(join(ROOT, '.cache/bench-'))
  hold(() => removeData(dir))
  const port = await freePort()
  return startProcess(
    'apps/server/src/main.ts',
    `http://127.0.0.1:${port}`,
    [],
    {
      DATA_DIR: dir,
      DEMO_YEARS: '0',
      HOST: '127.0.0.1',
      PORT: String(port),
      LOG_LEVEL: 'warn',
      DATABASE_URL: '',
      PUBLIC_URL: '',
      REDIS_URL: '',
      FILES: '',
      SECRET: '',
    },
    START_MS,
  )
}

/** Opens a page as the app does, without loading it anew. */
async function go(page: Tab['page'], path: string): Promise<void> {
  await page.evaluate((to) => {
    history.pushState({}, '', to)
    dispatchEvent(new PopStateEvent('popstate'))
  }, path)
  await page.waitForLoadState('networkidle', { timeout: 3_000 }).catch(() => undefined)
}

/** What the page holds after a full collection. */
async function held({ cdp, page }: Tab): Promise<Held> {
  // On the same page each time: pages differ more than a day does.
  await go(page, '/app/customers')
  for (let n = 0; n < 3; n++) {
    await cdp.send('HeapProfiler.collectGarbage')
    await sleep(300)
  }
  const found = await metrics(cdp)
  return { heap: found('JSHeapUsedSize'), listeners: found('JSEventListeners'), nodes: found('Nodes') }
}

async function metrics(cdp: Tab['cdp']) {
  await cdp.send('Performance.enable', { timeDomain: 'threadTicks' })
  const { metrics: all } = await cdp.send('Performance.getMetrics')
  return (name: string) => all.find((one) => one.name === name)?.value as number
}

/** Share of a core that the page's main thread takes without user input. */
async function restOf({ cdp }: Tab): Promise<number> {
  const began = (await metrics(cdp))('TaskDuration')
  await sleep(REST_MS)
  return (((await metrics(cdp))('TaskDuration') - began) * 1000) / REST_MS
}

/** Others work while the page is frozen and cut off. @returns milliseconds from waking until it shows the change */
async function afterSleep({ page, cdp }: Tab, { rename }: Others): Promise<number> {
  await page.goto('/app/customers', { waitUntil: 'networkidle' })
  const name = `Аа${'а'.repeat(1 + (Date.now() % 9))}`
  await cdp.send('Network.emulateNetworkConditions', {
    offline: true,
    latency: 0,
    downloadThroughput: -1,
    uploadThroughput: -1,
  })
  await cdp.send('Page.setWebLifecycleState', { state: 'frozen' })
  await rename(name)
  await sleep(SLEEP_MS)
  await cdp.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: 0,
    downloadThroughput: -1,
    uploadThroughput: -1,
  })
  await cdp.send('Page.setWebLifecycleState', { state: 'active' })
  const began = performance.now()
  await expect(page.getByText(name).first()).toBeVisible({ timeout: 60_000 })
  return performance.now() - began
}

interface Others {
  /** Another person changes a card, a task or a visitor's chat, in turn. */
  change(): Promise<void>
  changed(): number
  /** Renames the patient at the top of the list. */
  rename(surname: string): Promise<void>
}

async function workers(url: string): Promise<Others> {
  const answer = await http('POST', `${url}/auth/login`, {}, { login: 'admin', password: PASSWORD, forceLogin: true })
  const headers = { authorization: `Bearer ${answer.body.accessToken}` }
  const ask = async (method: 'GET' | 'POST' | 'PUT', path: string, body?: object) => {
    const { status, body: result } = await http(method, url + path, headers, body)
    if (status >= 300) throw new Error(`${path}: ${status} ${JSON.stringify(result)}`)
    return result
  }
  const first = (path: string, fields: string) =>
    ask('GET', `${path}?limit=1&fields=id,_version,${fields}`).then(({ items }) => items[0])
  let no = 0
  const kinds = [
    async () => {
      const { id, _version } = await first('/customers', 'surname')
      await ask('PUT', `/customers/${id}`, { note: `Правка ${no}`, _version })
    },
    async () => {
      const { id, _version } = await first('/tasks-management/tasks', 'name')
      await ask('PUT', `/tasks-management/tasks/${id}`, { description: `<p>Правка ${no}</p>`, _version })
    },
    async () => {
      const { id, _version } = await first('/appointments', 'note')
      await ask('PUT', `/appointments/${id}`, { note: `Правка ${no}`, _version })
    },
  ]
  return {
    change: () => (kinds[no++ % kinds.length] as () => Promise<void>)(),
    changed: () => no,
    async rename(surname) {
      const { id, _version } = await first('/customers', 'surname')
      await ask('PUT', `/customers/${id}`, { surname, _version })
    },
  }
}
