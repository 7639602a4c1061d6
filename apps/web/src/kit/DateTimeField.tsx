import { Group, TextInput } from '@mantine/core'
import { parseTime } from '@ordinator/model/format'
import { type ReactNode, useState } from 'react'
import { ActionButton } from './ActionButton.tsx'
import { dayOf, formatTime, momentOf, today } from './clock.ts'
import { PickerInput } from './DateField.tsx'
import { isMoment, MOMENT_FAULT, momentText, readMoment } from './dateText.ts'
import { LateDayPicker } from './LateDayPicker.tsx'

interface Props {
  label?: ReactNode
  'aria-label'?: string
  description?: ReactNode
  error?: ReactNode
  required?: boolean
  disabled?: boolean
  readOnly?: boolean
  name?: string
  w?: number | string
  /** ISO with offset. An invalid value is shown as typed. */
  value: string | null | undefined
  /** ISO with offset, null when empty; an invalid text is passed on unchanged, for the validation to refuse. */
  onChange: (value: string | null) => void
  /** The time of a date given without one: default '00:00'; '18:00' suits a deadline. */
  defaultTime?: string
  onBlur?: () => void
}

/** A date and a time, typed as DD.MM.YYYY HH:mm or in words («пт 15:00»), or picked. */
export function DateTimeField({ value, onChange, defaultTime = '00:00', error, onBlur, ...input }: Props) {
  const [typed, setTyped] = useState<string>()
  const [opened, setOpened] = useState(false)
  const moment = isMoment(value) ? value : null
  const wrong = value && !moment && typed === undefined ? MOMENT_FAULT : undefined
  return (
    <PickerInput
      {...input}
      placeholder="ДД.ММ.ГГГГ ЧЧ:ММ"
      text={typed ?? momentText(value)}
      error={error ?? wrong}
      opened={opened}
      onOpen={setOpened}
      onType={(text) => {
        setTyped(text)
        onChange(text.trim() ? (readMoment(text, defaultTime) ?? text) : null)
      }}
      onLeave={() => {
        setTyped(undefined)
        onBlur?.()
      }}
    >
      <LateDayPicker
        value={moment && dayOf(moment)}
        onChange={(day) => {
          setTyped(undefined)
          if (day) onChange(momentOf(day, moment ? formatTime(moment) : defaultTime))
        }}
      />
      <Group gap="xs" mt="xs" wrap="nowrap">
        <TimeInput
          key={moment ?? ''}
          value={moment ? formatTime(moment) : defaultTime}
          onChange={(time) => onChange(momentOf(moment ? dayOf(moment) : today(), time))}
        />
        <ActionButton label="Готово" variant="default" onClick={() => setOpened(false)} />
      </Group>
    </PickerInput>
  )
}

function TimeInput({ value, onChange }: { value: string; onChange: (time: string) => void }) {
  const [text, setText] = useState(value)
  const time = parseTime(text)
  const commit = () => {
    if (time && time !== value) onChange(time)
  }
  return (
    <TextInput
      aria-label="Время"
      placeholder="ЧЧ:ММ"
      value={text}
      error={text && !time ? 'ЧЧ:ММ' : undefined}
      inputMode="numeric"
      style={{ flex: 1 }}
      onChange={(event) => setText(event.currentTarget.value)}
      onBlur={commit}
      onKeyDown={(event) => {
        if (event.key === 'Enter') commit()
      }}
    />
  )
}
