import { Select, type SelectProps } from '@mantine/core'
import { useEffect, useRef } from 'react'

interface Props extends Omit<SelectProps, 'ref' | 'searchable' | 'onKeyDown'> {
  /** The options are still loading. */
  pending: boolean
}

/**
 * A select whose options are loaded as a whole. Typed text and an Enter before they arrive are applied when they do.
 */
export function LateSelect({ pending, ...select }: Props) {
  const input = useRef<HTMLInputElement>(null)
  /** Text of the field at an Enter that came too early. */
  const entered = useRef<string>(undefined)
  useEffect(() => {
    const field = input.current
    if (pending || !field) return
    // Mantine has just marked the best match.
    const list = document.getElementById(field.getAttribute('aria-controls') ?? '')
    if (entered.current !== undefined && entered.current === field.value)
      list?.querySelector<HTMLElement>('[data-combobox-selected]')?.click()
    entered.current = undefined
  }, [pending])
  return (
    <Select
      {...select}
      ref={input}
      searchable
      selectFirstOptionOnChange={!pending}
      nothingFoundMessage={pending ? 'Загрузка…' : 'Совпадений не найдено'}
      onKeyDown={(event) => {
        if (!pending || event.key !== 'Enter') return
        event.preventDefault()
        entered.current = event.currentTarget.value
      }}
    />
  )
}
