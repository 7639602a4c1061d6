import type { Filial } from '@ordinator/model/areas/filials/filial'
import type { Hit } from '@ordinator/model/areas/visits/calls'
import { eventTypes } from '@ordinator/model/areas/visits/shift'
import type { Row } from '@ordinator/model/entity'
import { plusDays } from '@ordinator/model/zone'
import { IconBeach, IconCalendarRepeat, IconCopy, IconPlus, IconUsers } from '@tabler/icons-react'
import { useState } from 'react'
import { ActionButton } from '#kit/ActionButton.tsx'
import { EmptyState } from '#kit/EmptyState.tsx'
import { ErrorState } from '#kit/ErrorState.tsx'
import { TableSkeleton } from '#kit/Skeletons.tsx'
import { HStack, VStack } from '#kit/Stacks.tsx'
import { UserLink } from '#kit/UserLink.tsx'
import { Fine } from '#kit/Words.tsx'
import { type DayEvent, mondayOf, shortDay, weekOf } from '../day.ts'
import { useScheduleRights } from '../rights.ts'
import { useDay } from '../useDay.ts'
import { CopyWeekDialog } from './CopyWeekDialog.tsx'
import { FillDialog } from './FillDialog.tsx'
import { HangingDialog } from './HangingDialog.tsx'
import { ShiftDialog, type ShiftDraft } from './ShiftDialog.tsx'
import classes from './Shifts.module.css'

interface Props {
  filial: Pick<Row<typeof Filial>, 'id'>
  day: string
  today: string
}

type Open = 'fill' | 'copy' | 'absence'

/** Shifts of a week: a row per person with shifts and absences; a click edits them. */
export default function ShiftsView({ filial, day, today }: Props) {
  const rights = useScheduleRights()
  const monday = mondayOf(day)
  const answer = useDay({ idFilial: filial.id, date: monday, to: plusDays(monday, 6) })
  const [draft, setDraft] = useState<ShiftDraft>()
  const [open, setOpen] = useState<Open>()
  const [hanging, setHanging] = useState<readonly Pick<Hit, 'idAppointment' | 'idCoupon'>[]>([])
  // Without the right to move, visits are only marked.
  const onHit = (hits: readonly Hit[]) => rights.edit && setHanging(hits)
  const days = weekOf(day)
  const add = (idUser: number | null, localDate: string) =>
    setDraft({ type: 'shift', idUser, localDate, localFrom: '09:00', localTo: '15:00', idRoom: null, comment: null })
  const { data } = answer
  if (answer.isError && !data)
    return <ErrorState title="Смены не загрузились" error={answer.error} onRetry={() => void answer.refetch()} />
  return (
    <VStack className={classes.page} gap={12}>
      {rights.shifts && (
        <HStack wrap>
          <ActionButton
            label="Смена"
            icon={IconPlus}
            onClick={() => add(null, days.includes(today) ? today : monday)}
          />
          <ActionButton
            label="Заполнить период"
            icon={IconCalendarRepeat}
            variant="default"
            onClick={() => setOpen('fill')}
          />
          <ActionButton label="Копировать неделю" icon={IconCopy} variant="default" onClick={() => setOpen('copy')} />
          <ActionButton label="Отсутствие" icon={IconBeach} variant="default" onClick={() => setOpen('absence')} />
        </HStack>
      )}
      {!data ? (
        <TableSkeleton rows={8} columns={8} />
      ) : data.doctors.length === 0 ? (
        <EmptyState
          icon={IconUsers}
          title="Нет смен"
          text="На этой неделе в филиале никто не работает."
          action={rights.shifts && <ActionButton label="Создать" onClick={() => setOpen('fill')} />}
        />
      ) : (
        <div className={classes.frame}>
          <table className={classes.table}>
            <thead>
              <tr>
                <th scope="col">Сотрудник</th>
                {days.map((one) => (
                  <th key={one} scope="col" data-today={one === today || undefined}>
                    {shortDay(one)}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {data.doctors.map((doctor) => (
                <tr key={doctor.idUser}>
                  <th scope="row">
                    <UserLink user={{ id: doctor.idUser, shortFio: doctor.shortFio }} />
                    {doctor.post && (
                      <Fine component="div" truncate>
                        {doctor.post}
                      </Fine>
                    )}
                  </th>
                  {days.map((one) => {
                    const events = data.events.filter(
                      (event) => event.idUser === doctor.idUser && event.localDate === one,
                    )
                    return (
                      <td key={one} data-today={one === today || undefined}>
                        {events.map((event) => (
                          <Event
                            key={event.id}
                            event={event}
                            who={doctor.shortFio}
                            onOpen={rights.shifts ? () => setDraft(event) : undefined}
                          />
                        ))}
                        {rights.shifts && (
                          <button
                            type="button"
                            className={classes.add}
                            aria-label={`Добавить смену: ${doctor.shortFio}, ${shortDay(one)}`}
                            onClick={() => add(doctor.idUser, one)}
                          >
                            <IconPlus size={14} aria-hidden />
                          </button>
                        )}
                      </td>
                    )
                  })}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      {draft && (
        <ShiftDialog
          idFilial={filial.id}
          rooms={data?.rooms ?? []}
          draft={draft}
          onHit={onHit}
          onClose={() => setDraft(undefined)}
        />
      )}
      {(open === 'fill' || open === 'absence') && (
        <FillDialog
          idFilial={filial.id}
          monday={monday}
          today={today}
          absence={open === 'absence'}
          onHit={onHit}
          onClose={() => setOpen(undefined)}
        />
      )}
      {open === 'copy' && (
        <CopyWeekDialog idFilial={filial.id} monday={monday} onHit={onHit} onClose={() => setOpen(undefined)} />
      )}
      {hanging.length > 0 && (
        <HangingDialog hits={hanging} doctors={data?.doctors ?? []} onClose={() => setHanging([])} />
      )}
    </VStack>
  )
}

/** An event of a day: a shift by its hours, others by their label. */
function Event({ event, who, onOpen }: { event: DayEvent; who: string; onOpen?: () => void }) {
  const hours = `${event.localFrom}–${event.localTo}`
  const wholeDay = event.localFrom === '00:00' && event.localTo === '24:00'
  const word = event.type === 'shift' ? hours : wholeDay ? eventTypes[event.type] : `${eventTypes[event.type]} ${hours}`
  if (!onOpen)
    return (
      <span className={classes.event} data-type={event.type}>
        {word}
      </span>
    )
  return (
    <button
      type="button"
      className={`${classes.event} tabular`}
      data-type={event.type}
      aria-label={`${eventTypes[event.type]} ${hours}, ${who}`}
      title={event.comment ?? undefined}
      onClick={onOpen}
    >
      {word}
    </button>
  )
}
