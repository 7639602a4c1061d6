import { PromoCode } from '@ordinator/model/areas/discounts/promoCode'
import { Dialog } from '#kit/Dialog.tsx'
import { notify } from '#kit/notify.tsx'
import { RecordFields } from '#records/form/RecordFields.tsx'
import { RecordForm } from '#records/RecordForm.tsx'

/** A given code. */
export const NewCode = ({ idDiscount, onClose }: { idDiscount: number; onClose: () => void }) => (
  <Dialog title="Новый код" size={520} onClose={onClose}>
    <RecordForm
      entity={PromoCode}
      fixed={{ idDiscount }}
      draft={String(idDiscount)}
      saveLabel="Добавить"
      onCancel={onClose}
      onSaved={({ code }) => {
        notify.success(`Код ${code} добавлен`)
        onClose()
      }}
    >
      <RecordFields names={['code', 'limit', 'idCustomer', 'expires']} autoFocus />
    </RecordForm>
  </Dialog>
)
