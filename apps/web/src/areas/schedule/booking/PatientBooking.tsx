import { today } from '#kit/clock.ts'
import { useFilial } from '../useFilial.ts'
import { BookingHost } from './BookingHost.tsx'
import type { NewPatient } from './booking.ts'

interface Props {
  /** Absent: a new patient. */
  idCustomer: number | undefined
  /** Known data of a new patient. */
  fresh?: NewPatient
  /** Absent: the user's branch. */
  idFilial: number | undefined
  /** Called when a new card is created. */
  onPatient?: (idCustomer: number) => void
  /** Sends the summary of the booking: «Отправить в чат». */
  onSpoken?: (text: string) => Promise<void>
  onClose: () => void
}

/** Booking dialog on other screens, with a preset patient. */
export function PatientBooking({ idCustomer, fresh, idFilial, onPatient, onSpoken, onClose }: Props) {
  const { filial } = useFilial(idFilial)
  return filial ? (
    <BookingHost
      filial={filial}
      start={{ day: today(), ...(idCustomer !== undefined && { idCustomer }), ...(fresh && { fresh }) }}
      onPatient={onPatient}
      onSpoken={onSpoken}
      onClose={onClose}
    />
  ) : null
}
