import { palette } from '@ordinator/model/palette'
import { IconCheck } from '@tabler/icons-react'
import classes from './ColorRow.module.css'
import { contrastColor } from './color.ts'

interface Props {
  value: string | null
  onChange: (color: string) => void
  label?: string
  /** Used inside a menu. */
  inMenu?: boolean
}

/** A row of colours to choose from. */
export function ColorRow({ value, onChange, label = 'Цвет', inMenu }: Props) {
  // Checked manually: only menu roles are allowed inside a menu.
  const roles = inMenu ? { row: 'group', swatch: 'menuitemradio' } : { row: 'radiogroup', swatch: 'radio' }
  return (
    <div className={classes.row} {...{ role: roles.row, 'aria-label': label }}>
      {palette.map(({ value: color, name }) => {
        const chosen = color.toLowerCase() === value?.toLowerCase()
        return (
          <button
            key={color}
            type="button"
            {...{ role: roles.swatch, 'aria-checked': chosen }}
            aria-label={name}
            title={name}
            className={classes.swatch}
            style={{ background: color }}
            onClick={() => onChange(color)}
          >
            {chosen && <IconCheck size={14} color={contrastColor(color)} aria-hidden />}
          </button>
        )
      })}
    </div>
  )
}
