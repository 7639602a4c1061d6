import { type VisitStatus, visitStatuses } from '@ordinator/model/areas/visits/rules'
import { counted } from '@ordinator/model/format'
import { useQueryClient } from '@tanstack/react-query'
import { useGo } from '#base/address.ts'
import { api, type Body } from '#base/api.ts'
import { ActionButton } from '#kit/ActionButton.tsx'
import { confirm } from '#kit/confirm.ts'
import { notify } from '#kit/notify.tsx'
import { useAsk } from '#kit/useAsk.ts'
import { notifyTitledFailure } from '#records/notifyFailure.ts'
import { changeDays } from '../../day.ts'
import { useScheduleRights } from '../../rights.ts'
import { statusActs } from '../../statuses.ts'
import { type ActedVisit, readVisitsAgain } from './acted.ts'
import { CancelDialog } from './CancelDialog.tsx'
import { inTurn } from './inTurn.ts'

/** Changes statuses of visits, optimistically; rolled back with the reason on an error. Render `dialog`. */
export function useVisitStatus() {
  const cache = useQueryClient()
  const rights = useScheduleRights()
  const { ask, dialog } = useAsk()
  const leadTo = useGo()

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
      notifyTitledFailure('Состояние не изменилось', error)
      return false
    } finally {
      void readVisitsAgain(cache)
    }
  }

  /** If a patient waits for the freed time, shows a link. */
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
      { title: 'Время освободилось', timeout: 10_000, id: toast },
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

  return { go, missed, dialog }
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
