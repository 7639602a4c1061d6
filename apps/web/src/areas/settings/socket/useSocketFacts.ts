import { useRef, useSyncExternalStore } from 'react'
import { socket } from '#realtime/connection.ts'
import type { SocketState } from '#realtime/socket.ts'
import type { Subscription } from '#realtime/subscriptions.ts'

export interface SocketFactsValue {
  state: SocketState
  retrying: boolean
  tries: number
  reconnects: number
  delay: number | undefined
  openedAt: number | undefined
  queued: number
  subscriptions: Subscription[]
}

const onChange = (listener: () => void) => socket.on('change', listener)

/** Current state of the socket. */
export function useSocketFacts(): SocketFactsValue {
  const kept = useRef<{ text: string; facts: SocketFactsValue }>(undefined)
  return useSyncExternalStore(onChange, () => {
    const { state, retrying, tries, reconnects, delay, openedAt, queued } = socket
    const facts = { state, retrying, tries, reconnects, delay, openedAt, queued, subscriptions: socket.subscriptions() }
    const text = JSON.stringify(facts)
    if (kept.current?.text !== text) kept.current = { text, facts }
    return kept.current.facts
  })
}
