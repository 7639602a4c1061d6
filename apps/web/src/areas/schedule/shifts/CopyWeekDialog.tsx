import type { Hit } from '@ordinator/model/areas/visits/calls'
import { plusDays } from '@ordinator/model/zone'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '#base/api.ts'
import { ActionDialog } from '#kit/ActionDialog.tsx'
import { DateField } from '#kit/DateField.tsx'
import { isDay } from '#kit/dateText.ts'
import { NumberField } from '#kit/NumberField.tsx'
import { notify } from '#kit/notify.tsx'
import { Tiles } from '#kit/Stacks.tsx'
import { mondayOf, readDaysAgain, shortDay } from '../day.ts'
import { FillPreview, useFillPreview } from './FillPreview.tsx'
import { filledText } from './filledText.ts'

const MAX_WEEKS = 26

/** Copies a week's shifts to following weeks; occupied days are skipped. */
export function CopyWeekDialog({
  idFilial,
  monday,
  onHit,
  onClose,
}: {
  idFilial: number
  monday: string
  /** Called with the visits left without a doctor. */
  onHit: (hits: readonly Hit[]) => void
  onClose: () => void
}) {
  const cache = useQueryClient()
  const [to, setTo] = useState<string | null>(plusDays(monday, 7))
  const [weeks, setWeeks] = useState<number | string | null>(1)
  const count = Number(weeks)
  const sound = isDay(to) && Number.isInteger(count) && count >= 1 && count <= MAX_WEEKS
  const body = { idFilial, from: monday, to: mondayOf(isDay(to) ? to : monday), weeks: count }
  const preview = useFillPreview('POST /staff-events/copy-week', sound ? body : undefined)
  return (
    <ActionDialog
      title={`Копировать неделю ${shortDay(monday)} — ${shortDay(plusDays(monday, 6))}`}
      action="Копировать"
      faults={{
        to: !isDay(to) && 'Укажите день',
        weeks: !(Number.isInteger(count) && count >= 1 && count <= MAX_WEEKS) && `От 1 до ${MAX_WEEKS}`,
      }}
      onClose={onClose}
      run={async () => {
        const { made, skipped, hit } = await api('POST /staff-events/copy-week', { body }, { forbidden: 'toast' })
        await readDaysAgain(cache)
        notify.success(filledText(made, skipped.length))
        onHit(hit)
      }}
    >
      {(errorOf) => (
        <>
          <Tiles tile={150} fit gap={12}>
            <DateField
              label="На неделю с"
              description="Берётся понедельник этой недели"
              value={to}
              error={errorOf('to')}
              onChange={setTo}
            />
            <NumberField label="Сколько недель" value={weeks} error={errorOf('weeks')} onChange={setWeeks} />
          </Tiles>
          <FillPreview preview={preview} />
        </>
      )}
    </ActionDialog>
  )
}
