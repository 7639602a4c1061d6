import type { Query, QueryClient } from '@tanstack/react-query'
import { isPassing } from '#kit/failureWords.ts'

/**
 * One rule for every load that failed for a passing reason: it is repeated by itself with growing pauses, while the page
 * is seen and something on it waits for the load. What was known before stays shown.
 */
const PAUSES_MS = [5_000, 10_000, 20_000, 40_000, 60_000, 120_000] as const
/** Share by which a pause is longer at random, so that all pages of a clinic do not come back at one moment. */
const SPREAD = 0.3

interface Plan {
  query: Query
  /** Repeats made so far. */
  tries: number
  /** Milliseconds; the next repeat is not made before. */
  due: number
  timer?: ReturnType<typeof setTimeout> | undefined
}

let quiet = false
/** Whether the call that begins now is a repeat of this rule: its failure has been reported. */
export const isSelfRetry = (): boolean => quiet

interface Page {
  isShown: () => boolean
  /** Calls back when the page may be seen again or has a network again. */
  onBack: (run: () => void) => void
}

const thisPage: Page = {
  isShown: () => document.visibilityState === 'visible' && navigator.onLine,
  onBack(run) {
    document.addEventListener('visibilitychange', run)
    window.addEventListener('online', run)
  },
}

/** Begins to repeat the failed loads of a client. @returns whether a query is being repeated: the failure is known */
export function retryByItself(client: QueryClient, page: Page = thisPage): (query: object) => boolean {
  const plans = new Map<object, Plan>()
  const forget = (query: Query) => {
    clearTimeout(plans.get(query)?.timer)
    plans.delete(query)
  }

  function run(query: Query, plan: Plan): void {
    plan.timer = undefined
    if (!query.isActive() || query.isDisabled()) return void forget(query)
    // It is due when the page comes back.
    if (!page.isShown() || query.state.fetchStatus === 'fetching') return
    plan.tries++
    quiet = true
    try {
      void query.fetch().catch(() => undefined)
    } finally {
      quiet = false
    }
  }

  function plan(query: Query): void {
    const known = plans.get(query)
    clearTimeout(known?.timer)
    const { retryAfter = 0 } = query.state.error as { retryAfter?: number }
    const tries = known?.tries ?? 0
    const pause = (PAUSES_MS[tries] ?? (PAUSES_MS.at(-1) as number)) * (1 + SPREAD * Math.random())
    const wait = Math.max(pause, retryAfter * 1_000)
    const next: Plan = { query, tries, due: Date.now() + wait }
    next.timer = setTimeout(() => run(query, next), wait)
    plans.set(query, next)
  }

  client.getQueryCache().subscribe((event) => {
    const { query } = event
    if (event.type === 'removed') return forget(query)
    if (event.type !== 'updated') return
    if (event.action.type === 'success') forget(query)
    if (event.action.type === 'error' && isPassing(query.state.error)) plan(query)
  })
  page.onBack(() => {
    if (!page.isShown()) return
    for (const one of plans.values()) if (one.timer === undefined && one.due <= Date.now()) run(one.query, one)
  })
  return (query) => (plans.get(query)?.tries ?? 0) > 0
}
