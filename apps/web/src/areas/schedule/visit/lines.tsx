import { can } from '@ordinator/model/access'
import { Appointment, type CouponService, LinePerformer } from '@ordinator/model/areas/visits/visit'
import type { Row } from '@ordinator/model/entity'
import {
  IconBan,
  IconCheck,
  IconRotate,
  IconShieldDollar,
  IconTicket,
  IconTicketOff,
  IconUsers,
} from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api, type Body } from '#base/api.ts'
import { useActor } from '#base/session.ts'
import { ActionMenu, MenuItem } from '#kit/ActionMenu.tsx'
import { useAsk } from '#kit/useAsk.ts'
import { WordsDialog } from '#kit/WordsDialog.tsx'
import { invalidateRecords } from '#records/keys.ts'
import { notifyTitledFailure } from '#records/notifyFailure.ts'
import { readDaysAgain } from '../day.ts'
import { useScheduleRights } from '../rights.ts'
import { MembershipDialog } from './MembershipDialog.tsx'
import { type SharedLine, SharesDialog } from './SharesDialog.tsx'

type Line = Pick<
  Row<typeof CouponService>,
  'id' | 'completed' | 'cancelled' | 'idMembership' | 'idInsured' | 'isOwnPay'
>

/** Marks services of a running visit as done or refused; edits joint performers. */
export function useLines() {
  const cache = useQueryClient()
  const actor = useActor()
  const rights = useScheduleRights()
  const { ask, dialog } = useAsk()
  const [shared, setShared] = useState<SharedLine>()
  const [covered, setCovered] = useState<{ id: number; idCustomer: number }>()
  const mark = async (id: number, body: Body<'POST /coupon-services/:id/done'>) => {
    try {
      await api('POST /coupon-services/:id/done', { params: { id }, body }, { forbidden: 'toast' })
    } catch (error) {
      notifyTitledFailure('Услуга не отмечена', error)
    }
    await Promise.all([invalidateRecords(cache, Appointment.path), readDaysAgain(cache)])
  }
  const uncover = async (id: number) => {
    try {
      const of = { params: { id }, body: { idMembership: null } }
      await api('POST /coupon-services/:id/membership', of, { forbidden: 'toast' })
    } catch (error) {
      notifyTitledFailure('Услуга осталась на абонементе', error)
    }
    await Promise.all([invalidateRecords(cache, Appointment.path), readDaysAgain(cache)])
  }
  /** Who pays: the patient, or the payer by the programme. */
  const choosePayer = async (id: number, isOwn: boolean) => {
    try {
      await api('POST /coupon-services/:id/payer', { params: { id }, body: { isOwn } }, { forbidden: 'toast' })
    } catch (error) {
      notifyTitledFailure('Плательщик не изменён', error)
    }
    await Promise.all([invalidateRecords(cache, Appointment.path), readDaysAgain(cache)])
  }
  const refuse = async (id: number, name: string) => {
    const refusalReason = await ask<string>((done) => (
      <WordsDialog
        title={`Отказ: ${name}`}
        label="Причина отказа"
        action="Отметить отказ"
        required
        onClose={() => done(undefined)}
        run={(reason) => done(reason)}
      />
    ))
    if (refusalReason) await mark(id, { completed: false, cancelled: true, refusalReason })
  }
  return {
    mark,
    refuse,
    share: setShared,
    cover: setCovered,
    uncover,
    choosePayer,
    mayCover: ({ visitStatus }: { visitStatus: string }, { completed, cancelled }: Line): boolean =>
      rights.edit && !completed && !cancelled && ['booked', 'confirmed', 'arrived', 'inProgress'].includes(visitStatus),
    dialog: (
      <>
        {dialog}
        {shared && <SharesDialog line={shared} onClose={() => setShared(undefined)} />}
        {covered && <MembershipDialog {...covered} onClose={() => setCovered(undefined)} />}
      </>
    ),
    mayShare: ({ cancelled }: { cancelled: boolean }): boolean => !cancelled && can(actor, 'create', LinePerformer),
    /** Before arrival the desk may remove a service. */
    mayRefuse: ({ visitStatus }: { visitStatus: string }): boolean =>
      (visitStatus === 'booked' || visitStatus === 'confirmed') && rights.edit,
    mayAdd: ({ visitStatus }: { visitStatus: string }, coupons: readonly { idUser: number }[]): boolean =>
      ['booked', 'confirmed', 'arrived', 'inProgress'].includes(visitStatus) &&
      (rights.edit || (rights.book && coupons.some(({ idUser }) => idUser === actor.id))),
    mayMark: ({ visitStatus }: { visitStatus: string }, { idUser }: { idUser: number }): boolean =>
      (visitStatus === 'arrived' || visitStatus === 'inProgress') && (rights.edit || idUser === actor.id),
  }
}

interface MenuProps {
  line: Line
  name: string
  lines: ReturnType<typeof useLines>
  /** Can be marked now. */
  marks: boolean
  /** Can be removed and restored now. */
  refuses: boolean
  /** Absent: without the right. */
  onShare: (() => void) | undefined
  /** Absent: a membership can neither be chosen nor taken off now. */
  onCover: (() => void) | undefined
  /** The patient is insured: who pays can be chosen. */
  hasPayer: boolean
}

export function LineMenu({ line, name, lines, marks, refuses, onShare, onCover, hasPayer }: MenuProps) {
  const { id, completed, cancelled } = line
  return (
    <ActionMenu label={`Услуга: ${name}`} size={28}>
      {marks && !completed && (
        <MenuItem label="Оказана" icon={IconCheck} onClick={() => void lines.mark(id, { completed: true })} />
      )}
      {((marks && (completed || cancelled)) || (refuses && cancelled)) && (
        <MenuItem
          label={completed ? 'Ещё не оказана' : 'Вернуть услугу'}
          icon={IconRotate}
          onClick={() => void lines.mark(id, { completed: false })}
        />
      )}
      {onCover && line.idMembership === null && (
        <MenuItem label="Оплатить абонементом…" icon={IconTicket} onClick={onCover} />
      )}
      {onCover && line.idMembership !== null && (
        <MenuItem label="Снять с абонемента" icon={IconTicketOff} onClick={() => void lines.uncover(id)} />
      )}
      {onCover && hasPayer && line.idMembership === null && (
        <MenuItem
          label={line.isOwnPay || line.idInsured === null ? 'Платит плательщик' : 'Платит пациент'}
          icon={IconShieldDollar}
          onClick={() => void lines.choosePayer(id, !line.isOwnPay && line.idInsured !== null)}
        />
      )}
      {onShare && <MenuItem label="Исполнители и доли…" icon={IconUsers} onClick={onShare} />}
      {(marks || refuses) && !cancelled && (
        <MenuItem
          label={refuses ? 'Убрать услугу…' : 'Отказ пациента…'}
          icon={IconBan}
          danger
          onClick={() => void lines.refuse(id, name)}
        />
      )}
    </ActionMenu>
  )
}
