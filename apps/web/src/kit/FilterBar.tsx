import { Button, CloseButton } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { IconAdjustmentsHorizontal } from '@tabler/icons-react'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { ActionButton } from './ActionButton.tsx'
import classes from './FilterBar.module.css'
import { useHotkey } from './hotkeys.ts'
import { IconButton } from './IconButton.tsx'
import { Popover } from './Popover.tsx'
import { SearchField } from './SearchField.tsx'

const TYPING_MS = 300

interface PanelProps {
  label?: string
  /** Number of active filters. */
  count: number
  phone: boolean
  onReset: () => void
  /** The filters, each applied at once. */
  children: ReactNode
}

/** The button «Фильтры» with its panel. */
export function FilterPanelButton({ label = 'Фильтры', count, phone, onReset, children }: PanelProps) {
  const [opened, setOpened] = useState(false)
  return (
    <Popover opened={opened} onChange={setOpened} position="bottom-start" width={phone ? 328 : 560}>
      <Popover.Target>
        {phone ? (
          <IconButton
            icon={IconAdjustmentsHorizontal}
            size={32}
            variant={count ? 'light' : 'default'}
            label={label}
            onClick={() => setOpened(!opened)}
          />
        ) : (
          <ActionButton
            label={count ? `${label}: ${count}` : label}
            variant={count ? 'light' : 'default'}
            icon={IconAdjustmentsHorizontal}
            onClick={() => setOpened(!opened)}
          />
        )}
      </Popover.Target>
      {/* The panel itself gets the focus: its first field would open its list over the others. */}
      <Popover.Dropdown className={classes.panel} aria-label={label} tabIndex={-1} data-autofocus>
        {children}
        <div className={classes.panelFoot}>
          <ActionButton label="Сбросить" variant="subtle" color="gray" disabled={!count} onClick={onReset} />
          <Button onClick={() => setOpened(false)}>Готово</Button>
        </div>
      </Popover.Dropdown>
    </Popover>
  )
}

/** A filter that is on or off. */
export function FilterToggle({ on, label, onChange }: { on: boolean; label: string; onChange: (on: boolean) => void }) {
  return (
    <button type="button" className={classes.toggle} aria-pressed={on} onClick={() => onChange(!on)}>
      {label}
    </button>
  )
}

interface SearchProps {
  value: string | undefined
  onChange: (value: string | undefined) => void
  label: string
  placeholder: string
  /** Description of `/` in the shortcut sheet. */
  hotkey: { label: string; group: string }
}

/** A search field applied while typing. */
export function FilterSearch({ value, onChange, label, placeholder, hotkey }: SearchProps) {
  const [text, setText] = useState(value ?? '')
  const input = useRef<HTMLInputElement>(null)
  const sent = useRef(value)
  const send = useDebouncedCallback((next: string) => {
    sent.current = next.trim() || undefined
    onChange(sent.current)
  }, TYPING_MS)
  // The address may change from outside (Back, «Сбросить»); text being typed takes precedence.
  useEffect(() => {
    if (value === sent.current) return
    sent.current = value
    setText(value ?? '')
  }, [value])
  useHotkey('/', () => input.current?.focus(), hotkey)
  const change = (next: string) => {
    setText(next)
    send(next)
  }
  return (
    <SearchField
      ref={input}
      className={classes.search}
      aria-label={label}
      placeholder={placeholder}
      clearLabel="Очистить"
      value={text}
      onChange={change}
    />
  )
}

export interface FilterChip<P> {
  text: string
  /** The patch of the address that removes it. */
  off: P
}

/** Active filters of a list, each with a button to remove it. Renders nothing when there are none. */
export function FilterChipLine<P>({
  chips,
  onOff,
  onReset,
}: {
  chips: readonly FilterChip<P>[]
  onOff: (off: P) => void
  onReset: () => void
}) {
  if (chips.length === 0) return null
  return (
    <div className={classes.chips}>
      {chips.map(({ text, off }) => (
        <span key={text} className={classes.chip}>
          <span className={classes.chipText}>{text}</span>
          <CloseButton size={20} iconSize={14} aria-label={`Убрать: ${text}`} onClick={() => onOff(off)} />
        </span>
      ))}
      <ActionButton label="Сбросить" variant="subtle" color="gray" size="compact-sm" onClick={onReset} />
    </div>
  )
}
