import type { ReactNode } from 'react'
import classes from './Chip.module.css'
import type { Color } from './looks.ts'

interface Props {
  color: Color
  outline?: boolean
  icon?: ReactNode
  title?: string
  children: ReactNode
}

/** A coloured label with sufficient contrast. */
export function Chip({ color, outline, icon, title, children }: Props) {
  return (
    <span className={classes.chip} data-color={color} data-outline={outline || undefined} title={title}>
      {icon}
      {children}
    </span>
  )
}
