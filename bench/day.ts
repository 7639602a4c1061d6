/**
 * A day of a clinic: the grid of thirty doctors in a real browser beside that of three, a dropped visit, a change shown on
 * another screen; and concurrent random bookings without a double booking.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { dayIn, plusDays } from '@ordinator/model/zone'
import type pg from 'pg'
import { freshWeb, openTab, type Tab } from './browser.ts'
import { type BenchClinic, release, startClinic } from './clinic.ts'
import { type Line, median, ms, type Part, percentile, withGoal } from './table.ts'
import { fillVisits } from './visits.ts'

const LOGIN = 'bench-1'
const DAYS = 30
const [MANY, FEW] = [30, 3]
const [WARMING, LOADS, DROPS, MOVES] = [2, 7, 7, 9]
const WAIT_MS = 30_000
const [GRID_GOAL, DROP_GOAL, EVENT_GOAL] = [1.3, 60, 300]
/** Screens that book at once: each of the data set's fifty users on four of them. */
const SCREENS = 4

export async function measureDay(attempts: number): Promise<Part> {
  freshWeb()
  const clinic = await startClinic({ tasks: 2_000 })
  const doctors = clinic.data.idUsers
  const many = await fillVisits(clinic, { doctors: doctors.slice(0, MANY), past: 2, days: DAYS })
  const few = await fillVisits(clinic, { doctors: doctors.slice(MANY, MANY + FEW), past: 2, days: DAYS })
  const day = plusDays(dayIn('Europe/Moscow', Date.now()), 3)
  const path = ({ idFilial }: { idFilial: number }) => `/app/calendar?filial=${idFilial}&day=${day}`
  const lines = [
    ...(await gridLines(clinic, path(many), path(few))),
    await dropLine(clinic, path(many)),
    await eventLine(clinic, { ...many, path: path(many), day }),
    ...(await bookingLines(clinic, many, attempts)),
  ]
  await release()
  return { title: `Day: a grid of ${MANY} doctors (product) beside one of ${FEW} (yardstick)`, lines }
}

interface Watched {
  paintedAt?: number
  dropAt?: number
  dropPainted?: number
  shownAt?: number
}

/** Runs in the page: records when the visits of the day have been painted. */
function watchGrid(): void {
  const look = () => {
    if (document.querySelectorAll('[data-grid] [data-item]').length > 5)
      requestAnimationFrame(() => {
        ;(window as unknown as Watched).paintedAt = performance.now()
      })
    else requestAnimationFrame(look)
  }
  requestAnimationFrame(look)
}

async function openGrid(clinic: BenchClinic, path: string): Promise<Tab> {
  const tab = await openTab(clinic, LOGIN)
  await tab.page.addInitScript(watchGrid)
  await tab.page.goto(path)
  await tab.page.waitForFunction(() => (window as unknown as Watched).paintedAt, undefined, { timeout: WAIT_MS })
  return tab
}

async function gridLines(clinic: BenchClinic, many: string, few: string): Promise<Line[]> {
  const paths = [many, few] as const
  const of = { painted: paths.map((): number[] => []), main: paths.map((): number[] => []), things: [0, 0] }
  // Alternating, so that neither profits from a quieter machine.
  for (let i = 0; i < WARMING + LOADS; i++)
    for (const [at, path] of paths.entries()) {
      const tab = await openTab(clinic, LOGIN)
      await tab.cdp.send('Performance.enable')
      await tab.page.addInitScript(watchGrid)
      await tab.page.goto(path)
      await tab.page.waitForFunction(() => (window as unknown as Watched).paintedAt, undefined, { timeout: WAIT_MS })
      const painted = await tab.page.evaluate(() => (window as unknown as Required<Watched>).paintedAt)
      const { metrics } = await tab.cdp.send('Performance.getMetrics')
      of.things[at] = await tab.page.locator('[data-grid] [data-item]').count()
      await tab.close()
      if (i < WARMING) continue
      of.painted[at]?.push(painted)
      of.main[at]?.push((metrics.find(({ name }) => name === 'TaskDuration')?.value ?? Number.NaN) * 1000)
    }
  const line = (what: string, values: readonly number[][]): Line => {
    const [product, yardstick] = values.map((some) => median(some)) as [number, number]
    return { what, product: ms(product), yardstick: ms(yardstick), ratio: product / yardstick }
  }
  const best = of.painted.map((some) => [Math.min(...some)])
  return [
    withGoal(line('grid: from address to painted', of.painted), GRID_GOAL),
    line('  best', best),
    line('  main thread', of.main),
    { what: '  visits in the page', product: String(of.things[0]), yardstick: String(of.things[1]) },
  ]
}

/** Moves a visit down by the mouse: from the release of the button to the visit at its new place. */
async function dropLine(clinic: BenchClinic, path: string): Promise<Line> {
  const { page, close } = await openGrid(clinic, path)
  const times: number[] = []
  for (let i = 0; i < DROPS; i++) {
    await page.waitForLoadState('networkidle')
    const item = page.locator('[data-grid] [data-item]').nth(4 + i * 3)
    await item.scrollIntoViewIfNeeded()
    const id = await item.getAttribute('data-item')
    const box = await item.boundingBox()
    if (!box || !id) throw new Error('no visit to move')
    await page.evaluate((wanted) => {
      const watched = window as unknown as Watched
      watched.dropAt = watched.dropPainted = undefined
      const top = (document.querySelector(`[data-item="${wanted}"]`) as HTMLElement).style.top
      window.addEventListener('pointerup', () => (watched.dropAt = performance.now()), { capture: true, once: true })
      const look = () => {
        const there = document.querySelector<HTMLElement>(`[data-item="${wanted}"]:not([data-gone])`)
        if (watched.dropAt !== undefined && there && there.style.top !== top)
          requestAnimationFrame(() => (watched.dropPainted = performance.now()))
        else requestAnimationFrame(look)
      }
      requestAnimationFrame(look)
    }, id)
    await page.mouse.move(box.x + 40, box.y + 8)
    await page.mouse.down()
    await page.mouse.move(box.x + 42, box.y + 30, { steps: 4 })
    await page.mouse.move(box.x + 42, box.y + 8 + box.height * 2, { steps: 6 })
    await page.mouse.up()
    await page.waitForFunction(() => (window as unknown as Watched).dropPainted, undefined, { timeout: WAIT_MS })
    times.push(
      await page.evaluate(() => {
        const { dropAt, dropPainted } = window as unknown as Required<Watched>
        return dropPainted - dropAt
      }),
    )
    // If the time is taken, the visit returns with a dialog of alternatives.
    await page.waitForTimeout(1_000)
    await page.keyboard.press('Escape')
  }
  await close()
  return {
    what: 'a visit that is dropped: until painted',
    product: ms(median(times)),
    goal: { text: `≤ ${DROP_GOAL} ms`, met: median(times) <= DROP_GOAL },
  }
}

/** A visit moved by the API: from the answer until a second screen shows it. */
async function eventLine(
  clinic: BenchClinic,
  { idService, idFilial, path, day }: { idService: number; idFilial: number; path: string; day: string },
): Promise<Line> {
  const { page, close } = await openGrid(clinic, path)
  await page.waitForLoadState('networkidle')
  const call = caller(clinic, await clinic.signIn('bench-2'))
  const times: number[] = []
  for (let i = 0; i < MOVES; i++) {
    const shownAt = await page
      .locator('[data-grid] [data-item]')
      .evaluateAll((all) => all.map((one) => Number((one as HTMLElement).dataset.item)))
    const { visits } = await call('GET', `/appointments/day?idFilial=${idFilial}&date=${day}`)
    const visit = visits.find(({ id }: { id: number }) => id === shownAt[i * 2])
    const span = `from=${day}&to=${day}&idUser=${visit.idUser}&idFilial=${idFilial}`
    const { items } = await call('GET', `/appointments/slots?idService=${idService}&${span}`)
    const free = items.at(-1)
    if (!free) continue
    await page.evaluate((id) => {
      const watched = window as unknown as Watched
      watched.shownAt = undefined
      const top = () => document.querySelector<HTMLElement>(`[data-item="${id}"]`)?.style.top
      const before = top()
      const look = () => {
        if (top() !== before) requestAnimationFrame(() => (watched.shownAt = Date.now()))
        else requestAnimationFrame(look)
      }
      requestAnimationFrame(look)
    }, visit.id)
    const body = { localDate: day, localStart: free.localStart }
    await call('POST', `/appointments/${visit.idAppointment}/move`, body)
    const answered = Date.now()
    await page.waitForFunction(() => (window as unknown as Watched).shownAt, undefined, { timeout: WAIT_MS })
    times.push((await page.evaluate(() => (window as unknown as Required<Watched>).shownAt)) - answered)
    // A screen reads occupied times once a second.
    await sleep(1_000)
  }
  await close()
  return {
    what: `a move by another: from the answer to the second screen (${times.length})`,
    product: ms(median(times)),
    goal: { text: `≤ ${EVENT_GOAL} ms`, met: median(times) <= EVENT_GOAL },
  }
}

const caller = (clinic: BenchClinic, token: string) => async (method: string, path: string, body?: object) => {
  const answer = await fetch(clinic.product.url + path, {
    method,
    headers: { authorization: `Bearer ${token}`, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  })
  const parsed = await answer.json()
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(parsed).slice(0, 300)}`)
  return parsed
}

/** All screens book a random half hour of a random doctor for a random patient, up to the number of attempts. */
async function bookingLines(
  clinic: BenchClinic,
  { idFilial, idService }: { idFilial: number; idService: number },
  attempts: number,
): Promise<Line[]> {
  const { client, data, product } = clinic
  const tokens = await Promise.all(data.idUsers.map((_, at) => clinic.signIn(`bench-${at + 1}`)))
  const { rows } = await client.query<{ from: string; to: string }>(
    `select min("id")::text as from, max("id")::text as to from customers`,
  )
  const [from, to] = [Number(rows[0]?.from), Number(rows[0]?.to)]
  const today = dayIn('Europe/Moscow', Date.now())
  const any = (below: number) => Math.floor(Math.random() * below)
  const counts = new Map<number, number>()
  const times: number[] = []
  let left = attempts
  const began = performance.now()
  /** One sign-in for all screens of a user: another would end it. */
  const signedIn = new Map(tokens.map((token, at) => [`bench-${at + 1}`, Promise.resolve(token)]))
  let [renewals, waits] = [0, 0]
  const renewed = async (login: string, spent: string): Promise<string> => {
    const known = signedIn.get(login)
    const token = await known
    if (token !== undefined && token !== spent) return token
    // Another screen of this user has already renewed it.
    const other = signedIn.get(login)
    if (other !== undefined && other !== known) return other
    renewals++
    const signingIn = clinic.signIn(login)
    signedIn.set(login, signingIn)
    return signingIn
  }
  const screen = async (login: string, first: string) => {
    let token = first
    while (left-- > 0) {
      const at = performance.now()
      const half = any(24)
      const answer = await fetch(`${product.url}/appointments/book`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify({
          idCustomer: from + any(to - from + 1),
          idFilial,
          localDate: plusDays(today, 1 + any(DAYS)),
          coupons: [
            {
              idUser: data.idUsers[any(MANY)],
              localStart: `${String(8 + Math.floor(half / 2)).padStart(2, '0')}:${half % 2 ? '30' : '00'}`,
              services: [{ idService }],
            },
          ],
        }),
      })
      await answer.arrayBuffer()
      if (answer.status === 401) {
        // A token lives for 15 minutes.
        token = await renewed(login, token)
        left++
        continue
      }
      if (answer.status === 429) {
        // Screens with expired tokens count as one anonymous client until they have signed in again.
        waits++
        left++
        await sleep(1_000)
        continue
      }
      times.push(performance.now() - at)
      counts.set(answer.status, (counts.get(answer.status) ?? 0) + 1)
    }
  }
  await Promise.all(
    tokens.flatMap((token, at) => Array.from({ length: SCREENS }, () => screen(`bench-${at + 1}`, token))),
  )
  const seconds = (performance.now() - began) / 1000
  const double = await doubleBookings(client, idService)
  const sorted = times.toSorted((a, b) => a - b)
  const shares = [...counts].toSorted(([a], [b]) => a - b).map(([status, count]) => `${status}: ${count}`)
  return [
    {
      what: `${tokens.length * SCREENS} screens book at random, ${attempts.toLocaleString('en')} attempts: a second`,
      product: String(Math.round(attempts / seconds)),
    },
    { what: `  ${shares.join(', ')}: median, p99`, product: `${ms(median(times))}, ${ms(percentile(sorted, 0.99))}` },
    { what: '  sign-ins anew, as tokens ended; asked to wait', product: `${renewals}; ${waits}` },
    { what: '  double bookings (SQL)', product: String(double), goal: { text: '0', met: double === 0 } },
  ]
}

/** Number of pairs of coupons of one doctor that overlap. @param idService of the coupons: others may need no time of their own */
export async function doubleBookings(client: pg.Client, idService: number): Promise<number> {
  const { rows } = await client.query<{ n: number }>(
    `select count(*)::int as n from coupons a join coupons b
    on b."idUser" = a."idUser" and b."id" > a."id" and b."dateFrom" < a."dateTo" and b."dateTo" > a."dateFrom"
    where not a."cancelled" and not b."cancelled" and not a."deleted" and not b."deleted"
      and a."idService" = $1 and b."idService" = $1`,
    [idService],
  )
  return rows[0]?.n ?? Number.NaN
}
