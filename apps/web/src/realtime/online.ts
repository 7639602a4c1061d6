/** Presence of this tab. Separate from the socket, which is loaded later than the first names on the screen. */
import { useEffect, useSyncExternalStore } from 'react'
import { api } from '#base/api.ts'
import { Presence } from './presence.ts'

export const presence = new Presence({
  ask: (users) => api('POST /users/is-online', { body: { users } }, { quiet: true, forbidden: 'silent' }),
  visible: () => document.visibilityState === 'visible',
})

/** Whether the user is online; undefined: not known yet, or no id. */
export function useOnline(id: number | undefined): boolean | undefined {
  useEffect(() => (id === undefined ? undefined : presence.watch([id])), [id])
  return useSyncExternalStore(presence.subscribe, () => (id === undefined ? undefined : presence.online().get(id)))
}
