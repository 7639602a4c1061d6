/** Realtime of this tab: one shared socket, connected to the session, the page and the query cache. */

import type { QueryClient } from '@tanstack/react-query'
import { api } from '#base/api.ts'
import { type ConnectionSource, setConnectionSource } from '#base/connectionSource.ts'
import { earlyCalls } from '#base/earlyCalls.ts'
import { freshToken, httpEvents } from '#base/http.ts'
import { session } from '#base/session.ts'
import { expiryOf, token } from '#base/token.ts'
import { ROOT } from '#kit/root.ts'
import { Live } from './live.ts'
import { presence } from './online.ts'
import { bindQueryCache } from './queryCache.ts'
import { Socket } from './socket.ts'

/** Margin before the token's expiry, so that it does not expire on the way. */
const EXPIRY_MARGIN_MS = 10_000
/** If the server answers calls but not the websocket, the session is checked no more often than this. */
const PROBE_EVERY_MS = 60_000
const RIGHTS_SPREAD_MS = 1_000

let probedAt = Number.NEGATIVE_INFINITY

/**
 * The browser does not report why a websocket was refused: the server may be down, or the session over. A call shows
 * which.
 */
async function socketToken(refused: boolean): Promise<string | null> {
  if (refused && Date.now() - probedAt > PROBE_EVERY_MS && token.get() !== null) {
    await api('POST /users/is-online', { body: { users: [presence.me] } }, { quiet: true, forbidden: 'silent' })
    probedAt = Date.now()
  }
  const current = token.get()
  if (current === null || expiryOf(current) > Date.now() + EXPIRY_MARGIN_MS) return current
  const fresh = await freshToken(current)
  if (fresh === null) httpEvents.unauthorized()
  return fresh
}

export const socket = new Socket({
  token: socketToken,
  url: `${location.protocol === 'https:' ? 'wss' : 'ws'}://${location.host}${ROOT}/ws`,
})

export const live = new Live(socket)

/** Whether the clinic's settings enable the websocket. */
export const socketWanted = (settings: object): boolean =>
  (settings as { websocket?: { active?: unknown } }).websocket?.active === true

let open = false

const source: ConnectionSource = {
  state: () => {
    if (!open) return 'off'
    if (socket.crowded) return 'crowded'
    return socket.state !== 'open' && socket.retrying ? 'connecting' : socket.state
  },
  subscribe: (listener) => socket.on('change', listener),
}

setConnectionSource(source)

/** Updates the menu and page guards after a change of rights. A change for everybody is spread over time. */
function followRights(): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  const end = socket.on('rights', () => {
    timer ??= setTimeout(() => {
      timer = undefined
      void session.reload()
    }, Math.random() * RIGHTS_SPREAD_MS)
  })
  return () => {
    clearTimeout(timer)
    end()
  }
}

/**
 * Runs while a user is signed in.
 * @param idUser the signed-in user
 * @param websocket from the settings; without it only presence is active
 * @returns stops it
 */
export function startRealtime(client: QueryClient, idUser: number, websocket: boolean): () => void {
  open = websocket
  const ends = websocket
    ? [
        bindQueryCache(client, live),
        followRights(),
        socket.on('signOut', () => httpEvents.unauthorized()),
        () => socket.disconnect(),
      ]
    : []
  let ended = false
  // Subscribes from the oldest cursor of the page load, so that no event since then is missed.
  if (websocket) void earlyCalls.cursor().then((cursor) => ended || socket.connect(cursor))
  presence.start(idUser)
  const onVisible = () => {
    presence.visibilityChanged()
    if (document.visibilityState === 'visible') socket.wake()
  }
  const onOnline = () => socket.wake()
  document.addEventListener('visibilitychange', onVisible)
  window.addEventListener('online', onOnline)
  return () => {
    document.removeEventListener('visibilitychange', onVisible)
    window.removeEventListener('online', onOnline)
    ended = true
    open = false
    presence.stop()
    for (const end of ends) end()
  }
}
