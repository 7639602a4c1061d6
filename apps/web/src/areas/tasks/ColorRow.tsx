import { IconCheck } from '@tabler/icons-react'
import { inkOn, palette } from '../../kit/color.ts'
import classes from './ColorRow.module.css'

interface Props {
  value: string | null
  onChange: (color: string) => void
  label?: string
}

/** A row of colours to choose from. */
export function ColorRow({ value, onChange, label = 'Цвет' }: Props) {
  return (
    <div className={classes.row} role="radiogroup" aria-label={label}>
      {palette.map(({ value: color, name }) => {
        const chosen = color.toLowerCase() === value?.toLowerCase()
        return (
          // biome-ignore lint/a11y/useSemanticElements: a swatch, not a native radio
          <button
            key={color}
            type="button"
            role="radio"
            aria-checked={chosen}
            aria-label={name}
            title={name}
            className={classes.swatch}
            style={{ background: color }}
            onClick={() => onChange(color)}
          >
            {chosen && <IconCheck size={14} color={inkOn(color)} aria-hidden />}
          </button>
        )
      })}
    </div>
  )
}
