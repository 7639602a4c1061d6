/** Visitors waiting for news, in this process's memory; every process notifies them through the fanout. */
import type { Fanout } from '#platform/fanout.ts'
import { NEWS } from './lines.ts'

/** Limits per chat and in total; a waiter above them is released at once. */
const MOST_OF_CHAT = 5
const MOST = 5_000
const TYPING_MS = 6_000
/** Random part of a wait. */
const SPREAD = 0.3

export interface Waiters {
  /**
   * Resolves to true when the chat has news, and to false after this many milliseconds or slightly less, so that
   * waiters released by a restart do not all return at once.
   */
  wait(idChat: number, ms: number, gone: AbortSignal): Promise<boolean>
  /** Whether an operator is typing in the chat. */
  isTyping(idChat: number): boolean
  /** Releases all waiters. */
  close(): void
}

/** @param channel on which chats with news are announced */
export function createWaiters(fanout: Pick<Fanout, 'subscribe' | 'onGap'>, channel = NEWS): Waiters {
  const waiting = new Map<number, Set<(hasNews: boolean) => void>>()
  const typing = new Map<number, number>()
  let all = 0

  const wake = (idChat: number) => {
    for (const go of waiting.get(idChat) ?? []) go(true)
  }
  const wakeAll = () => {
    for (const idChat of waiting.keys()) wake(idChat)
  }
  const ends = [
    fanout.subscribe(channel, (payload) => {
      const idChat = Number(payload.replace(/^t/, ''))
      if (payload.startsWith('t')) {
        const now = Date.now()
        const isNew = (typing.get(idChat) ?? 0) < now
        for (const [id, until] of typing) if (until < now) typing.delete(id)
        typing.set(idChat, now + TYPING_MS)
        if (!isNew) return
      } else typing.delete(idChat)
      wake(idChat)
    }),
    // Events may have been missed: wake all waiters.
    fanout.onGap(wakeAll),
  ]

  return {
    isTyping: (idChat) => (typing.get(idChat) ?? 0) > Date.now(),
    wait(idChat, ms, gone) {
      const others = waiting.get(idChat) ?? new Set()
      if (gone.aborted || all >= MOST || others.size >= MOST_OF_CHAT) return Promise.resolve(false)
      return new Promise((resolve) => {
        const go = (hasNews: boolean) => {
          clearTimeout(timer)
          gone.removeEventListener('abort', leave)
          if (!others.delete(go)) return
          all--
          if (others.size === 0) waiting.delete(idChat)
          resolve(hasNews)
        }
        const leave = () => go(false)
        const timer = setTimeout(leave, ms * (1 - SPREAD * Math.random()))
        gone.addEventListener('abort', leave)
        waiting.set(idChat, others.add(go))
        all++
      })
    },
    close() {
      for (const end of ends) end()
      wakeAll()
    },
  }
}
