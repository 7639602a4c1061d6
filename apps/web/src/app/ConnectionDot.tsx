import { useSyncExternalStore } from 'react'
import classes from './ConnectionDot.module.css'

/** Where the shell learns of the live connection; the realtime part replaces it at its start. */
export interface ConnectionSource {
  state: () => 'off' | 'connecting' | 'open' | 'closed'
  subscribe: (listener: () => void) => () => void
}

let source: ConnectionSource = { state: () => 'off', subscribe: () => () => {} }
let release = () => {}
const listeners = new Set<() => void>()

let telling = false
/** After what runs now: a query that begins to listen changes the connection in the middle of a render. */
function tell(): void {
  if (telling) return
  telling = true
  queueMicrotask(() => {
    telling = false
    for (const listener of listeners) listener()
  })
}

export function setConnectionSource(next: ConnectionSource): void {
  release()
  source = next
  release = next.subscribe(tell)
  tell()
}

const texts = {
  offline: 'Нет подключения к Интернету',
  connecting: 'Соединение восстанавливается, обновления могут запаздывать',
  closed: 'Нет соединения: страница не обновляется сама',
  open: 'Соединение установлено: изменения видны сразу',
  off: '',
}

/** A small mark of the connection. Nothing when all is well and the socket is off by settings. */
export function ConnectionDot() {
  const live = useSyncExternalStore(watchSource, () => source.state())
  const online = useSyncExternalStore(watchOnline, () => navigator.onLine)
  const state = online ? live : 'offline'
  if (state === 'off') return null
  return (
    <span className={classes.dot} data-state={state} role="status" aria-label={texts[state]} title={texts[state]} />
  )
}

function watchSource(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

function watchOnline(listener: () => void): () => void {
  window.addEventListener('online', listener)
  window.addEventListener('offline', listener)
  return () => {
    window.removeEventListener('online', listener)
    window.removeEventListener('offline', listener)
  }
}
