import { TextInput, type TextInputProps } from '@mantine/core'
import { parseTime } from '@ordinator/model/format'
import { useState } from 'react'

interface Props extends Omit<TextInputProps, 'value' | 'onChange'> {
  value: string
  /** `HH:mm`; an invalid text is passed on as typed, for the validation to refuse. */
  onChange: (time: string) => void
  /** Allows `24:00`, the end of a day. */
  untilMidnight?: boolean
}

/** A typed time of day: «9» and «0930» are accepted too. */
export function TimeField({ value, onChange, untilMidnight, onBlur, onKeyDown, ...input }: Props) {
  const [typed, setTyped] = useState<string>()
  const read = (text: string) => (untilMidnight && /^24([:.]?00)?$/.test(text.trim()) ? '24:00' : parseTime(text))
  return (
    <TextInput
      placeholder="ЧЧ:ММ"
      inputMode="numeric"
      autoComplete="off"
      maxLength={8}
      {...input}
      value={typed ?? value}
      onChange={(event) => {
        const text = event.currentTarget.value
        setTyped(text)
        onChange(read(text) ?? text)
      }}
      onKeyDown={(event) => {
        if (event.key === 'Enter') setTyped(undefined)
        onKeyDown?.(event)
      }}
      onBlur={(event) => {
        setTyped(undefined)
        onBlur?.(event)
      }}
    />
  )
}
