import { NumberInput } from '@mantine/core'

const MAX_DAYS = 365
const MAX_MONTHS = 120

interface Props {
  value: number
  onChange: (value: number) => void
}

/** How many days one has to read a regulation. */
export function ReadDaysField({ value, description, onChange }: Props & { description?: string }) {
  return (
    <NumberInput
      label="Дней на ознакомление"
      description={description}
      min={1}
      max={MAX_DAYS}
      allowDecimal={false}
      clampBehavior="strict"
      value={value}
      onChange={(days) => onChange(Number(days) || 1)}
    />
  )
}

/** After how many months a regulation in force is looked through again. */
export function ReviewMonthsField({ value, onChange }: Props) {
  return (
    <NumberInput
      label="Пересмотр, мес."
      description="0: без пересмотра"
      min={0}
      max={MAX_MONTHS}
      allowDecimal={false}
      allowNegative={false}
      value={value}
      onChange={(months) => onChange(Number(months) || 0)}
    />
  )
}
