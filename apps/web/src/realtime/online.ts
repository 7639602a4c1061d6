/** The marks of presence of this tab. Apart from the socket, which comes later than the first names on the screen. */
import { useEffect, useSyncExternalStore } from 'react'
import { api } from '../base/api.ts'
import { Presence } from './presence.ts'

export const presence = new Presence({
  ask: (users) => api('POST /users/is-online', { body: { users } }, { quiet: true, forbidden: 'silent' }),
  visible: () => document.visibilityState === 'visible',
})

/** Whether the user is in the net; undefined: nothing is known yet, or nobody is asked for. */
export function useOnline(id: number | undefined): boolean | undefined {
  useEffect(() => (id === undefined ? undefined : presence.watch([id])), [id])
  return useSyncExternalStore(presence.subscribe, () => (id === undefined ? undefined : presence.online().get(id)))
}
