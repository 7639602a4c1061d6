import { Chip, Group, Input } from '@mantine/core'
import { type Weekday, weekdayNames, weekdays } from '@ordinator/model/hours'
import type { InputProps } from '#records/fields/ui.ts'

const short: Record<Weekday, string> = {
  monday: 'Пн',
  tuesday: 'Вт',
  wednesday: 'Ср',
  thursday: 'Чт',
  friday: 'Пт',
  saturday: 'Сб',
  sunday: 'Вс',
}

/** Toggle buttons for weekdays; none means every day. */
export function WeekdaysField({ value, onChange, label, description, error, readOnly }: InputProps) {
  const chosen = Array.isArray(value) ? (value as Weekday[]) : []
  return (
    <Input.Wrapper label={label} labelElement="div" description={description} error={error}>
      <Chip.Group
        multiple
        value={chosen}
        onChange={(next) => !readOnly && onChange(weekdayNames.filter((day) => next.includes(day)))}
      >
        <Group gap={4} my={4} role="group" aria-label={String(label)}>
          {weekdayNames.map((day) => (
            <Chip key={day} value={day} size="sm" radius="sm" aria-label={weekdays[day]}>
              {short[day]}
            </Chip>
          ))}
        </Group>
      </Chip.Group>
    </Input.Wrapper>
  )
}
