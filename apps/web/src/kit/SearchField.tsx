import { CloseButton, TextInput, type TextInputProps } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import type { Ref } from 'react'

interface Props extends Omit<TextInputProps, 'value' | 'onChange' | 'type' | 'leftSection' | 'rightSection'> {
  /** Accessible name; the placeholder is shown. */
  'aria-label': string
  value: string
  onChange: (text: string) => void
  /** Label of the clear button. */
  clearLabel?: string
  ref?: Ref<HTMLInputElement>
}

/**
 * A search field for the content below. Escape clears the text without closing anything; in an empty field it acts as
 * elsewhere.
 */
export function SearchField({ value, onChange, clearLabel = 'Очистить поиск', ...input }: Props) {
  return (
    <TextInput
      type="search"
      autoComplete="off"
      {...input}
      leftSection={<IconSearch size={16} />}
      rightSection={value ? <CloseButton size="sm" aria-label={clearLabel} onClick={() => onChange('')} /> : undefined}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || !value || event.nativeEvent.isComposing) return
        event.preventDefault()
        event.stopPropagation()
        onChange('')
      }}
    />
  )
}
