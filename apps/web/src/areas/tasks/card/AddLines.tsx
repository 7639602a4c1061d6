import { Text } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useRef, useState } from 'react'
import { HStack } from '#kit/Stacks.tsx'
import classes from './Things.module.css'

interface Props {
  label: string
  placeholder: string
  maxLength: number
  /** Focuses a newly created list. */
  autoFocus?: boolean
  onAdd: (line: string) => Promise<unknown>
}

/** Input below a list: Enter adds a row and continues; pasted lines become rows. */
export function AddLines({ label, placeholder, maxLength, autoFocus, onAdd }: Props) {
  const [text, setText] = useState('')
  const [waiting, setWaiting] = useState(0)
  // Sequential, to keep the order.
  const queue = useRef<Promise<unknown>>(Promise.resolve())
  const add = (lines: readonly string[]) => {
    for (const line of lines) {
      setWaiting((n) => n + 1)
      queue.current = queue.current
        .then(() => onAdd(line.slice(0, maxLength)))
        .catch(() => setText((now) => now || line))
        .finally(() => setWaiting((n) => n - 1))
    }
  }
  const commit = () => {
    const line = text.trim()
    setText('')
    if (line) add([line])
  }
  return (
    <HStack component="label" gap={6} c="dimmed" mih={32} flex={1}>
      <IconPlus size={16} aria-hidden />
      <input
        className={classes.adderField}
        aria-label={label}
        placeholder={placeholder}
        maxLength={maxLength}
        value={text}
        // biome-ignore lint/a11y/noAutofocus: the person has just asked for it
        autoFocus={autoFocus}
        onChange={(event) => setText(event.currentTarget.value)}
        onBlur={commit}
        onPaste={(event) => {
          const lines = linesOf(event.clipboardData.getData('text/plain'))
          if (lines.length < 2) return
          event.preventDefault()
          add(text.trim() ? [text.trim() + lines[0], ...lines.slice(1)] : lines)
          setText('')
        }}
        onKeyDown={(event) => {
          if (event.nativeEvent.isComposing) return
          if (event.key === 'Enter') {
            event.preventDefault()
            commit()
          } else if (event.key === 'Escape' && text.trim()) {
            // The first Escape submits the text; the next one closes the card.
            event.stopPropagation()
            commit()
          }
        }}
      />
      {waiting > 0 && (
        <Text span size="xs" role="status">
          Добавляется{waiting > 1 ? `: ${waiting}` : ''}…
        </Text>
      )}
    </HStack>
  )
}

/** Lines without list markers. */
export const linesOf = (text: string): string[] =>
  text
    .split(/\r?\n/)
    .map((line) => line.replace(/^\s*(?:[-*•–—]|\d{1,3}[.)]|\[[ xXх]?\])\s+/, '').trim())
    .filter(Boolean)
