/** Part 4: the size of the script the browser loads, gzipped. */
import { openTab, type Tab } from './browser.ts'
import type { BenchClinic } from './clinic.ts'
import { bytes, type Line, type Part } from './table.ts'

const SHELL_LIMIT = 180_000
const LOGIN = 'bench-2'
const WAIT_MS = 15_000

export async function measureWeb(clinic: BenchClinic): Promise<Part> {
  const notes: string[] = []
  const html = await (await fetch(`${clinic.product.url}/app`)).text()
  const first = new Set([...html.matchAll(/(?:src|href)="([^"]+\.js)"/g)].map((match) => match[1] as string))

  const lines: Line[] = []
  const pages = [
    { what: 'sign-in page', path: '/app/login', login: undefined, shown: 'form' },
    { what: 'dashboard, signed in', path: '/app', login: LOGIN, shown: 'h1' },
    {
      what: 'board of 10 × 10',
      path: `/app/tasks?board=${clinic.data.smallBoard.id}`,
      login: LOGIN,
      shown: '[data-card]',
    },
  ]
  let shell = 0
  for (const { what, path, login, shown } of pages) {
    const tab = await openTab(clinic, login)
    await tab.page.goto(path)
    const there = await tab.page.waitForSelector(shown, { timeout: WAIT_MS }).catch(() => undefined)
    if (!there) notes.push(`${what}: its screen does not show`)
    await tab.page.waitForLoadState('networkidle')
    await tab.traffic.settled()
    const { total, shell: before } = sizes(tab, first)
    shell = before
    if (lines.length === 0) {
      lines.push({
        what: 'script before any route’s own (in the page itself)',
        product: bytes(before),
        goal: { text: '< 180 kB', met: before < SHELL_LIMIT },
      })
    }
    lines.push({
      what: `${what}: all script`,
      product: bytes(total),
      yardstick: `${bytes(total - shell)} its own`,
      ratio: total / shell,
    })
    lines.push({
      what: '  requests, bytes over the wire (br)',
      product: `${tab.traffic.requests}, ${bytes(tab.traffic.bytes)}`,
    })
    await tab.close()
  }
  return { title: 'Script, gzip -9', lines, notes }
}

function sizes({ traffic }: Tab, first: ReadonlySet<string>): { total: number; shell: number } {
  let total = 0
  let shell = 0
  for (const [path, size] of traffic.scripts) {
    total += size
    if (first.has(path)) shell += size
  }
  return { total, shell }
}
