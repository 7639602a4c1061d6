import { Regulation } from '@ordinator/model/areas/regulations/regulation'
import type { RegulationView } from '@ordinator/model/areas/regulations/wire'
import { useState } from 'react'
import { ActionDialog } from '#kit/ActionDialog.tsx'
import { wrongNumber } from '#records/fields/wrongNumber.ts'
import { useSave } from '#records/writes.ts'
import { ReadDaysField, ReviewMonthsField } from '../editor/TermFields.tsx'
import { toastDone } from '../toasts.ts'

interface Props {
  view: RegulationView
  onClose: () => void
}

/** Reading and review terms: editable without a new version. */
export function TermsDialog({ view, onClose }: Props) {
  const save = useSave(Regulation, { toast: false, optimistic: false })
  const [readDays, setReadDays] = useState(view.readDays)
  const [reviewMonths, setReviewMonths] = useState(view.reviewMonths)
  return (
    <ActionDialog
      title="Сроки регламента"
      size={400}
      action="Сохранить"
      failed="Ошибка при сохранении"
      faults={{
        readDays: wrongNumber(Regulation.fields.readDays, readDays, true),
        reviewMonths: wrongNumber(Regulation.fields.reviewMonths, reviewMonths),
      }}
      run={async () => {
        await save.mutateAsync({ id: view.id, readDays, reviewMonths })
        toastDone('Регламент успешно обновлен')
      }}
      onClose={onClose}
    >
      <ReadDaysField
        value={readDays}
        description="Новый срок — тем, кому ознакомление назначат позже"
        onChange={setReadDays}
      />
      <ReviewMonthsField value={reviewMonths} onChange={setReviewMonths} />
    </ActionDialog>
  )
}
