import { today } from '#kit/clock.ts'
import { useFilial } from '../useFilial.ts'
import { BookingHost } from './BookingHost.tsx'
import type { NewPatient } from './booking.ts'

interface Props {
  /** Absent: somebody new. */
  idCustomer: number | undefined
  /** What is known of somebody new. */
  fresh?: NewPatient
  /** Absent: where one books usually. */
  idFilial: number | undefined
  /** The card of somebody new is made. */
  onPatient?: (idCustomer: number) => void
  onClose: () => void
}

/** The booking dialog from another screen, with the patient filled in. */
export function PatientBooking({ idCustomer, fresh, idFilial, onPatient, onClose }: Props) {
  const { filial } = useFilial(idFilial)
  return filial ? (
    <BookingHost
      filial={filial}
      start={{ day: today(), ...(idCustomer !== undefined && { idCustomer }), ...(fresh && { fresh }) }}
      onPatient={onPatient}
      onClose={onClose}
    />
  ) : null
}
