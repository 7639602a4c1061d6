import { Customer } from '@ordinator/model/areas/customers/customer'
import { CustomerPhoto } from '@ordinator/model/areas/customers/files'
import type { Row } from '@ordinator/model/entity'
import { useMutation } from '@tanstack/react-query'
import { errorMessage } from '../../../base/apiError.ts'
import { uploadFile } from '../../../base/apiUpload.ts'
import { FaceEditor } from '../../../kit/FaceEditor.tsx'
import { notify } from '../../../kit/notify.tsx'
import { useCan } from '../../../records/Can.tsx'
import { rulesOf } from '../../../records/uploads.ts'
import { useSave } from '../../../records/writes.ts'
import { CustomerFace } from '../CustomerFace.tsx'

/** The face on a card; whoever edits cards sends another photo. */
export function PhotoEditor({ customer }: { customer: Row<typeof Customer> }) {
  const mayEdit = useCan('update', Customer)
  const save = useSave(Customer)
  const send = useMutation({
    mutationFn: async (file: File) => {
      const { id } = await uploadFile(CustomerPhoto, file, { forbidden: 'toast' })
      await save.mutateAsync({ id: customer.id, idPhoto: id })
    },
    onSuccess: () => notify.success('Фотография обновлена'),
    onError: (error) => notify.error(errorMessage(error), { title: 'Фотография не сохранена' }),
  })
  const face = <CustomerFace customer={customer} size={48} />
  if (!mayEdit) return face
  return (
    <FaceEditor
      rules={rulesOf(CustomerPhoto)}
      onChoose={(file) => send.mutate(file)}
      onRemove={customer.idPhoto === null ? undefined : () => save.mutate({ id: customer.id, idPhoto: null })}
    >
      {face}
    </FaceEditor>
  )
}
