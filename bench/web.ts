/** Part 4: the size of the script the browser loads, gzipped. */
import { openTab } from './browser.ts'
import type { BenchClinic } from './clinic.ts'
import { bytes, type Line, type Part } from './table.ts'

const LOGIN = 'bench-2'
const WAIT_MS = 15_000

export async function measureWeb(clinic: BenchClinic): Promise<Part> {
  const notes: string[] = []
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
  for (const { what, path, login, shown } of pages) {
    const tab = await openTab(clinic, login)
    await tab.page.goto(path)
    const there = await tab.page.waitForSelector(shown, { timeout: WAIT_MS }).catch(() => undefined)
    if (!there) notes.push(`${what}: its screen does not show`)
    await tab.page.waitForLoadState('networkidle')
    await tab.traffic.settled()
    const total = [...tab.traffic.scripts.values()].reduce((sum, size) => sum + size, 0)
    lines.push({ what: `${what}: all script`, product: bytes(total) })
    lines.push({
      what: '  requests, bytes over the wire (br)',
      product: `${tab.traffic.requests}, ${bytes(tab.traffic.bytes)}`,
    })
    await tab.close()
  }
  return { title: 'Script, gzip -9', lines, notes }
}
