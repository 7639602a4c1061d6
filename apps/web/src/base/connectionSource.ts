/** State of the live connection for the shell; the realtime part replaces this source at its start. */
export interface ConnectionSource {
  state: () => 'off' | 'connecting' | 'open' | 'closed' | 'crowded'
  subscribe: (listener: () => void) => () => void
}

let source: ConnectionSource = { state: () => 'off', subscribe: () => () => {} }
let release = () => {}
const listeners = new Set<() => void>()

let isNotifying = false
/** Asynchronously: a query that subscribes changes the connection in the middle of a render. */
function notifyAll(): void {
  if (isNotifying) return
  isNotifying = true
  queueMicrotask(() => {
    isNotifying = false
    for (const listener of listeners) listener()
  })
}

export function setConnectionSource(next: ConnectionSource): void {
  release()
  source = next
  release = next.subscribe(notifyAll)
  notifyAll()
}

/** The state of the current source, for `useSyncExternalStore`. */
export const connection: ConnectionSource = {
  state: () => source.state(),
  subscribe(listener) {
    listeners.add(listener)
    return () => listeners.delete(listener)
  },
}
