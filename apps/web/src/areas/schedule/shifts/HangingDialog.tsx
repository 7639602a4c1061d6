import { Select } from '@mantine/core'
import type { Hit, Slot } from '@ordinator/model/areas/visits/calls'
import { Appointment } from '@ordinator/model/areas/visits/visit'
import { counted } from '@ordinator/model/format'
import { useQueries, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { CustomerLink } from '#areas/customers/index.ts'
import { api } from '#base/api.ts'
import { errorMessage } from '#base/apiError.ts'
import { ActionButton } from '#kit/ActionButton.tsx'
import { ActionDialog } from '#kit/ActionDialog.tsx'
import { notify } from '#kit/notify.tsx'
import { PhoneLink } from '#kit/PhoneLink.tsx'
import { HStack, VStack } from '#kit/Stacks.tsx'
import { UserLink } from '#kit/UserLink.tsx'
import { Dotted, Fine, Muted } from '#kit/Words.tsx'
import { invalidateRecords } from '#records/keys.ts'
import { retries, useList } from '#records/reads.ts'
import { type DayDoctor, dayPaths, readDaysAgain, shortDay } from '../day.ts'
import { slotText } from '../slots.ts'
import type { ActedVisit } from '../visit/acts/acted.ts'
import { useVisitActs } from '../visit/acts/useVisitActs.ts'
import { MoveDialog } from '../visit/MoveDialog.tsx'
import { offersFor } from './offers.ts'

interface Props {
  hits: readonly Pick<Hit, 'idAppointment' | 'idCoupon'>[]
  doctors: readonly DayDoctor[]
  onClose: () => void
}

const MOST = 100
/** Option: no time. */
const NONE = ''

/** Visits left without a doctor: moved together to the proposed times, or one by one; moved ones leave the list. */
export function HangingDialog({ hits, doctors, onClose }: Props) {
  const cache = useQueryClient()
  const acts = useVisitActs()
  const [moving, setMoving] = useState<ActedVisit>()
  /** Manually chosen times by visit. */
  const [chosen, setChosen] = useState<Readonly<Record<number, string>>>({})
  const [refused, setRefused] = useState<Readonly<Record<number, string>>>({})
  const ids = [...new Set(hits.map(({ idAppointment }) => idAppointment))].slice(0, MOST)
  const left = useList(
    Appointment,
    {
      filter: { id: { in: ids }, needsRebook: true },
      expand: ['customer', 'user', 'coupons', 'filial'],
      limit: MOST,
      sort: 'dateFrom',
    },
    { forbidden: 'silent' },
  )
  const rows = (left.data?.items ?? []).flatMap((visit) => {
    const coupon = visit.coupons.find(({ id }) => hits.some(({ idCoupon }) => idCoupon === id)) ?? visit.coupons[0]
    if (!coupon) return []
    const acted: ActedVisit = {
      id: coupon.id,
      idAppointment: visit.id,
      idFilial: visit.idFilial,
      idUser: coupon.idUser,
      idRoom: coupon.idRoom,
      localDate: visit.localDate,
      localStart: coupon.localStart,
      minutes: coupon.minutes,
      visitStatus: visit.visitStatus,
      patient: visit.customer?.shortFio ?? null,
      idGroup: coupon.idGroup,
    }
    return [{ visit, acted }]
  })
  const times = useQueries({
    queries: rows.map(({ acted: { id, idAppointment, idGroup } }) => ({
      queryKey: ['appointments/nearest', id],
      queryFn: ({ signal }: { signal: AbortSignal }) =>
        api(
          'GET /appointments/:id/nearest',
          { params: { id: idAppointment }, query: { idCoupon: id } },
          { signal, forbidden: 'silent' as const },
        ),
      // A place in a group moves with its group.
      enabled: idGroup === null,
      retry: retries,
      meta: { live: dayPaths },
    })),
  })
  const slotsOf = (at: number): readonly Slot[] => times[at]?.data?.items ?? []
  const offers = offersFor(
    rows.map(({ acted }, at) => ({
      id: acted.id,
      minutes: acted.minutes,
      slots: slotsOf(at),
      chosen: chosen[acted.id],
    })),
  )
  const isLooking = times.some(({ isLoading }) => isLoading)
  const ready = rows.flatMap(({ acted }) => {
    const slot = offers.get(acted.id)
    return slot ? [{ acted, slot }] : []
  })
  const moveAll = async () => {
    const failed: Record<number, string> = {}
    // Sequential: each move takes a time from the next.
    for (const { acted, slot } of ready)
      await api(
        'POST /appointments/:id/move',
        {
          params: { id: acted.idAppointment },
          body: {
            localDate: slot.localDate,
            localStart: slot.localStart,
            idCoupon: acted.id,
            ...(slot.idUser !== acted.idUser && { idUser: slot.idUser, idRoom: slot.idRoom }),
          },
        },
        { forbidden: 'toast' },
      ).catch((error: unknown) => {
        failed[acted.id] = errorMessage(error)
      })
    setRefused(failed)
    setChosen({})
    await Promise.all([readDaysAgain(cache), invalidateRecords(cache, Appointment.path)])
    const moved = ready.length - Object.keys(failed).length
    if (moved > 0)
      notify.success('Кому включены сообщения «Запись перенесена», тем они уйдут сами', {
        title: `Перенесено: ${counted(moved, VISITS)}`,
      })
    return moved === rows.length ? undefined : false
  }
  const isDone = left.isSuccess && rows.length === 0
  return (
    <ActionDialog
      title="Записи без врача"
      size={680}
      action={isDone ? 'Готово' : `Перенести все: ${ready.length}`}
      disabled={!isDone && (ready.length === 0 || isLooking)}
      cancel={isDone ? null : 'Оставить как есть'}
      run={isDone ? () => undefined : moveAll}
      onClose={onClose}
    >
      <Muted role="status">
        {rows.length > 0
          ? `${counted(rows.length, ['запись осталась', 'записи остались', 'записей остались'])} без врача. Перенести можно сейчас или позже: они стоят в списке «Требуют переноса».`
          : left.isSuccess && 'Все записи перенесены.'}
      </Muted>
      <VStack component="ul" gap={8} aria-label="Записи без врача">
        {rows.map(({ visit, acted }, at) => {
          const patient = visit.customer?.shortFio ?? 'пациент'
          const slots = slotsOf(at)
          const offer = offers.get(acted.id)
          return (
            <li key={visit.id}>
              <HStack wrap justify="space-between" gap={12}>
                <span>
                  {shortDay(visit.localDate)}, {visit.localStart} —{' '}
                  {visit.customer ? <CustomerLink customer={visit.customer} /> : patient}
                  <Fine component="div">
                    <Dotted>
                      {visit.user && <UserLink user={visit.user} />}
                      {visit.filial?.shortFilialName || visit.filial?.nameFilial}
                      {phoneOfPatient(visit.customer) && <PhoneLink phone={phoneOfPatient(visit.customer) as string} />}
                    </Dotted>
                  </Fine>
                </span>
                <HStack gap={6}>
                  {slots.length > 0 && (
                    <Select
                      aria-label={`Новое время: ${patient}, ${visit.localStart}`}
                      w={260}
                      data={[
                        ...slots.map((slot) => ({ value: slotText(slot), label: slotText(slot) })),
                        { value: NONE, label: 'Не переносить' },
                      ]}
                      value={offer ? slotText(offer) : NONE}
                      onChange={(value) => setChosen({ ...chosen, [acted.id]: value ?? NONE })}
                    />
                  )}
                  <ActionButton
                    label="Перенести…"
                    aria-label={`Перенести: ${patient}, ${visit.localStart}`}
                    size="compact-sm"
                    variant="default"
                    onClick={() => setMoving(acted)}
                  />
                </HStack>
              </HStack>
              {times[at]?.isSuccess && slots.length === 0 && <Fine>Свободного времени рядом нет</Fine>}
              {refused[acted.id] && (
                <Fine c="var(--mantine-color-error)" role="alert">
                  {refused[acted.id]}
                </Fine>
              )}
            </li>
          )
        })}
      </VStack>
      {moving && <MoveDialog visit={moving} doctors={doctors} acts={acts} onClose={() => setMoving(undefined)} />}
      {acts.dialog}
    </ActionDialog>
  )
}

/** Whom to call: the patient, else a parent. */
const phoneOfPatient = (customer: Called | null): string | null =>
  customer?.phone ?? customer?.phoneMother ?? customer?.phoneFather ?? null
interface Called {
  phone: string | null
  phoneMother: string | null
  phoneFather: string | null
}

const VISITS = ['запись', 'записи', 'записей'] as const
