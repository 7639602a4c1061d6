import { TextInput } from '@mantine/core'
import classes from './optionList.module.css'

interface Props {
  label: string
  placeholder: string
  maxLength?: number
  value: string
  onChange: (text: string) => void
  /** Enter was pressed with text in the field. */
  onEnter: () => void
}

/** The search field above a check list; Enter selects the best match and clears the field. */
export function OptionSearch({ label, placeholder, maxLength, value, onChange, onEnter }: Props) {
  return (
    <div className={classes.search}>
      <TextInput
        size="sm"
        aria-label={label}
        placeholder={placeholder}
        maxLength={maxLength}
        data-autofocus
        value={value}
        onChange={(event) => onChange(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || event.nativeEvent.isComposing) return
          event.preventDefault()
          if (value.trim()) onEnter()
        }}
      />
    </div>
  )
}
