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
import { DESKLESS, useDeskless } from './useDeskless.ts'

interface Props {
  idFilial: number
  /** The period: «В этот день», «На этой неделе». */
  when: string
  /** Special day of the branch. */
  special?: SpecialDay | undefined
  /** The next shift is searched after this day. */
  after: string
  onDay: (day: string, idFilial: number) => void
  onMake: () => void
}

/** Maximum front desks of a user. */
const MOST_DESKS = 50

/**
 * No shifts at a branch: links to the next day with a shift, and to the shifts. A user limited to the own day gets the
 * own next shift anywhere; an employee of another branch's desk gets a link to it.
 */
export function NoShifts({ idFilial, when, special, after, onDay, onMake }: Props) {
  const rights = useScheduleRights()
  const idUser = useActor().id
  const isDeskless = useDeskless()
  const desk = useList(
    Desk,
    { filter: { idUser }, fields: ['idFilial'], limit: MOST_DESKS },
    { enabled: !rights.all, forbidden: 'silent' },
  )
  const desks = desk.data?.items ?? []
  const own = !rights.all && !desks.some((one) => one.idFilial === idFilial)
  /** The branch of the user's desk, if another one. */
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
          : isDeskless
            ? DESKLESS
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
