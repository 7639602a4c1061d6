import { Notification } from '@ordinator/model/areas/notifications/notification'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { api } from './api.ts'
import { httpEvents } from './http.ts'
import { useAccount } from './session.ts'

const KEY = ['badges']
/** What one does in a row is asked about once. */
const AFTER_WRITES_MS = 1_500

/** What awaits the person, by the page of the menu: told with the account, asked again after own writes and new notices. */
export function useBadges(): Record<string, number> {
  const told = useAccount().user.badges
  const client = useQueryClient()
  const { data = told } = useQuery({
    queryKey: KEY,
    queryFn: ({ signal }) => api('GET /common/badges', {}, { signal, quiet: true, forbidden: 'silent' }),
    initialData: told,
    staleTime: Number.POSITIVE_INFINITY,
    meta: { live: [Notification.path] },
  })
  useEffect(() => void client.setQueryData(KEY, told), [client, told])
  return data
}

/** Asks for the badges again after own writes; once in the shell. */
export function useFreshBadges(): void {
  const client = useQueryClient()
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    httpEvents.written = (path) => {
      // The account itself is a POST.
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
