import { TextInput, type TextInputProps } from '@mantine/core'
import { formatNumber } from '@ordinator/model/format'
import { useLayoutEffect, useRef, useState } from 'react'
import { readNumber } from './numberText.ts'

interface Props extends Omit<TextInputProps, 'value' | 'onChange' | 'onBlur'> {
  /** An invalid value is shown as typed. */
  value: number | string | null | undefined
  /** null when empty; an invalid text is passed on unchanged, for the validation to refuse. */
  onChange: (value: number | string | null) => void
  onBlur?: () => void
  /** Decimals that are always shown. */
  digits?: number
  /** Shown after the number, or alone for an empty field: '₽'. */
  unit?: string
  /** Without groups of digits: a year. */
  plain?: boolean
}

/** A number as people write it: «1 234,50», «1234.5 руб». An unreadable text is an error, never another number. */
export function NumberField({ value, onChange, onBlur, digits, unit, plain, error, ...input }: Props) {
  const [typed, setTyped] = useState<string>()
  const entered = useRef<HTMLInputElement>(undefined)
  const focused = useRef<HTMLInputElement>(undefined)
  // Removing the unit changes the text and puts the caret at its end: select it, or typed digits would be appended.
  // biome-ignore lint/correctness/useExhaustiveDependencies: once the text is there
  useLayoutEffect(() => {
    entered.current?.select()
    entered.current = undefined
  }, [typed])
  const written = (number: number | string | null | undefined) =>
    plain ? String(number ?? '') : formatNumber(number, digits)
  const isNothing = value === null || value === undefined || value === ''
  const wrong = !isNothing && readNumber(String(value)) === undefined
  // A value that arrives while the empty field has the focus is selected, too: typed digits replace it.
  // biome-ignore lint/correctness/useExhaustiveDependencies: once the value is there
  useLayoutEffect(() => {
    if (!focused.current || typed !== undefined || isNothing || wrong) return
    entered.current = focused.current
    setTyped(written(value))
  }, [value])
  const suffix = unit && !isNothing && !wrong ? `\u00a0${unit}` : ''
  return (
    <TextInput
      inputMode="decimal"
      autoComplete="off"
      placeholder={unit}
      {...input}
      value={typed ?? (wrong ? value : `${written(value)}${suffix}`)}
      error={
        error ?? (wrong && typed === undefined ? `Нужно число, например ${digits ? '1 234,50' : '12'}` : undefined)
      }
      onFocus={(event) => {
        const field = event.currentTarget
        focused.current = field
        if (!wrong && !isNothing) {
          entered.current = field
          setTyped(written(value))
        }
        requestAnimationFrame(() => document.activeElement === field && field.select())
      }}
      onChange={(event) => {
        const text = event.currentTarget.value
        setTyped(text)
        onChange(text.trim() ? (readNumber(text) ?? text) : null)
      }}
      onBlur={() => {
        focused.current = undefined
        setTyped(undefined)
        onBlur?.()
      }}
    />
  )
}
