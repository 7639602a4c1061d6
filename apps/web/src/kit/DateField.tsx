import { TextInput } from '@mantine/core'
import { messages } from '@ordinator/model/messages'
import { IconCalendar } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { formatDate } from './clock.ts'
import { dateFault, isDay, readDay, typedDay } from './dateText.ts'
import { IconButton } from './IconButton.tsx'
import { LateDayPicker, loadDayPicker } from './LateDayPicker.tsx'
import { Popover } from './Popover.tsx'

interface Common {
  label?: ReactNode
  'aria-label'?: string
  description?: ReactNode
  error?: ReactNode
  required?: boolean
  disabled?: boolean
  readOnly?: boolean
  placeholder?: string
  name?: string
  size?: string
  w?: number | string
  onBlur?: () => void
}

export interface DateFieldProps extends Common {
  /** 'YYYY-MM-DD', or with `birthday` 'DD.MM.YYYY'. An invalid value is shown as typed. */
  value: string | null | undefined
  /**
   * The date in wire format, or null for an empty field. An invalid text is passed on unchanged, for the form's
   * validation to refuse: it is never turned into another date and never cleared.
   */
  onChange: (value: string | null) => void
  birthday?: boolean
  /** 'YYYY-MM-DD' */
  min?: string
  max?: string
}

/** A date typed as DD.MM.YYYY or in words («завтра»), or picked from the calendar. */
export function DateField({ value, onChange, birthday, min, max, error, onBlur, ...input }: DateFieldProps) {
  const [typed, setTyped] = useState<string>()
  const [opened, setOpened] = useState(false)
  const day = readDay(value)
  const emit = (iso: string | null) => onChange(iso && birthday ? formatDate(iso) : iso)
  const shown = typed ?? (day ? formatDate(day) : (value ?? ''))
  const fault = birthday && value && !day ? messages.birthday : dateFault(value, min, max)
  return (
    <PickerInput
      {...input}
      placeholder={input.placeholder ?? 'ДД.ММ.ГГГГ'}
      text={shown}
      error={error ?? (typed === undefined ? fault : undefined)}
      opened={opened}
      onOpen={setOpened}
      onType={(text) => {
        setTyped(text)
        if (!text.trim()) emit(null)
        else {
          const read = birthday ? readDay(text) : typedDay(text)
          if (read) emit(read)
          else onChange(text)
        }
      }}
      onEnter={() => setTyped(undefined)}
      onLeave={() => {
        setTyped(undefined)
        onBlur?.()
      }}
    >
      <LateDayPicker
        value={day}
        defaultLevel={birthday && !day ? 'decade' : 'month'}
        minDate={isDay(min) ? min : undefined}
        maxDate={isDay(max) ? max : undefined}
        onChange={(picked) => {
          setTyped(undefined)
          emit(picked)
          setOpened(false)
        }}
      />
    </PickerInput>
  )
}

const loadAhead = () => void loadDayPicker().catch(() => {})

interface PickerProps extends Common {
  text: string
  opened: boolean
  onOpen: (opened: boolean) => void
  onType: (text: string) => void
  onLeave: () => void
  onEnter: () => void
  children: ReactNode
}

/** A text field with a calendar button on the right; Alt+↓ opens it. */
export function PickerInput({
  text,
  opened,
  onOpen,
  onType,
  onLeave,
  onEnter,
  children,
  onBlur: _,
  ...input
}: PickerProps) {
  const locked = input.disabled || input.readOnly
  // The focus moves into the calendar as it opens: it must be there.
  const open = () => void loadDayPicker().then(show, show)
  const show = () => onOpen(true)
  return (
    <Popover opened={opened} onChange={onOpen} position="bottom-start" withRoles={false}>
      <Popover.Target>
        <TextInput
          {...input}
          value={text}
          autoComplete="off"
          onChange={(event) => onType(event.currentTarget.value)}
          onBlur={onLeave}
          onFocus={loadAhead}
          onKeyDown={(event) => {
            // What was typed is shown as the date it means, and the form goes on with it.
            if (event.key === 'Enter') onEnter()
            if (event.altKey && event.key === 'ArrowDown' && !locked) {
              event.preventDefault()
              open()
            }
          }}
          rightSectionPointerEvents="all"
          rightSection={
            !locked && (
              <IconButton
                icon={IconCalendar}
                size={26}
                label="Открыть календарь"
                aria-haspopup="dialog"
                aria-expanded={opened}
                onPointerEnter={loadAhead}
                onClick={() => (opened ? onOpen(false) : open())}
              />
            )
          }
        />
      </Popover.Target>
      <Popover.Dropdown p="xs">{children}</Popover.Dropdown>
    </Popover>
  )
}
