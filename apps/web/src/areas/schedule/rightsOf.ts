import { type Actor, holds } from '@ordinator/model/access'
import { movable, type TransitionBy, type VisitStatus, wrongTransition } from '@ordinator/model/areas/visits/rules'
import type { DayVisit } from './day.ts'
import { waysOf } from './statuses.ts'

/** The user's rights on the schedule; the server enforces them. */
export interface ScheduleRights {
  book: boolean
  /** Moves, cancels, changes statuses. */
  edit: boolean
  overbook: boolean
  shifts: boolean
  /** Reports that a doctor will not come. */
  absent: boolean
  /** Sees more than the own day. */
  all: boolean
  /** True when the visit can move: started and past ones cannot. */
  moves: (visit: Pick<DayVisit, 'visitStatus'>) => boolean
  ways: (visit: Pick<DayVisit, 'visitStatus' | 'localDate' | 'idUser'>, today: string) => VisitStatus[]
}

export function rightsOf(actor: Actor): ScheduleRights {
  const edit = holds(actor, 'editAppointments')
  return {
    book: holds(actor, 'createAppointments'),
    edit,
    overbook: holds(actor, 'overbookAppointments'),
    shifts: holds(actor, 'editShifts'),
    absent: holds(actor, 'editShifts') || holds(actor, 'markAbsence'),
    all: holds(actor, 'viewAllAppointments'),
    moves: ({ visitStatus }) => edit && movable(visitStatus),
    ways: ({ visitStatus, localDate, idUser }, today) => {
      const can: TransitionBy[] = [
        ...(edit ? (['registry'] as const) : []),
        ...(idUser === actor.id ? (['performer'] as const) : []),
        ...(holds(actor, 'reopenVisit') ? (['reopen'] as const) : []),
      ]
      return waysOf(visitStatus).filter((to) => !wrongTransition(visitStatus, to, { day: localDate, today, can }))
    },
  }
}
