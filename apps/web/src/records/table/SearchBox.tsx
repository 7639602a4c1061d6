import { useDebouncedCallback } from '@mantine/hooks'
import { useRef, useState } from 'react'
import { useHotkey } from '#kit/hotkeys.ts'
import { SearchField } from '#kit/SearchField.tsx'

const DEBOUNCE_MS = 300

interface Props {
  value: string
  onChange: (value: string) => void
  placeholder: string
}

/** The search of a list; `/` focuses it, Escape clears it. */
export function SearchBox({ value, onChange, placeholder }: Props) {
  const input = useRef<HTMLInputElement>(null)
  const [typed, setTyped] = useState<string>()
  const commit = useDebouncedCallback((text: string) => onChange(text), { delay: DEBOUNCE_MS, flushOnUnmount: false })
  useHotkey('/', () => input.current?.focus(), { label: 'Поиск в списке', group: 'Список' })
  // Once the URL has the typed text, the URL is authoritative, so that Back updates the field.
  const settled = typed !== undefined && typed === value && document.activeElement !== input.current
  if (settled) setTyped(undefined)
  const write = (text: string) => {
    setTyped(text)
    commit(text)
  }
  const shown = typed ?? value
  return (
    <SearchField
      ref={input}
      aria-label="Поиск"
      placeholder={placeholder}
      value={shown}
      onChange={write}
      onBlur={() => typed === value && setTyped(undefined)}
    />
  )
}
