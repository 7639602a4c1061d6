import { Alert, Select } from '@mantine/core'
import type { Slot } from '@ordinator/model/areas/visits/calls'
import { minutesOf } from '@ordinator/model/areas/visits/clock'
import { messages } from '@ordinator/model/messages'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '#base/api.ts'
import { ActionButton } from '#kit/ActionButton.tsx'
import { ActionDialog } from '#kit/ActionDialog.tsx'
import { DateField } from '#kit/DateField.tsx'
import { isDay } from '#kit/dateText.ts'
import { NumberField } from '#kit/NumberField.tsx'
import { HStack, Tiles, VStack } from '#kit/Stacks.tsx'
import { TimeField } from '#kit/TimeField.tsx'
import { Fine } from '#kit/Words.tsx'
import { retries } from '#records/reads.ts'
import { type DayDoctor, type DayGroup, dayPaths } from '../day.ts'
import { type RefusedTime, slotText } from '../slots.ts'
import type { ActedVisit, VisitPlace } from './acts/acted.ts'
import type { VisitActs } from './acts/useVisitActs.ts'

interface Props {
  /** Or a group with all participants. */
  visit: ActedVisit | DayGroup
  doctors: readonly DayDoctor[]
  acts: VisitActs
  onClose: () => void
}

/** Moves a visit without a mouse: time, duration, doctor; a taken time is refused with alternatives. */
export function MoveDialog({ visit, doctors, acts, onClose }: Props) {
  const [day, setDay] = useState<string | null>(visit.localDate)
  const [time, setTime] = useState(visit.localStart)
  const [minutes, setMinutes] = useState<number | string | null>(visit.minutes)
  const [idUser, setUser] = useState(String(visit.idUser))
  const [refused, setRefused] = useState<RefusedTime>()
  const nearest = useNearest(visit)
  const known = doctors.some((doctor) => doctor.idUser === visit.idUser)
  const isGroup = !('idAppointment' in visit)
  const put = async (place: VisitPlace) => {
    const done = isGroup
      ? await acts.moveGroup(visit, place, { onRefused: setRefused })
      : await acts.move(visit, place, { onRefused: setRefused })
    if (done) onClose()
    return done
  }
  const takeSlot = ({ localDate, localStart, idUser: doctor, idRoom }: Slot) =>
    void put({ localDate, localStart, minutes: Number(minutes), idUser: doctor, idRoom })
  return (
    <ActionDialog
      title={
        isGroup
          ? `Перенести всю группу: ${visit.service}`
          : visit.patient
            ? `Перенести: ${visit.patient}`
            : 'Перенести запись'
      }
      action="Перенести"
      faults={{
        day: !isDay(day) && 'Укажите день',
        time: minutesOf(time) === undefined && messages.clock,
        minutes: !(Number(minutes) >= 1 && Number(minutes) <= 1_440) && 'От 1 до 1440 минут',
      }}
      onClose={onClose}
      run={() =>
        put({
          localDate: day as string,
          localStart: time,
          minutes: Number(minutes),
          idUser: Number(idUser),
          idRoom: visit.idRoom,
        })
      }
    >
      {(errorOf) => (
        <>
          <Tiles tile={140} fit gap={12}>
            <DateField label="День" value={day} error={errorOf('day')} onChange={setDay} />
            <TimeField label="Начало" value={time} error={errorOf('time')} onChange={setTime} />
            {/* The duration of a group is fixed. */}
            {!isGroup && !visit.idGroup && (
              <NumberField label="Минут" value={minutes} error={errorOf('minutes')} onChange={setMinutes} />
            )}
          </Tiles>
          {known && (
            <Select
              label="Врач"
              searchable
              data={doctors.map((doctor) => ({ value: String(doctor.idUser), label: doctor.shortFio }))}
              value={idUser}
              onChange={(value) => setUser(value ?? idUser)}
            />
          )}
          {isGroup && <Fine>{GROUP}</Fine>}
          {!refused && nearest.length > 0 && (
            <VStack gap={6} role="group" aria-label="Ближайшее свободное время">
              <Fine>Ближайшее свободное время</Fine>
              <TimeButtons slots={nearest} onTake={takeSlot} />
            </VStack>
          )}
          {refused && (
            <Alert role="alert" color="red" variant="light" title={refused.message}>
              <TimeButtons slots={refused.alternatives} onTake={takeSlot} />
            </Alert>
          )}
        </>
      )}
    </ActionDialog>
  )
}

function TimeButtons({ slots, onTake }: { slots: readonly Slot[]; onTake: (slot: Slot) => void }) {
  return (
    <HStack wrap gap={6}>
      {slots.map((slot) => (
        <ActionButton
          key={slotText(slot)}
          label={slotText(slot)}
          size="compact-sm"
          variant="light"
          onClick={() => onTake(slot)}
        />
      ))}
    </HStack>
  )
}

/** Alternative times of a visit; a group gets its own only after a refusal. */
function useNearest(visit: Props['visit']): readonly Slot[] {
  const asked = 'idAppointment' in visit ? visit : undefined
  const found = useQuery({
    queryKey: ['appointments/nearest', asked?.id],
    queryFn: ({ signal }) =>
      api(
        'GET /appointments/:id/nearest',
        { params: { id: asked?.idAppointment as number }, query: { idCoupon: asked?.id as number } },
        { signal, forbidden: 'silent' },
      ),
    enabled: asked !== undefined,
    retry: retries,
    meta: { live: dayPaths },
  })
  return found.data?.items ?? []
}

const GROUP = 'Вместе с группой переносятся все её пациенты. Если новое время не подойдёт, все останутся на прежнем.'
