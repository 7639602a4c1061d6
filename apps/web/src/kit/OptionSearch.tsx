import { TextInput } from '@mantine/core'
import classes from './optionList.module.css'

interface Props {
  label: string
  placeholder: string
  maxLength?: number
  value: string
  onChange: (text: string) => void
  /** Enter was pressed with something typed. */
  onEnter: () => void
}

/** The field over a list to tick in; Enter takes the top match and is ready for the next. */
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
