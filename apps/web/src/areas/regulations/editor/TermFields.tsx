import { Regulation } from '@ordinator/model/areas/regulations/regulation'
import { CheckedNumber } from '#records/fields/CheckedNumber.tsx'

interface Props {
  value: number
  /** What is no number of days or months goes on as it is, for the check before the save. */
  onChange: (value: number) => void
}

/** How many days one has to read a regulation. */
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

/** After how many months a regulation in force is looked through again. */
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
