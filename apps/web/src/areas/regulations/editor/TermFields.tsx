import { Regulation } from '@ordinator/model/areas/regulations/regulation'
import { CheckedNumber } from '#records/fields/CheckedNumber.tsx'

interface Props {
  value: number
  /** Invalid input is passed on, and checked before saving. */
  onChange: (value: number) => void
}

/** Days to read a regulation. */
export function ReadDaysField({ value, description, onChange }: Props & { description?: string }) {
  return (
    <CheckedNumber
      f={Regulation.fields.readDays}
      needed
      label="Дней на ознакомление"
      description={description}
      value={value}
      onChange={(days) => onChange(days as number)}
    />
  )
}

/** Months between reviews of a regulation in force. */
export function ReviewMonthsField({ value, onChange }: Props) {
  return (
    <CheckedNumber
      f={Regulation.fields.reviewMonths}
      label="Пересмотр, мес."
      description="0: без пересмотра"
      value={value}
      onChange={(months) => onChange((months ?? 0) as number)}
    />
  )
}
