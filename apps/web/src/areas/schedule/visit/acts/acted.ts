import type { Slot } from '@ordinator/model/areas/visits/calls'
import { Appointment } from '@ordinator/model/areas/visits/visit'
import type { QueryClient } from '@tanstack/react-query'
import type { Body } from '#base/api.ts'
import { invalidateRecords } from '#records/keys.ts'
import { type DayVisit, readDaysAgain } from '../../day.ts'
import type { RefusedTime } from '../../slots.ts'

/** A visit with the fields for actions: of the grid, the day sheet or its panel. */
export type ActedVisit = Pick<
  DayVisit,
  | 'id'
  | 'idAppointment'
  | 'idFilial'
  | 'idUser'
  | 'idRoom'
  | 'localDate'
  | 'localStart'
  | 'minutes'
  | 'visitStatus'
  | 'patient'
> & { idGroup?: number | null; dateFrom?: string }

export type VisitPlace = Pick<DayVisit, 'idUser' | 'idRoom' | 'localDate' | 'localStart' | 'minutes'>

export interface MoveOptions {
  /** Overbook, or outside a shift. */
  forced?: Pick<Body<'POST /appointments/:id/move'>, 'overbook' | 'outside'>
  /** This move is an undo: without an undo of its own. */
  undoing?: boolean
  /** Handles a refused time; absent: a toast with alternatives. */
  onRefused?: (refused: RefusedTime) => void
}

export const placeOf = ({ idUser, idRoom, localDate, localStart, minutes }: VisitPlace): VisitPlace => ({
  idUser,
  idRoom,
  localDate,
  localStart,
  minutes,
})

export const placeOfSlot = (
  slot: Slot,
  minutes: number,
  { idUser, idRoom }: Pick<VisitPlace, 'idUser' | 'idRoom'>,
): VisitPlace => ({
  idUser: slot.idUser,
  idRoom: slot.idUser === idUser ? idRoom : slot.idRoom,
  localDate: slot.localDate,
  localStart: slot.localStart,
  minutes,
})

/** Reads the shown days and visits again after an action. */
export async function readVisitsAgain(cache: QueryClient): Promise<void> {
  await Promise.all([readDaysAgain(cache), invalidateRecords(cache, Appointment.path)])
}
