import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { api } from './api.ts'
import { httpEvents } from './http.ts'
import { useAccount } from './session.ts'

const KEY = ['badges']
/** Path of `Notification`, whose declaration is not needed by every page. */
const NOTIFICATIONS = 'notifications'
/** Writes within this time cause one request. */
const AFTER_WRITES_MS = 1_500

/** Pending work of the user, by menu page: from the account, refreshed after own writes and new notifications. */
export function useBadges(): Record<string, number> {
  const badges = useAccount().user.badges
  const client = useQueryClient()
  const { data = badges } = useQuery({
    queryKey: KEY,
    queryFn: ({ signal }) => api('GET /common/badges', {}, { signal, quiet: true, forbidden: 'silent' }),
    initialData: badges,
    staleTime: Number.POSITIVE_INFINITY,
    meta: { live: [NOTIFICATIONS] },
  })
  useEffect(() => void client.setQueryData(KEY, badges), [client, badges])
  return data
}

/** Refreshes the badges after own writes; used once in the shell. */
export function useFreshBadges(): void {
  const client = useQueryClient()
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    httpEvents.written = (path) => {
      // Reading the account is a POST itself.
      if (path === '/common/get-account') return
      clearTimeout(timer)
      timer = setTimeout(() => void client.invalidateQueries({ queryKey: KEY }), AFTER_WRITES_MS)
    }
    return () => {
      clearTimeout(timer)
      httpEvents.written = () => {}
    }
  }, [client])
}
