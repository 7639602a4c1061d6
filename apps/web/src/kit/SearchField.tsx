import { CloseButton, TextInput, type TextInputProps } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import type { Ref } from 'react'

interface Props extends Omit<TextInputProps, 'value' | 'onChange' | 'type' | 'leftSection' | 'rightSection'> {
  /** Spoken; shown by the placeholder. */
  'aria-label': string
  value: string
  onChange: (text: string) => void
  /** Of the button that clears it. */
  clearLabel?: string
  ref?: Ref<HTMLInputElement>
}

/**
 * A search of whatever stands beneath it. Escape clears what was typed, and closes nothing; in an empty search it does
 * what it does elsewhere.
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
