import { WORK } from '@ordinator/model/areas/sales/funnel'
import { Lead } from '@ordinator/model/areas/sales/lead'
import { Dialog } from '../../../kit/Dialog.tsx'
import { RecordField } from '../../../records/form/RecordField.tsx'
import { RecordForm } from '../../../records/RecordForm.tsx'
import type { StageRow } from './deals.ts'

interface Props {
  stages: readonly StageRow[]
  onCreated: (id: number) => void
  onClose: () => void
}

/** A new deal in the first stage of the funnel; the rest is filled in its card, which opens. */
export function NewDeal({ stages, onCreated, onClose }: Props) {
  const idStage = stages.find((stage) => stage.idType === WORK)?.id
  return (
    <Dialog onClose={onClose} title="Новая сделка" size={480}>
      <RecordForm
        entity={Lead}
        fixed={{ idStage }}
        draft={`stage:${idStage}`}
        saveLabel="Создать"
        onSaved={(row) => onCreated(row.id)}
        onCancel={onClose}
      >
        <RecordField name="title" autoFocus />
        <RecordField name="price" />
        <RecordField name="idSource" />
      </RecordForm>
    </Dialog>
  )
}
