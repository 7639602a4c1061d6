import { SegmentedControl } from '@mantine/core'
import { Customer } from '@ordinator/model/areas/customers/customer'
import { MembershipType } from '@ordinator/model/areas/memberships/type'
import { takesByHand } from '@ordinator/model/areas/money/desk'
import { moneyMethods, type PaymentMethod, paymentMethods } from '@ordinator/model/areas/money/methods'
import { formatMoney } from '@ordinator/model/format'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '#base/api.ts'
import { ApiError } from '#base/apiError.ts'
import { EmptyState } from '#kit/EmptyState.tsx'
import { ErrorState } from '#kit/ErrorState.tsx'
import { FormDialog } from '#kit/FormDialog.tsx'
import { notify } from '#kit/notify.tsx'
import { VStack } from '#kit/Stacks.tsx'
import { Fine } from '#kit/Words.tsx'
import { RefSelect } from '#records/fields/RefSelect.tsx'
import { useList } from '#records/reads.ts'
import { DeskSelect, OnlyByLink, useDesks } from '../desk/DeskSelect.tsx'
import { HandOffDialog, manualPaymentOf } from '../desk/HandOffDialog.tsx'
import { readMoney, rememberDesk, useOperationKey } from '../reads.ts'

interface Props {
  idDesk?: number
  /** The buyer. */
  idCustomer?: number
  onClose: () => void
}

const names = { idType: 'membership.idType', idUser: 'membership.users.0', method: 'parts.0.method' }

/** Sells a membership at the price of its type; the receipt is a prepayment of 100 %. */
export function SellMembershipDialog(props: Props) {
  const cache = useQueryClient()
  const [key, renew] = useOperationKey()
  const { desk, desks, setDesk } = useDesks(props.idDesk, undefined, { isTaking: true })
  const [handOff, setHandOff] = useState<{ idPayment: number; sum: number }>()
  const types = useList(MembershipType, { filter: { active: true }, limit: 200 })
  const isByLink = desk !== undefined && !takesByHand(desk)
  const found = types.data?.items ?? []
  const typeOf = (id: number | null) => found.find((one) => one.id === id)
  if (handOff)
    return (
      <HandOffDialog {...handOff} hasReceipt={desk !== undefined && desk.kktMode !== 'none'} onClose={props.onClose} />
    )
  return (
    <FormDialog
      title="Продать абонемент"
      size={520}
      action={({ idType }) => {
        const type = typeOf(idType)
        return type ? `Принять ${formatMoney(type.price)}` : 'Принять оплату'
      }}
      disabled={!desk || isByLink || found.length === 0}
      draft={{
        idCustomer: props.idCustomer ?? null,
        idType: null as number | null,
        method: 'cash' as PaymentMethod,
        idUser: null as number | null,
      }}
      names={names}
      required={{ idCustomer: 'Выберите, кто покупает', idType: 'Выберите вид абонемента' }}
      send={async ({ idCustomer, idType, method, idUser }) => {
        const type = typeOf(idType)
        if (!desk || !type) return false
        rememberDesk(desk.id)
        try {
          await api(
            'POST /payments/take',
            {
              body: {
                key,
                idDesk: desk.id,
                idCustomer: idCustomer as number,
                parts: [{ method, sum: type.price }],
                membership: { idType: type.id, ...(idUser !== null && { users: [idUser] }) },
              },
            },
            { forbidden: 'toast' },
          )
          notify.success(`Абонемент «${type.nameType}» продан`)
          return true
        } catch (error) {
          if (error instanceof ApiError && error.code === 'declined') renew()
          const handed = manualPaymentOf(error)
          if (!handed) throw error
          setHandOff(handed)
          return false
        } finally {
          void readMoney(cache)
        }
      }}
      done={(isSold) => isSold}
      onClose={props.onClose}
    >
      {({ draft, value, choice }) =>
        types.isError ? (
          <ErrorState error={types.error} onRetry={() => void types.refetch()} />
        ) : types.data && found.length === 0 ? (
          <EmptyState title="Видов абонементов нет" text="Их заводят в «Видах абонементов»: цена, посещения, услуги" />
        ) : (
          <VStack gap={12}>
            {props.idCustomer === undefined && (
              <RefSelect
                to={Customer.path}
                label="Кто покупает"
                required
                placeholder="Имя, телефон или дата рождения"
                {...value('idCustomer')}
              />
            )}
            {props.idDesk === undefined && <DeskSelect desks={desks} desk={desk} onChange={setDesk} />}
            {isByLink && <OnlyByLink />}
            <RefSelect to={MembershipType.path} filter={{ active: true }} label="Вид" required {...value('idType')} />
            {typeOf(draft.idType)?.note && <Fine>{typeOf(draft.idType)?.note}</Fine>}
            <SegmentedControl
              fullWidth
              aria-label="Чем платят"
              data={moneyMethods.map((method) => ({
                value: method,
                label: method === 'transfer' ? 'Перевод' : paymentMethods[method],
              }))}
              {...choice('method')}
            />
            <RefSelect to={Customer.path} label="Кто будет ходить" placeholder="Сам покупатель" {...value('idUser')} />
          </VStack>
        )
      }
    </FormDialog>
  )
}
