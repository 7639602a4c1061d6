import { Portal } from '@mantine/core'
import Mention from '@tiptap/extension-mention'
import type { SuggestionKeyDownProps, SuggestionProps } from '@tiptap/suggestion'
import { useId, useMemo, useRef, useState } from 'react'
import { personName, UserAvatar } from '#kit/UserAvatar.tsx'
import { type Mentionable, mentionable } from './mentionable.ts'
import classes from './mentionSuggest.module.css'

const WIDTH = 280
const ROOM_BELOW = 320

interface Open {
  items: Mentionable[]
  at: number
  rect: DOMRect
  choose: (person: Mentionable) => void
}

/**
 * Mentions with @: the editor's extension, the list beside the editor, and ARIA attributes of the editor's element.
 * `isOpen`: whether keys belong to the list.
 */
export function useMentionSuggest(people: readonly Mentionable[] | undefined) {
  const id = useId()
  const [open, setOpen] = useState<Open>()
  const latest = useRef({ people: people ?? [], open })
  latest.current = { people: people ?? [], open }

  const extension = useMemo(() => {
    const show = (props: SuggestionProps<Mentionable>) => {
      const rect = props.clientRect?.()
      const next = rect
        ? {
            items: props.items,
            at: 0,
            rect,
            choose: (person: Mentionable) => props.command({ id: String(person.id), label: personName(person) }),
          }
        : undefined
      latest.current.open = next
      setOpen(next)
    }
    const close = () => {
      latest.current.open = undefined
      setOpen(undefined)
    }
    const keys = ({ event }: SuggestionKeyDownProps): boolean => {
      const now = latest.current.open
      if (!now) return false
      if (event.key === 'Escape') {
        close()
        return true
      }
      const { items, at } = now
      if (items.length === 0) return false
      if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
        const next = { ...now, at: (at + (event.key === 'ArrowDown' ? 1 : -1) + items.length) % items.length }
        latest.current.open = next
        setOpen(next)
        return true
      }
      if (event.key !== 'Enter' && event.key !== 'Tab') return false
      now.choose(items[at] as Mentionable)
      return true
    }
    return Mention.configure({
      renderText: ({ node }) => `@${node.attrs.label}`,
      renderHTML: ({ node }) => [
        'span',
        { 'data-type': 'mention', 'data-id': node.attrs.id, 'data-label': node.attrs.label },
        `@${node.attrs.label}`,
      ],
      suggestion: {
        items: ({ query }) => mentionable(latest.current.people, query),
        render: () => ({ onStart: show, onUpdate: show, onKeyDown: keys, onExit: close }),
      },
    })
  }, [])

  const list = open && open.items.length > 0 && (
    <Portal>
      <div
        id={id}
        role="listbox"
        aria-label="Кого упомянуть"
        tabIndex={-1}
        className={classes.list}
        style={placeOf(open.rect)}
        // Keeps the focus in the text.
        onMouseDown={(event) => event.preventDefault()}
      >
        {open.items.map((person, at) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are the editor's
          <div
            key={person.id}
            id={`${id}-${person.id}`}
            role="option"
            tabIndex={-1}
            aria-selected={at === open.at}
            className={classes.option}
            onClick={() => open.choose(person)}
          >
            <UserAvatar user={person} size={24} />
            <span className={classes.words}>
              <span>{personName(person)}</span>
              {person.post && <span className={classes.post}>{person.post}</span>}
            </span>
          </div>
        ))}
      </div>
    </Portal>
  )
  const chosen = open?.items[open.at]
  const attributes: Record<string, string> = people ? { 'aria-autocomplete': 'list' } : {}
  if (chosen) Object.assign(attributes, { 'aria-controls': id, 'aria-activedescendant': `${id}-${chosen.id}` })
  return { extension, list, attributes, isOpen: () => (latest.current.open?.items.length ?? 0) > 0 }
}

/** Below the sign, or above it if there is no room. */
function placeOf(rect: DOMRect) {
  const left = Math.max(8, Math.min(rect.left, window.innerWidth - WIDTH - 8))
  return window.innerHeight - rect.bottom > ROOM_BELOW
    ? { left, top: rect.bottom + 4, width: WIDTH }
    : { left, bottom: window.innerHeight - rect.top + 4, width: WIDTH }
}
