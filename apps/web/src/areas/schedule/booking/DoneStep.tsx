import { Filial } from '@ordinator/model/areas/filials/filial'
import { ActionButton } from '../../../kit/ActionButton.tsx'
import { HStack, VStack } from '../../../kit/Stacks.tsx'
import { Muted } from '../../../kit/Words.tsx'
import { useRecord } from '../../../records/reads.ts'
import { useCalendarAddress } from '../address.ts'
import { dayWords, shortDay } from '../day.ts'
import classes from './Booking.module.css'
import type { PlacedBooking } from './booking.ts'

interface Props {
  id: number
  booking: PlacedBooking
  onAgain: () => void
  onClose: () => void
}

/** It is booked: what to read to the patient. */
export function DoneStep({ id, booking: { slot, services, course }, onAgain, onClose }: Props) {
  const [, setAddress] = useCalendarAddress()
  const filial = useRecord(Filial, slot.idFilial, {}, { forbidden: 'silent' })
  const place = [filial.data?.nameFilial, filial.data?.filialAddressFact].filter(Boolean).join(', ')
  return (
    <VStack gap={12}>
      <Muted>Прочитайте пациенту:</Muted>
      <p className={classes.speech} role="status">
        Вы записаны: {course ? 'курс, ' : `${dayWords(slot.localDate)}, `}
        {course
          ? `${course.map((one) => `${shortDay(one.localDate)} в ${one.localStart}`).join('; ')}. ${services.map(({ label }) => label).join(', ')}`
          : slot.parts
            ? slot.parts.map((one) => `в ${one.localStart}, врач ${one.userName} — ${one.serviceName}`).join('; ')
            : `в ${slot.localStart}, врач ${slot.userName}. ${services.map(({ label }) => label).join(', ')}`}
        . {place && `Ждём вас: ${place}. `}
        Возьмите с собой паспорт и, если есть, полис.
      </p>
      <HStack justify="end" wrap>
        <ActionButton
          label="Открыть запись"
          variant="subtle"
          onClick={() => setAddress({ visit: id, book: undefined, customer: undefined })}
        />
        <ActionButton label="Ещё запись" variant="default" onClick={onAgain} />
        <ActionButton label="Готово" autoFocus onClick={onClose} />
      </HStack>
    </VStack>
  )
}
