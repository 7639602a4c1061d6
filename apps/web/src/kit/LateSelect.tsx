import { Select, type SelectProps } from '@mantine/core'
import { useEffect, useRef } from 'react'

interface Props extends Omit<SelectProps, 'ref' | 'searchable' | 'onKeyDown'> {
  /** The options have not come. */
  pending: boolean
}

/**
 * A choice out of a list that is read whole. What is typed before it has come is answered when it is there, and so is an
 * Enter.
 */
export function LateSelect({ pending, ...select }: Props) {
  const input = useRef<HTMLInputElement>(null)
  /** What stood in the field at an Enter that came too early. */
  const entered = useRef<string>(undefined)
  useEffect(() => {
    const field = input.current
    if (pending || !field) return
    // Mantine has marked the top match just before.
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
