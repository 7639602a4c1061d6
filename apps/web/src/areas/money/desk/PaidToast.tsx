import { Payment } from '@ordinator/model/areas/money/payment'
import type { Row } from '@ordinator/model/entity'
import { formatMoney, formatNumber } from '@ordinator/model/format'
import { IconReceipt } from '@tabler/icons-react'
import { useState } from 'react'
import { PrintAction } from '#areas/prints/index.ts'
import { ActionButton } from '#kit/ActionButton.tsx'
import { notify } from '#kit/notify.tsx'
import { HStack, VStack } from '#kit/Stacks.tsx'
import { ReceiptDialog } from './ReceiptDialog.tsx'

type Paid = Pick<Row<typeof Payment>, 'id' | 'sum' | 'bonus' | 'change' | 'refusal'>

/** Time to reach a button. */
const TIMEOUT_MS = 15_000

/** Toast after a payment, with buttons for the paper and the receipt. @param hasReceipt a register prints one */
export function showPaidToast(payment: Paid, hasReceipt: boolean): void {
  const id = `paid-${payment.id}`
  const tone = payment.refusal ? notify.info : notify.success
  tone(<PaidToast payment={payment} hasReceipt={hasReceipt} toast={id} />, { id, timeout: TIMEOUT_MS })
}

function PaidToast({ payment, hasReceipt, toast }: { payment: Paid; hasReceipt: boolean; toast: string }) {
  const { id, sum, bonus, change, refusal } = payment
  const [isShown, setShown] = useState(false)
  return (
    <VStack gap={8}>
      <span>
        {sum > 0 ? `Принято ${formatMoney(sum)}` : 'Оплачено'}
        {bonus > 0 && `, бонусами ${formatNumber(bonus, 2)}`}
        {change ? `, сдача ${formatMoney(change)}` : ''}
        {refusal && `. ${refusal}. Остаток можно взять ещё раз или другим способом.`}
      </span>
      <HStack gap={8} wrap>
        <PrintAction entity={Payment.path} id={id} />
        {hasReceipt && (
          <ActionButton
            label="Чек"
            icon={IconReceipt}
            size="compact-sm"
            variant="light"
            onClick={() => {
              notify.keep(toast)
              setShown(true)
            }}
          />
        )}
      </HStack>
      {isShown && <ReceiptDialog idPayment={id} onClose={() => notify.hide(toast)} />}
    </VStack>
  )
}
