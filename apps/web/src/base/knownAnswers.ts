import { type Query, type QueryClient, type QueryKey, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { dayOf, formatDateTime, formatTime, today } from '#kit/clock.ts'
import { stored, write } from './stored.ts'
import { token, userOf } from './token.ts'

/**
 * The last known figures of a page, from this browser's storage: shown at once with their time, while the server counts
 * them again. Kept are counts (lists of no rows) and answers marked by `meta.known`: figures without patients' data. They
 * are deleted at the sign-out, and used only for the user of the token.
 */
const PREFIX = 'ordinator:figures:'
/** Another version of the app may have stored them in another form. */
const build = import.meta.url
/** The answers are stored this long after the last of them. */
const QUIET_MS = 1_000
/** Older figures would surprise more than an empty page. */
const MAX_AGE_MS = 3 * 86_400_000
/** Characters of all answers; above it nothing is kept. */
const MAX_SIZE = 200_000
/** Figures of the last minute are shown without their time. */
const RECENT_MS = 60_000

interface Kept {
  build: string
  user: string | undefined
  answers: { key: QueryKey; data: unknown; at: number }[]
}

interface KnownAnswers {
  /** Whether any were known when the page opened. */
  found: boolean
  /** Milliseconds: time of the oldest figure that the server has not confirmed yet. */
  since: number | undefined
  /** The server refused or could not be reached. */
  failed: boolean
}

/**
 * Restores the known answers of a page before its parts ask for them, and keeps new ones while it is open.
 * @param page its key; part of the storage key
 */
export function useKnownAnswers(page: string): KnownAnswers {
  const client = useQueryClient()
  const [opened] = useState(() => ({ at: Date.now(), found: restore(client, page) }))
  const [state, setState] = useState<Omit<KnownAnswers, 'found'>>(() => stateOf(client, opened))
  useEffect(() => {
    let keeping: ReturnType<typeof setTimeout> | undefined
    let looking: number | undefined
    const look = () => {
      looking = undefined
      setState((before) => {
        const next = stateOf(client, opened)
        return before.since === next.since && before.failed === next.failed ? before : next
      })
    }
    const stop = client.getQueryCache().subscribe(({ type }) => {
      if (type !== 'updated' && type !== 'observerAdded') return
      looking ??= requestAnimationFrame(look)
      clearTimeout(keeping)
      keeping = setTimeout(() => keep(client, page), QUIET_MS)
    })
    return () => {
      stop()
      clearTimeout(keeping)
      if (looking !== undefined) cancelAnimationFrame(looking)
    }
  }, [client, page, opened])
  return { found: opened.found > 0, ...state }
}

/** The time of figures that are not confirmed yet, for the head of the page. */
export function knownTime({ since, failed }: KnownAnswers): string | undefined {
  if (since === undefined || (Date.now() - since < RECENT_MS && !failed)) return undefined
  const moment = new Date(since)
  const at = dayOf(moment) === today() ? formatTime(moment) : formatDateTime(moment)
  return `показатели на ${at}${failed ? ', обновить не удалось' : ', обновляем'}`
}

/** Whether an answer may stay in the browser: a count, or one marked by `meta.known`. */
function isKept({ queryKey, meta }: Pick<Query, 'queryKey' | 'meta'>): boolean {
  if (meta?.known) return true
  const [kind, , what, query] = queryKey
  return kind === 'records' && what === 'list' && (query as { limit?: unknown } | undefined)?.limit === 0
}

const userNow = (): string | undefined => {
  const bearer = token.get()
  return bearer ? userOf(bearer) : undefined
}

/** Puts the known answers into the cache, unless it has newer ones; returns their number. */
function restore(client: QueryClient, page: string): number {
  const kept = stored(PREFIX + page) as Kept | null
  if (kept?.build !== build || kept.user === undefined || kept.user !== userNow()) return 0
  const usable = kept.answers.filter(({ at }) => Date.now() - at < MAX_AGE_MS)
  for (const { key, data, at } of usable) {
    if (client.getQueryState(key)?.data !== undefined) continue
    client.setQueryData(key, data, { updatedAt: at })
    // Changes since then were not received: it is read again, however fresh it is.
    void client.invalidateQueries({ queryKey: key, exact: true, refetchType: 'none' })
  }
  return usable.length
}

/** Queries whose answers are shown now. */
const shownOf = (client: QueryClient): Query[] => client.getQueryCache().findAll({ type: 'active', predicate: isKept })

function keep(client: QueryClient, page: string): void {
  const answers = shownOf(client)
    .filter(({ state }) => state.status === 'success')
    .map(({ queryKey: key, state: { data, dataUpdatedAt: at } }) => ({ key, data, at }))
  const kept: Kept = { build, user: userNow(), answers }
  if (kept.user !== undefined && JSON.stringify(answers).length <= MAX_SIZE) write(PREFIX + page, kept)
}

function stateOf(client: QueryClient, opened: { at: number; found: number }): Omit<KnownAnswers, 'found'> {
  if (opened.found === 0) return { since: undefined, failed: false }
  const old = shownOf(client).filter(({ state }) => state.dataUpdatedAt > 0 && state.dataUpdatedAt < opened.at)
  const waits = old.filter(({ state }) => state.fetchStatus === 'fetching' || state.status === 'error')
  if (waits.length === 0) return { since: undefined, failed: false }
  return {
    since: Math.min(...waits.map(({ state }) => state.dataUpdatedAt)),
    failed: waits.every(({ state }) => state.status === 'error'),
  }
}
