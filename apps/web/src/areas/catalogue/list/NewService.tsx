import { Service } from '@ordinator/model/areas/catalogue/service'
import { useAddress } from '../../../base/address.ts'
import { Dialog } from '../../../kit/Dialog.tsx'
import { RecordFields } from '../../../records/form/RecordFields.tsx'
import { RecordForm } from '../../../records/RecordForm.tsx'
import { readCatalogue } from '../address.ts'

const names = ['nameService', 'serviceCategory', 'idGroup', 'idType', 'code', 'priceService'] as const

interface Props {
  onClose: () => void
  onMade: (id: number) => void
}

/** A new service, in the group that is open: what it is called and costs; the rest is said on its page. */
export function NewService({ onClose, onMade }: Props) {
  const [{ group }] = useAddress(readCatalogue)
  return (
    <Dialog opened onClose={onClose} title="Новая услуга" size="lg">
      <RecordForm
        entity={Service}
        initial={typeof group === 'number' ? { idGroup: group } : undefined}
        onCancel={onClose}
        onSaved={({ id }) => onMade(id)}
      >
        <RecordFields names={names} autoFocus />
      </RecordForm>
    </Dialog>
  )
}
