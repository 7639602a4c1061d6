import { ChatSuggestion } from '@ordinator/model/areas/chats/chatSettings'
import { GUEST } from '@ordinator/model/areas/chats/liveAssist'
import { filledReply } from '@ordinator/model/areas/chats/rules'
import type { Row } from '@ordinator/model/entity'
import { phoneText } from '@ordinator/model/phone'
import { type KeyboardEvent, useState } from 'react'
import { useMentionable } from '#areas/staff/index.ts'
import { useAccount } from '#base/session.ts'
import { byMatch } from '#kit/byMatch.ts'
import { formatDate } from '#kit/clock.ts'
import { personName } from '#kit/UserAvatar.tsx'
import { useCan } from '#records/Can.tsx'
import { mentionable } from '#records/fields/mentionable.ts'
import { useList } from '#records/reads.ts'
import type { OpenChat } from '../tabs.ts'
import type { Written } from './written.ts'

const SHOWN = 6

/** What is inserted by a key: a quick reply after «/», a colleague after «@». */
export interface Offer {
  id: number
  mark: string
  name: string
  text: string
  take: () => void
}

/** Replies whose code starts with the text come first, then matches in the name. */
const repliesFor = (all: readonly Row<typeof ChatSuggestion>[], asked: string) =>
  byMatch(
    byMatch(all, asked, ({ name }) => name),
    asked,
    ({ code }) => code,
  ).filter(({ code, name }) => code.toLowerCase().startsWith(asked) || name.toLowerCase().includes(asked))

/** Values of the places of a quick reply. */
const placesOf = ({ name, filial }: OpenChat) => ({
  имя: name === GUEST ? undefined : name,
  дата: formatDate(new Date()),
  филиал: filial?.nameFilial,
  'телефон филиала': filial?.filialPhone ? phoneText(filial.filialPhone) : undefined,
})

/** The word before the caret that begins with the mark, without it. */
const wordAt = (mark: RegExp, text: string, caret: number) => mark.exec(text.slice(0, caret))?.[1]?.toLowerCase()
// At the start of any line.
const REPLY = /(?:^|\n)\/([\p{L}\d_-]*)$/u
const MENTION = /(?:^|\s)@([\p{L}\d-]*)$/u

interface Asked {
  chat: OpenChat
  mode: 'reply' | 'note'
  written: Written
  /** Replaces what is written; the field gets the focus. */
  onTake: (next: Written) => void
}

/** Offers for the word before the caret, and their keys. */
export function useOffers({ chat, mode, written, onTake }: Asked) {
  const me = useAccount().user.identity.id
  const people = useMentionable()
  const suggestions = useList(
    ChatSuggestion,
    { limit: 200, sort: 'name' },
    { enabled: useCan('view', ChatSuggestion), staleTime: 60_000 },
  )
  const [chosen, setChosen] = useState(0)
  const [caret, setCaret] = useState(0)
  /** The text for which Escape has closed the offers. */
  const [refused, setRefused] = useState<string>()

  const { text } = written
  const code = mode === 'reply' ? wordAt(REPLY, text, caret) : undefined
  const called = mode === 'note' ? wordAt(MENTION, text, caret) : undefined
  /** Replaces the text from a place to the caret. */
  const insert = (from: number, inserted: string, rest: string, more: Partial<Written> = {}) => {
    const before = text.slice(0, from) + inserted
    onTake({ ...written, ...more, text: before + rest })
    setCaret(before.length)
  }
  const replies = (): Offer[] =>
    code === undefined
      ? []
      : repliesFor(suggestions.data?.items ?? [], code).map((one) => ({
          id: one.id,
          mark: `/${one.code}`,
          name: one.name,
          text: one.text,
          take: () => insert(caret - code.length - 1, filledReply(one.text, placesOf(chat)), text.slice(caret)),
        }))
  const colleagues = (): Offer[] =>
    called === undefined
      ? []
      : mentionable(
          people
            .filter((one) => one.id !== me)
            // Operators first; a note may mention anyone who can see it.
            .toSorted((a, b) => Number(b.isLiveAssist) - Number(a.isLiveAssist)),
          called,
        ).map((one) => {
          const label = personName(one)
          const named = [...(written.named ?? []), { id: one.id, label }]
          return {
            id: one.id,
            mark: `@${label}`,
            name: '',
            text: one.post ?? '',
            take: () => insert(caret - called.length, `${label} `, text.slice(caret).trimStart(), { named }),
          }
        })
  const fitting = replies()
  const offers = text === refused ? [] : [...fitting.slice(0, SHOWN), ...colleagues()]

  /** Whether the key was for the offers. */
  const onKey = (event: KeyboardEvent): boolean => {
    if (offers.length === 0) return false
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
    if (step) {
      event.preventDefault()
      setChosen((at) => (at + step + offers.length) % offers.length)
    } else if (event.key === 'Enter' || event.key === 'Tab') {
      event.preventDefault()
      offers[chosen]?.take()
    } else if (event.key === 'Escape') {
      event.stopPropagation()
      setRefused(text)
    } else return false
    return true
  }
  return {
    offers,
    chosen,
    /** Fitting replies that are not shown. */
    more: Math.max(0, fitting.length - SHOWN),
    setCaret,
    onKey,
    /** After each change of the text. */
    reset: () => {
      setRefused(undefined)
      setChosen(0)
    },
  }
}
