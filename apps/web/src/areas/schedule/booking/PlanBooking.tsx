import { today } from '#kit/clock.ts'
import { useFilial } from '../useFilial.ts'
import { BookingHost } from './BookingHost.tsx'
import type { PlannedService } from './booking.ts'

interface Props {
  idCustomer: number
  /** Absent: the user's branch. */
  idFilial: number | undefined
  planned: PlannedService[]
  onClose: () => void
}

/** Booking dialog for services of an agreed treatment plan, at its prices. */
export function PlanBooking({ idCustomer, idFilial, planned, onClose }: Props) {
  const { filial } = useFilial(idFilial)
  return filial ? <BookingHost filial={filial} start={{ day: today(), idCustomer, planned }} onClose={onClose} /> : null
}
