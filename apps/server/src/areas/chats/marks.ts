/** Marks of viewing and typing in a chat: in memory only, shared among servers through the fanout. */
import type { ChatMarks } from '@ordinator/model/areas/chats/calls'
import type { Fanout } from '#platform/fanout.ts'

const CHANNEL = 'chat-marks'
/** Milliseconds after which a mark of viewing or typing expires without a repeat. */
const LOOKS_MS = 12_000
const WRITES_MS = 6_000
const MOST_OF_CHAT = 50
const MOST_CHATS = 5_000

/** Owner of a mark: an employee; absent: the visitor. */
export interface Marked {
  id: number
  name: string
}

interface Mark {
  who: Marked | undefined
  looksUntil: number
  writesUntil: number
}

export interface Marks {
  typing(idChat: number, who: Marked | undefined, isWriting: boolean): void
  /** Marks of a chat, without the requester's own. */
  of(idChat: number, me: number): ChatMarks
  /** A message was sent: its author is no longer typing. */
  stopTyping(idChat: number, idUser: number | undefined): void
  close(): void
}

export function createMarks(fanout: Pick<Fanout, 'publish' | 'subscribe'>): Marks {
  const chats = new Map<number, Map<number, Mark>>()
  const sweep = (now: number) => {
    for (const [idChat, marks] of chats) {
      for (const [id, { looksUntil }] of marks) if (looksUntil < now) marks.delete(id)
      if (marks.size === 0) chats.delete(idChat)
    }
  }
  const end = fanout.subscribe(CHANNEL, (payload) => {
    const [idChat, id, name, writes] = JSON.parse(payload) as [number, number, string, 0 | 1 | -1]
    const now = Date.now()
    if (!chats.has(idChat) && chats.size >= MOST_CHATS) sweep(now)
    const marks = chats.get(idChat) ?? new Map<number, Mark>()
    const before = marks.get(id)
    if (writes === -1) {
      if (before) before.writesUntil = 0
      return
    }
    if (!before && (marks.size >= MOST_OF_CHAT || (!chats.has(idChat) && chats.size >= MOST_CHATS))) return
    marks.set(id, {
      who: id === 0 ? undefined : { id, name },
      looksUntil: now + LOOKS_MS,
      writesUntil: writes ? now + WRITES_MS : (before?.writesUntil ?? 0),
    })
    chats.set(idChat, marks)
  })
  const publish = (idChat: number, who: Marked | undefined, writes: 0 | 1 | -1) =>
    fanout.publish(CHANNEL, JSON.stringify([idChat, who?.id ?? 0, who?.name ?? '', writes]))

  return {
    typing: (idChat, who, isWriting) => publish(idChat, who, isWriting ? 1 : 0),
    stopTyping(idChat, idUser) {
      const marks = chats.get(idChat)
      if (marks) publish(idChat, idUser === undefined ? undefined : { id: idUser, name: '' }, -1)
    },
    of(idChat, me) {
      const now = Date.now()
      const marks = [...(chats.get(idChat)?.values() ?? [])]
      return {
        visitorWrites: marks.some(({ who, writesUntil }) => !who && writesUntil > now),
        people: marks.flatMap(({ who, looksUntil, writesUntil }) =>
          who && who.id !== me && looksUntil > now ? [{ ...who, writes: writesUntil > now }] : [],
        ),
      }
    },
    close: end,
  }
}
