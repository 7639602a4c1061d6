import { formatMonth } from '@ordinator/model/format'
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react'
import { IconButton } from './IconButton.tsx'
import classes from './MonthField.module.css'

interface Props {
  /** Label: «Месяц». */
  label: string
  /** `2026-11`. */
  value: string
  onChange: (month: string) => void
}

const later = (month: string, by: number): string => {
  const [year = 0, at = 1] = month.split('-').map(Number)
  return new Date(Date.UTC(year, at - 1 + by, 1)).toISOString().slice(0, 7)
}

/** A month, with buttons for the previous and next one. */
export function MonthField({ label, value, onChange }: Props) {
  return (
    <fieldset className={classes.month} aria-label={label}>
      <IconButton icon={IconChevronLeft} label="Предыдущий месяц" onClick={() => onChange(later(value, -1))} />
      <output className={classes.name}>{formatMonth(value)}</output>
      <IconButton icon={IconChevronRight} label="Следующий месяц" onClick={() => onChange(later(value, 1))} />
    </fieldset>
  )
}
