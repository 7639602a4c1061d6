import type { Slot } from '@ordinator/model/areas/visits/calls'
import { type VisitStatus, visitStatuses } from '@ordinator/model/areas/visits/rules'
import { Appointment } from '@ordinator/model/areas/visits/visit'
import { counted } from '@ordinator/model/format'
import { useQueryClient } from '@tanstack/react-query'
import { useGo } from '#base/address.ts'
import { api, type Body } from '#base/api.ts'
import { ActionButton } from '#kit/ActionButton.tsx'
import { confirm } from '#kit/confirm.ts'
import { notify } from '#kit/notify.tsx'
import { HStack, VStack } from '#kit/Stacks.tsx'
import { useAsk } from '#kit/useAsk.ts'
import { invalidateRecords } from '#records/keys.ts'
import { tellFailureOf } from '#records/tellFailure.ts'
import { changeDays, type DayGroup, type DayVisit, readDaysAgain, shortDay } from '../day.ts'
import { useScheduleRights } from '../rights.ts'
import { type RefusedTime, refusedTime, slotText } from '../slots.ts'
import { statusActs } from '../statuses.ts'
import { CancelDialog } from './CancelDialog.tsx'
import { inTurn } from './inTurn.ts'

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

interface MoveOptions {
  /** Overbook, or outside a shift. */
  forced?: Pick<Body<'POST /appointments/:id/move'>, 'overbook' | 'outside'>
  /** This move is an undo: without an undo of its own. */
  undoing?: boolean
  /** Handles a refused time; absent: a toast with alternatives. */
  onRefused?: (refused: RefusedTime) => void
}

const LONG_MS = 10_000

/** By group: version shown, and the version after the user's own last move. */
const movedTo = new Map<number, Map<number, number>>()

/** Moves visits and changes statuses, optimistically; rolled back with the reason on an error. */
export function useVisitActs() {
  const cache = useQueryClient()
  const rights = useScheduleRights()
  const { ask, dialog } = useAsk()
  const leadTo = useGo()

  const settle = async () => {
    await Promise.all([readDaysAgain(cache), invalidateRecords(cache, Appointment.path)])
  }

  /** Toast of a refused time with alternatives, and overbooking by right. */
  const showTakenTime = (
    id: string,
    refused: RefusedTime,
    from: Pick<VisitPlace, 'idUser' | 'idRoom'>,
    place: VisitPlace,
    put: (place: VisitPlace, more?: MoveOptions['forced']) => void,
  ) => {
    const again: typeof put = (next, more) => {
      notify.hide(id)
      put(next, more)
    }
    notify.error(
      <VStack gap={6}>
        <span>{refused.message}</span>
        <HStack wrap gap={6}>
          {refused.alternatives.map((slot) => (
            <ActionButton
              key={slotText(slot)}
              label={slotText(slot)}
              size="compact-sm"
              variant="light"
              onClick={() => again(placeOfSlot(slot, place.minutes, from))}
            />
          ))}
          {rights.overbook && (
            <ActionButton
              label={refused.code === 'taken' ? 'Поставить сверх' : 'Поставить вне смены'}
              size="compact-sm"
              variant="default"
              onClick={() => again(place, refused.code === 'taken' ? { overbook: true } : { outside: true })}
            />
          )}
        </HStack>
      </VStack>,
      { title: 'Время занято', timeout: LONG_MS, id },
    )
  }

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
      if (!refused) {
        tellFailureOf('Запись не перенесена', error)
        return false
      }
      if (onRefused) {
        onRefused(refused)
        return false
      }
      showTakenTime(
        `refused-${visit.id}`,
        refused,
        visit,
        place,
        (next, more) => void move(visit, next, { forced: more }),
      )
      return false
    } finally {
      void settle()
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
      if (!refused) tellFailureOf('Группа не перенесена', error)
      else if (onRefused) onRefused(refused)
      else
        showTakenTime(
          `refused-group-${group.id}`,
          refused,
          group,
          place,
          (next, more) => void moveGroup(group, next, { forced: more }),
        )
      return false
    } finally {
      void settle()
    }
  }

  const send = async (visit: ActedVisit, body: Body<'POST /appointments/:id/status'>): Promise<boolean> => {
    const back = changeDays(cache, (one) =>
      one.idAppointment === visit.idAppointment ? { ...one, visitStatus: body.status } : one,
    )
    try {
      await inTurn(visit.idAppointment, () =>
        api('POST /appointments/:id/status', { params: { id: visit.idAppointment }, body }, { forbidden: 'toast' }),
      )
      return true
    } catch (error) {
      back()
      tellFailureOf('Состояние не изменилось', error)
      return false
    } finally {
      void settle()
    }
  }

  /** If somebody waits for the freed time, shows a link. */
  const showWaitingPatients = async ({
    id,
    idFilial,
    idUser,
    localDate,
    localStart,
    minutes,
  }: ActedVisit): Promise<void> => {
    const query = { idFilial, idUser, date: localDate, start: localStart, minutes }
    const found = await api('GET /waiting-list/matches', { query }, { forbidden: 'silent' }).catch(() => undefined)
    if (!found?.items.length) return
    const toast = `freed-${id}`
    const search = { filial: idFilial, user: idUser, day: localDate, start: localStart, minutes }
    notify.info(
      <ActionButton
        label={`Подходит ${counted(found.items.length, ['пациенту', 'пациентам', 'пациентам'])} из листа ожидания`}
        size="compact-sm"
        variant="light"
        onClick={() => {
          notify.hide(toast)
          leadTo({ page: 'waitingList', search })
        }}
      />,
      { title: 'Время освободилось', timeout: LONG_MS, id: toast },
    )
  }

  const go = async (visit: ActedVisit, status: VisitStatus): Promise<void> => {
    if (status === 'cancelled') {
      const answer = await ask<
        Pick<Body<'POST /appointments/:id/status'>, 'cancelReason' | 'cancelNote' | 'cancelledBy'>
      >((done) => <CancelDialog patient={visit.patient} onAnswer={done} />)
      if (!answer || !(await send(visit, { status, ...answer }))) return
      notify.undo('Запись отменена', async () => void (await send(visit, { status: 'booked' })))
      if (rights.book) void showWaitingPatients(visit)
      return
    }
    const takesBack = rights.ways({ ...visit, visitStatus: status }, visit.localDate).includes(visit.visitStatus)
    const early = status === 'completed' && earlyBy(visit.dateFrom)
    if (early && !(await confirm(tooEarly(visit, early)))) return
    if (status === 'completed' && !early && !takesBack && !(await confirm(completion(visit.patient)))) return
    if (!(await send(visit, { status }))) return
    // Undo is offered, as the status removes the patient from the list.
    if (status === 'noShow')
      notify.undo(
        `${visit.patient ?? 'Запись'}: ${visitStatuses.noShow.toLowerCase()}`,
        async () => void (await send(visit, { status: 'booked' })),
      )
    if (status === 'completed' && takesBack)
      notify.undo(
        `${visit.patient ?? 'Запись'}: приём завершён`,
        async () => void (await send(visit, { status: visit.visitStatus })),
      )
  }

  /** Marks visits without a result as no-show. */
  const missed = async (visits: readonly ActedVisit[]): Promise<void> => {
    const marked: ActedVisit[] = []
    for (const visit of visits) if (await send(visit, { status: 'noShow' })) marked.push(visit)
    if (marked.length === 0) return
    notify.undo(
      counted(marked.length, ['пациент отмечен', 'пациента отмечены', 'пациентов отмечены']),
      async () => {
        for (const visit of marked) await send(visit, { status: 'booked' })
      },
      { title: visitStatuses.noShow },
    )
  }

  return { move, moveGroup, go, missed, dialog }
}

const HOUR_MS = 3_600_000

/** Full hours until the visit, if more than one. */
function earlyBy(dateFrom: string | undefined): number {
  if (dateFrom === undefined) return 0
  const hours = Math.floor((Date.parse(dateFrom) - Date.now()) / HOUR_MS)
  return Math.max(0, hours)
}

/** Confirms ending a visit long before its time: probably the wrong one. */
const tooEarly = ({ patient, localStart }: Pick<ActedVisit, 'patient' | 'localStart'>, hours: number) => ({
  title: 'Завершить приём раньше времени?',
  message: `${patient ?? 'Запись'} на ${localStart}: до начала больше ${counted(hours, ['часа', 'часов', 'часов'])}.`,
  confirm: statusActs.completed,
})

/** Confirms completion for users who cannot reopen it. */
const completion = (patient: string | null) => ({
  title: 'Завершить приём?',
  message: `${patient ?? 'Запись'}. Вернуть приём в работу сможет только тот, кому разрешено возобновлять визиты.`,
  confirm: statusActs.completed,
})

const placeOf = ({ idUser, idRoom, localDate, localStart, minutes }: VisitPlace): VisitPlace => ({
  idUser,
  idRoom,
  localDate,
  localStart,
  minutes,
})

const placeOfSlot = (
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
