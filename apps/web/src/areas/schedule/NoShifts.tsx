import { StaffEvent } from '@ordinator/model/areas/visits/shift'
import { Desk } from '@ordinator/model/areas/visits/visit'
import { IconCalendarOff } from '@tabler/icons-react'
import { useActor } from '#base/session.ts'
import { ActionButton } from '#kit/ActionButton.tsx'
import { EmptyState } from '#kit/EmptyState.tsx'
import { HStack } from '#kit/Stacks.tsx'
import { useList } from '#records/reads.ts'
import { type SpecialDay, shortDay, specialWords } from './day.ts'
import { useScheduleRights } from './rights.ts'

interface Props {
  idFilial: number
  /** What is shown: «В этот день», «На этой неделе». */
  when: string
  /** The branch has a special day. */
  special?: SpecialDay | undefined
  /** The next day with a shift is looked for from the day after this one. */
  after: string
  onDay: (day: string, idFilial: number) => void
  onMake: () => void
}

/** Desks that one person keeps. */
const MOST_DESKS = 50

/**
 * Nobody works at a branch: leads to the next day on which somebody does, and to the shifts. Who sees the own day alone is
 * told of it, and led to the own next shift, wherever it is; who keeps the desk of another branch is led there.
 */
export function NoShifts({ idFilial, when, special, after, onDay, onMake }: Props) {
  const rights = useScheduleRights()
  const idUser = useActor().id
  const desk = useList(
    Desk,
    { filter: { idUser }, fields: ['idFilial'], limit: MOST_DESKS },
    { enabled: !rights.all, forbidden: 'silent' },
  )
  const desks = desk.data?.items ?? []
  const own = !rights.all && !desks.some((one) => one.idFilial === idFilial)
  /** The branch whose desk one keeps, where it is another one. */
  const elsewhere = own ? desks[0]?.idFilial : undefined
  const next = useList(
    StaffEvent,
    {
      filter: { type: 'shift', ...(own ? { idUser } : { idFilial }), localDate: { gt: after } },
      sort: 'localDate',
      fields: ['localDate', 'idFilial'],
      limit: 1,
    },
    { enabled: rights.all || desk.isSuccess, forbidden: 'silent' },
  ).data?.items[0]
  if (!rights.all && desk.isPending) return null
  return (
    <EmptyState
      icon={IconCalendarOff}
      title="Нет смен"
      text={[
        special && `${specialWords(special)}.`,
        elsewhere !== undefined
          ? 'Записи этого филиала вам не видны: вы ведёте регистратуру другого.'
          : own
            ? `${when} вы не принимаете.`
            : `${when} в филиале никто не принимает.`,
      ]
        .filter(Boolean)
        .join(' ')}
      action={
        <HStack justify="center" wrap>
          {elsewhere !== undefined && <ActionButton label="К своему филиалу" onClick={() => onDay(after, elsewhere)} />}
          {next && (
            <ActionButton
              label={`Ближайший приём: ${shortDay(next.localDate)}`}
              onClick={() => onDay(next.localDate, next.idFilial ?? idFilial)}
            />
          )}
          {rights.shifts && <ActionButton label="Создать" variant={next ? 'default' : 'filled'} onClick={onMake} />}
        </HStack>
      }
    />
  )
}
