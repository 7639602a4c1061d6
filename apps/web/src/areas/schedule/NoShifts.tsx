import { StaffEvent } from '@ordinator/model/areas/visits/shift'
import { IconCalendarOff } from '@tabler/icons-react'
import { ActionButton } from '../../kit/ActionButton.tsx'
import { EmptyState } from '../../kit/EmptyState.tsx'
import { HStack } from '../../kit/Stacks.tsx'
import { useList } from '../../records/reads.ts'
import { shortDay } from './day.ts'
import { useScheduleRights } from './rights.ts'

interface Props {
  idFilial: number
  /** The next day with a shift is looked for from the day after this one. */
  after: string
  text: string
  onDay: (day: string) => void
  onMake: () => void
}

/** Nobody works at a branch: leads to the next day on which somebody does, and to the shifts. */
export function NoShifts({ idFilial, after, text, onDay, onMake }: Props) {
  const rights = useScheduleRights()
  const next = useList(
    StaffEvent,
    {
      filter: { type: 'shift', idFilial, localDate: { gt: after } },
      sort: 'localDate',
      fields: ['localDate'],
      limit: 1,
    },
    { forbidden: 'silent' },
  ).data?.items[0]?.localDate
  return (
    <EmptyState
      icon={IconCalendarOff}
      title="Нет смен"
      text={text}
      action={
        <HStack justify="center" wrap>
          {next && <ActionButton label={`Ближайший приём: ${shortDay(next)}`} onClick={() => onDay(next)} />}
          {rights.shifts && <ActionButton label="Создать" variant={next ? 'default' : 'filled'} onClick={onMake} />}
        </HStack>
      }
    />
  )
}
