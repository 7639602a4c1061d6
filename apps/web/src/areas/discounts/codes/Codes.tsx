import type { Discount } from '@ordinator/model/areas/discounts/discount'
import { PromoCode } from '@ordinator/model/areas/discounts/promoCode'
import type { Row } from '@ordinator/model/entity'
import { formatNumber } from '@ordinator/model/format'
import { IconPlus, IconTicket } from '@tabler/icons-react'
import { useState } from 'react'
import { ActionButton } from '#kit/ActionButton.tsx'
import { HStack } from '#kit/Stacks.tsx'
import { Muted } from '#kit/Words.tsx'
import { useCan } from '#records/Can.tsx'
import { RecordTable } from '#records/RecordTable.tsx'
import type { ColumnSpec } from '#records/table/columns.ts'
import { GenerateCodes } from './GenerateCodes.tsx'
import { NewCode } from './NewCode.tsx'

const columns: readonly ('code' | 'idCustomer' | 'expires' | 'dateCreate' | ColumnSpec<Row<typeof PromoCode>>)[] = [
  'code',
  {
    key: 'uses',
    label: 'Применён',
    width: 140,
    cell: ({ uses, limit }) => (
      <span className="tabular">
        {formatNumber(uses)}
        <Muted> из {limit === null ? '∞' : formatNumber(limit)}</Muted>
      </span>
    ),
  },
  'idCustomer',
  'expires',
  'dateCreate',
]

/** Codes of a discount: create, generate, search, export, delete. */
export function Codes({ discount }: { discount: Row<typeof Discount> }) {
  const mayEdit = useCan('create', PromoCode) && discount.status !== 'archived'
  const [open, setOpen] = useState<'one' | 'many'>()
  const idDiscount = discount.id
  return (
    <>
      <RecordTable
        entity={PromoCode}
        prefix="codes"
        filter={{ idDiscount }}
        columns={columns}
        selectable={mayEdit}
        tools={
          mayEdit && (
            <HStack gap={8} wrap>
              <ActionButton label="Новый код" variant="default" icon={IconPlus} onClick={() => setOpen('one')} />
              <ActionButton
                label="Выпустить много"
                variant="default"
                icon={IconTicket}
                onClick={() => setOpen('many')}
              />
            </HStack>
          )
        }
        empty={{ title: 'Кодов нет', text: 'Без кода эта скидка не применится.' }}
      />
      {open === 'one' && <NewCode idDiscount={idDiscount} onClose={() => setOpen(undefined)} />}
      {open === 'many' && <GenerateCodes idDiscount={idDiscount} onClose={() => setOpen(undefined)} />}
    </>
  )
}
