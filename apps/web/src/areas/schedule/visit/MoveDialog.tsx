import { Alert, Select } from '@mantine/core'
import { minutesOf } from '@ordinator/model/areas/visits/clock'
import { messages } from '@ordinator/model/messages'
import { useState } from 'react'
import { ActionButton } from '../../../kit/ActionButton.tsx'
import { ActionDialog } from '../../../kit/ActionDialog.tsx'
import { DateField } from '../../../kit/DateField.tsx'
import { isDay } from '../../../kit/dateText.ts'
import { NumberField } from '../../../kit/NumberField.tsx'
import { HStack, Tiles } from '../../../kit/Stacks.tsx'
import { TimeField } from '../../../kit/TimeField.tsx'
import { Fine } from '../../../kit/Words.tsx'
import type { DayDoctor, DayGroup } from '../day.ts'
import { type RefusedTime, slotText } from '../slots.ts'
import type { ActedVisit, useVisitActs, VisitPlace } from './useVisitActs.tsx'

interface Props {
  /** Of a group: all who are in it. */
  visit: ActedVisit | DayGroup
  doctors: readonly DayDoctor[]
  acts: ReturnType<typeof useVisitActs>
  onClose: () => void
}

/** Another time, length or doctor, without a mouse; what is taken is refused here, with other times to take. */
export function MoveDialog({ visit, doctors, acts, onClose }: Props) {
  const [day, setDay] = useState<string | null>(visit.localDate)
  const [time, setTime] = useState(visit.localStart)
  const [minutes, setMinutes] = useState<number | string | null>(visit.minutes)
  const [idUser, setUser] = useState(String(visit.idUser))
  const [refused, setRefused] = useState<RefusedTime>()
  const known = doctors.some((doctor) => doctor.idUser === visit.idUser)
  const isGroup = !('idAppointment' in visit)
  const put = async (place: VisitPlace) => {
    const done = isGroup
      ? await acts.moveGroup(visit, place, { onRefused: setRefused })
      : await acts.move(visit, place, { onRefused: setRefused })
    if (done) onClose()
    return done
  }
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
            {/* A group is as long for all of it. */}
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
          {refused && (
            <Alert role="alert" color="red" variant="light" title={refused.message}>
              <HStack wrap gap={6}>
                {refused.alternatives.map((slot) => (
                  <ActionButton
                    key={slotText(slot)}
                    label={slotText(slot)}
                    size="compact-sm"
                    variant="light"
                    onClick={() =>
                      void put({
                        localDate: slot.localDate,
                        localStart: slot.localStart,
                        minutes: Number(minutes),
                        idUser: slot.idUser,
                        idRoom: slot.idRoom,
                      })
                    }
                  />
                ))}
              </HStack>
            </Alert>
          )}
        </>
      )}
    </ActionDialog>
  )
}

const GROUP = 'Вместе с группой переносятся все её пациенты. Если новое время не подойдёт, все останутся на прежнем.'
