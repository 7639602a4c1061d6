import { useQueryClient } from '@tanstack/react-query'
import { api } from '#base/api.ts'
import { notify } from '#kit/notify.tsx'
import { notifyTitledFailure } from '#records/notifyFailure.ts'
import { changeDays, type DayGroup, shortDay } from '../../day.ts'
import { useScheduleRights } from '../../rights.ts'
import { refusedTime } from '../../slots.ts'
import { type ActedVisit, type MoveOptions, placeOf, readVisitsAgain, type VisitPlace } from './acted.ts'
import { inTurn } from './inTurn.ts'
import { showTakenTime } from './takenTime.tsx'

/** By group: version shown, and the version after the user's own last move. */
const movedTo = new Map<number, Map<number, number>>()

/** Moves visits and groups, optimistically; rolled back with the reason on an error. */
export function useMoveVisit() {
  const cache = useQueryClient()
  const rights = useScheduleRights()

  const move = async (visit: ActedVisit, place: VisitPlace, options: MoveOptions = {}): Promise<boolean> => {
    const { forced, undoing, onRefused } = options
    const back = changeDays(cache, (one) => (one.id === visit.id ? { ...one, ...place } : one))
    const { idUser, idRoom, localDate, localStart, minutes } = place
    try {
      const moved = await api(
        'POST /appointments/:id/move',
        {
          params: { id: visit.idAppointment },
          body: {
            localDate,
            localStart,
            idCoupon: visit.id,
            ...(idUser !== visit.idUser && { idUser }),
            ...(idRoom !== visit.idRoom && { idRoom }),
            ...(minutes !== visit.minutes && { minutes }),
            ...forced,
          },
        },
        { forbidden: 'toast' },
      )
      for (const warning of moved.warnings) notify.info(warning)
      if (!undoing)
        notify.undo(
          `${visit.patient ?? 'Запись'}: ${shortDay(localDate)}, ${localStart}, ${minutes} мин`,
          async () => {
            await move({ ...visit, ...place }, placeOf(visit), { forced: { outside: rights.overbook }, undoing: true })
          },
          { title: 'Запись перенесена' },
        )
      return true
    } catch (error) {
      back()
      const refused = refusedTime(error)
      if (!refused) notifyTitledFailure('Запись не перенесена', error)
      else if (onRefused) onRefused(refused)
      else
        showTakenTime({
          id: `refused-${visit.id}`,
          refused,
          from: visit,
          place,
          mayOverbook: rights.overbook,
          put: (next, more) => void move(visit, next, { forced: more }),
        })
      return false
    } finally {
      void readVisitsAgain(cache)
    }
  }

  /** Moves a group with all participants; its duration is fixed. */
  const moveGroup = async (group: DayGroup, place: VisitPlace, options: MoveOptions = {}): Promise<boolean> => {
    const { forced, undoing, onRefused } = options
    const to = { ...place, minutes: group.minutes }
    const back = changeDays(
      cache,
      (one) => (one.idGroup === group.id ? { ...one, ...to } : one),
      (one) => (one.id === group.id ? { ...one, ...to } : one),
    )
    const { idUser, idRoom, localDate, localStart } = place
    try {
      // Uses the version after the user's own last move, so that undo and redo cause no conflict.
      const version = await inTurn(`group ${group.id}`, async () => {
        const { version: moved } = await api(
          'POST /appointments/groups/:id/move',
          {
            params: { id: group.id },
            body: {
              localDate,
              localStart,
              ...(idUser !== group.idUser && { idUser }),
              ...(idRoom !== group.idRoom && { idRoom }),
              ...forced,
              _version: movedTo.get(group.id)?.get(group.version) ?? group.version,
            },
          },
          { forbidden: 'toast' },
        )
        const own = movedTo.get(group.id) ?? new Map<number, number>()
        for (const before of [...own.keys(), group.version]) own.set(before, moved)
        movedTo.set(group.id, own)
        return moved
      })
      if (!undoing)
        notify.undo(
          `${group.service}: ${shortDay(localDate)}, ${localStart}`,
          async () => {
            await moveGroup({ ...group, ...to, version }, placeOf(group), {
              forced: { outside: rights.overbook },
              undoing: true,
            })
          },
          { title: 'Группа перенесена' },
        )
      return true
    } catch (error) {
      back()
      const refused = refusedTime(error)
      if (!refused) notifyTitledFailure('Группа не перенесена', error)
      else if (onRefused) onRefused(refused)
      else
        showTakenTime({
          id: `refused-group-${group.id}`,
          refused,
          from: group,
          place,
          mayOverbook: rights.overbook,
          put: (next, more) => void moveGroup(group, next, { forced: more }),
        })
      return false
    } finally {
      void readVisitsAgain(cache)
    }
  }

  return { move, moveGroup }
}
