import { TextInput } from '@mantine/core'
import { INVITE_LENGTH } from '@ordinator/model/areas/outside/invite'
import { api } from '#base/api.ts'
import { FormDialog } from '#kit/FormDialog.tsx'
import { notify } from '#kit/notify.tsx'
import { Fine } from '#kit/Words.tsx'

/** Marks that a patient came by the code of a friend. @throws ApiError 422 at `code` for an unknown code */
export async function attachFriendCode(idCustomer: number, code: string): Promise<void> {
  const { state, reason } = await api('POST /customers/:id/invite', {
    params: { id: idCustomer },
    body: { code: friendCodeOf(code) },
  })
  if (state === 'refused') notify.error(reason ?? 'Пациент уже бывал в клинике', { title: 'Без бонусов за друга' })
  else notify.success('Бонусы обоим придут после первого оплаченного визита', { title: 'Код друга записан' })
}

/** A scanner of QR codes types the whole link. */
export const friendCodeOf = (typed: string): string => {
  const text = typed.trim()
  return (/[?&]friend=([^&\s]+)/.exec(text)?.[1] ?? text).toUpperCase()
}

/** The code of a friend, typed or scanned, for a card that is there. */
export function FriendCodeDialog({ idCustomer, onClose }: { idCustomer: number; onClose: () => void }) {
  return (
    <FormDialog
      title="Код друга"
      action="Записать"
      draft={{ code: '' }}
      required={{ code: 'Введите или отсканируйте код' }}
      send={({ code }) => attachFriendCode(idCustomer, code)}
      onClose={onClose}
    >
      {({ text }) => (
        <>
          <TextInput
            label="Код"
            description="Код или ссылка из кабинета того, кто пригласил; сканер QR вставит её сам"
            required
            maxLength={300}
            placeholder={'X'.repeat(INVITE_LENGTH)}
            {...text('code')}
          />
          <Fine>Бонусы получают оба, если пациент в клинике впервые</Fine>
        </>
      )}
    </FormDialog>
  )
}
