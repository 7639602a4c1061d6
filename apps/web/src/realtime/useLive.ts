import { useEffect, useRef, useSyncExternalStore } from 'react'
import { live, socket } from './connection.ts'
import type { LiveTarget } from './live.ts'
import type { SocketState } from './socket.ts'
import type { LiveEvent } from './wire.ts'

export interface LiveOptions extends LiveTarget {
  enabled?: boolean
  /** Displayed data may be stale: after a long break, or a change of rights. */
  onReset?: () => void
}

/**
 * Subscribes to changes at a path while mounted. Hooks of records/ are kept up to date without it: this is for sounds,
 * counters and «новое» marks.
 */
export function useLive(path: string, onEvents: (batch: LiveEvent[]) => void, options: LiveOptions = {}): void {
  const { id, filter, enabled = true } = options
  const latest = useRef({ onEvents, onReset: options.onReset })
  latest.current = { onEvents, onReset: options.onReset }
  const filterText = filter ? JSON.stringify(filter) : ''
  useEffect(() => {
    if (!enabled) return
    const target: LiveTarget = { id, filter: filterText ? JSON.parse(filterText) : undefined }
    return live.subscribe(
      path,
      target,
      (batch) => latest.current.onEvents(batch),
      () => latest.current.onReset?.(),
    )
  }, [path, id, filterText, enabled])
}

const onChange = (listener: () => void) => socket.on('change', listener)

/** State of the connection. */
export function useSocketState(): SocketState {
  return useSyncExternalStore(onChange, () => socket.state)
}
