import type { Hit } from '@ordinator/model/areas/visits/calls'
import { plusDays } from '@ordinator/model/zone'
import { useQueryClient } from '@tanstack/react-query'
import { api, type Body } from '#base/api.ts'
import { DateField } from '#kit/DateField.tsx'
import { isDay } from '#kit/dateText.ts'
import { FormDialog } from '#kit/FormDialog.tsx'
import { NumberField } from '#kit/NumberField.tsx'
import { notify } from '#kit/notify.tsx'
import { Tiles } from '#kit/Stacks.tsx'
import { mondayOf, readDaysAgain, shortDay } from '../day.ts'
import { FillPreview, useFillPreview } from './FillPreview.tsx'
import { filledText } from './filledText.ts'

const MAX_WEEKS = 26

interface Props {
  idFilial: number
  monday: string
  /** Called with the visits left without a doctor. */
  onHit: (hits: readonly Hit[]) => void
  onClose: () => void
}

interface Draft {
  to: string | null
  weeks: number | null
}

const isCount = (weeks: number | null): weeks is number =>
  Number.isInteger(weeks) && Number(weeks) >= 1 && Number(weeks) <= MAX_WEEKS

/** Copies a week's shifts to following weeks; occupied days are skipped. */
export function CopyWeekDialog({ idFilial, monday, onHit, onClose }: Props) {
  const cache = useQueryClient()
  const bodyOf = ({ to, weeks }: Draft) => ({
    idFilial,
    from: monday,
    to: mondayOf(isDay(to) ? to : monday),
    weeks: Number(weeks),
  })
  const draft: Draft = { to: plusDays(monday, 7), weeks: 1 }
  return (
    <FormDialog
      title={`Копировать неделю ${shortDay(monday)} — ${shortDay(plusDays(monday, 6))}`}
      action="Копировать"
      draft={draft}
      faults={({ to, weeks }) => ({
        to: !isDay(to) && 'Укажите день',
        weeks: !isCount(weeks) && `От 1 до ${MAX_WEEKS}`,
      })}
      send={(ready) => api('POST /staff-events/copy-week', { body: bodyOf(ready) }, { forbidden: 'toast' })}
      done={async ({ made, skipped, hit }) => {
        await readDaysAgain(cache)
        notify.success(filledText(made, skipped.length))
        onHit(hit)
      }}
      onClose={onClose}
    >
      {({ draft: now, number, value }) => (
        <>
          <Tiles tile={150} fit gap={12}>
            <DateField label="На неделю с" description="Берётся понедельник этой недели" {...value('to')} />
            <NumberField label="Сколько недель" {...number('weeks')} />
          </Tiles>
          <Preview body={isDay(now.to) && isCount(now.weeks) ? bodyOf(now) : undefined} />
        </>
      )}
    </FormDialog>
  )
}

const Preview = ({ body }: { body: Body<'POST /staff-events/copy-week'> | undefined }) => (
  <FillPreview preview={useFillPreview('POST /staff-events/copy-week', body)} />
)
