import { DiscountUse } from '@ordinator/model/areas/discounts/discountUse'
import { RecordTable } from '#records/RecordTable.tsx'

const columns = [
  'dateCreate',
  'idService',
  'idCustomer',
  'base',
  'amount',
  'reversedAmount',
  'reason',
  'idUser',
] as const

/** Uses of a discount, kept permanently. */
export const Uses = ({ idDiscount }: { idDiscount: number }) => (
  <RecordTable
    entity={DiscountUse}
    prefix="uses"
    filter={{ idDiscount }}
    columns={columns}
    selectable={false}
    empty={{ title: 'Скидку ещё не применяли', text: 'Здесь будет каждое применение: кому, на что, сколько и почему.' }}
  />
)
