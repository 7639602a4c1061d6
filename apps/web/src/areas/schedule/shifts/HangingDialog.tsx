import type { Hit } from '@ordinator/model/areas/visits/calls'
import { Appointment } from '@ordinator/model/areas/visits/visit'
import { counted } from '@ordinator/model/format'
import { useState } from 'react'
import { ActionButton } from '../../../kit/ActionButton.tsx'
import { ActionDialog } from '../../../kit/ActionDialog.tsx'
import { HStack, VStack } from '../../../kit/Stacks.tsx'
import { UserLink } from '../../../kit/UserLink.tsx'
import { Fine, Muted } from '../../../kit/Words.tsx'
import { useList } from '../../../records/reads.ts'
import { CustomerLink } from '../../customers/index.ts'
import { type DayDoctor, shortDay } from '../day.ts'
import { MoveDialog } from '../visit/MoveDialog.tsx'
import { type ActedVisit, useVisitActs } from '../visit/useVisitActs.tsx'

interface Props {
  hits: readonly Hit[]
  doctors: readonly DayDoctor[]
  onClose: () => void
}

const MOST = 100

/** Visits that have just lost their doctor: each is put elsewhere from here, and leaves the list then. */
export function HangingDialog({ hits, doctors, onClose }: Props) {
  const acts = useVisitActs()
  const [moving, setMoving] = useState<ActedVisit>()
  const ids = [...new Set(hits.map(({ idAppointment }) => idAppointment))].slice(0, MOST)
  const left = useList(
    Appointment,
    {
      filter: { id: { in: ids }, needsRebook: true },
      expand: ['customer', 'user', 'coupons'],
      limit: MOST,
      sort: 'dateFrom',
    },
    { forbidden: 'silent' },
  )
  const rows = left.data?.items ?? []
  const actedOf = (visit: (typeof rows)[number]): ActedVisit | undefined => {
    const coupon = visit.coupons.find(({ id }) => hits.some(({ idCoupon }) => idCoupon === id)) ?? visit.coupons[0]
    return (
      coupon && {
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
    )
  }
  return (
    <ActionDialog
      title="Записи без врача"
      size={600}
      action={rows.length > 0 ? 'Оставить как есть' : 'Готово'}
      cancel={null}
      run={() => undefined}
      onClose={onClose}
    >
      <Muted role="status">
        {rows.length > 0
          ? `${counted(rows.length, ['запись осталась', 'записи остались', 'записей остались'])} без врача. Перенести можно сейчас или позже: в сетке стоит отметка «Требует переноса».`
          : left.isSuccess && 'Все записи перенесены.'}
      </Muted>
      <VStack component="ul" gap={8} aria-label="Записи без врача">
        {rows.map((visit) => {
          const acted = actedOf(visit)
          const patient = visit.customer?.shortFio ?? 'пациент'
          return (
            <li key={visit.id}>
              <HStack justify="space-between" gap={12}>
                <span>
                  {shortDay(visit.localDate)}, {visit.localStart} —{' '}
                  {visit.customer ? <CustomerLink customer={visit.customer} /> : patient}
                  {visit.user && (
                    <Fine component="div">
                      <UserLink user={visit.user} />
                    </Fine>
                  )}
                </span>
                <ActionButton
                  label="Перенести…"
                  aria-label={`Перенести: ${patient}, ${visit.localStart}`}
                  size="compact-sm"
                  variant="default"
                  onClick={() => setMoving(acted)}
                />
              </HStack>
            </li>
          )
        })}
      </VStack>
      {moving && <MoveDialog visit={moving} doctors={doctors} acts={acts} onClose={() => setMoving(undefined)} />}
      {acts.dialog}
    </ActionDialog>
  )
}
