import { Appointment, type CouponService } from '@ordinator/model/areas/visits/visit'
import type { Row } from '@ordinator/model/entity'
import { IconBan, IconCheck, IconRotate } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { api, type Body } from '../../../base/api.ts'
import { useActor } from '../../../base/session.ts'
import { ActionMenu, MenuItem } from '../../../kit/ActionMenu.tsx'
import { useAsk } from '../../../kit/useAsk.ts'
import { WordsDialog } from '../../../kit/WordsDialog.tsx'
import { invalidateRecords } from '../../../records/keys.ts'
import { tellFailureOf } from '../../../records/tellFailure.ts'
import { readDaysAgain } from '../day.ts'
import { useScheduleRights } from '../rights.ts'

type Line = Pick<Row<typeof CouponService>, 'id' | 'completed' | 'cancelled'>

/** Marks what of a visit was given and what the patient refused, while it goes on. */
export function useLines() {
  const cache = useQueryClient()
  const actor = useActor()
  const rights = useScheduleRights()
  const { ask, dialog } = useAsk()
  const mark = async (id: number, body: Body<'POST /coupon-services/:id/done'>) => {
    try {
      await api('POST /coupon-services/:id/done', { params: { id }, body }, { forbidden: 'toast' })
    } catch (error) {
      tellFailureOf('Услуга не отмечена', error)
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
    dialog,
    mayMark: ({ visitStatus }: { visitStatus: string }, { idUser }: { idUser: number }): boolean =>
      (visitStatus === 'arrived' || visitStatus === 'inProgress') && (rights.edit || idUser === actor.id),
  }
}

export function LineMenu({ line, name, lines }: { line: Line; name: string; lines: ReturnType<typeof useLines> }) {
  const { id, completed, cancelled } = line
  return (
    <ActionMenu label={`Услуга: ${name}`} size={28}>
      {!completed && (
        <MenuItem label="Оказана" icon={IconCheck} onClick={() => void lines.mark(id, { completed: true })} />
      )}
      {(completed || cancelled) && (
        <MenuItem
          label={completed ? 'Ещё не оказана' : 'Вернуть услугу'}
          icon={IconRotate}
          onClick={() => void lines.mark(id, { completed: false })}
        />
      )}
      {!cancelled && (
        <MenuItem label="Отказ пациента…" icon={IconBan} danger onClick={() => void lines.refuse(id, name)} />
      )}
    </ActionMenu>
  )
}
