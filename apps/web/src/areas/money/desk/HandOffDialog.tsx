import { Text, TextInput } from '@mantine/core'
import { formatMoney } from '@ordinator/model/format'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../../base/api.ts'
import { ActionButton } from '../../../kit/ActionButton.tsx'
import { ActionDialog } from '../../../kit/ActionDialog.tsx'
import { confirm } from '../../../kit/confirm.ts'
import { notify } from '../../../kit/notify.tsx'
import { VStack } from '../../../kit/Stacks.tsx'
import { Fine } from '../../../kit/Words.tsx'
import { readMoney } from '../reads.ts'

interface Props {
  idPayment: number
  /** Rubles. */
  sum: number
  isRefund?: boolean
  /** The terminal is connected, and has not said what became of the operation. */
  isUnknown?: boolean
  onClose: () => void
}

/** The operation is in the cashier's hands: the sum is shown large, and the cashier says what came of it. */
export function HandOffDialog({ idPayment, sum, isRefund, isUnknown, onClose }: Props) {
  const cache = useQueryClient()
  const [rrn, setRrn] = useState('')
  const settle = async (isApproved: boolean) => {
    await api(
      'POST /payments/:id/settle-by-hand',
      { params: { id: idPayment }, body: { isApproved, ...(rrn.trim() && { rrn: rrn.trim() }) } },
      { forbidden: 'toast' },
    )
    await readMoney(cache)
  }
  const refuse = async () => {
    const isAgreed = await confirm({
      title: 'Операция не прошла?',
      message: 'Отметьте это, только если терминал показал отказ или операции нет в выписке банка.',
      confirm: 'Не прошла',
      danger: true,
    })
    if (!isAgreed) return
    await settle(false)
    notify.success(isRefund ? 'Возврат отклонён' : 'Оплата отклонена')
    onClose()
  }
  return (
    <ActionDialog
      title={isUnknown ? 'Прошла ли операция?' : isRefund ? 'Верните на терминале' : 'Проведите на терминале'}
      size={440}
      action={isRefund ? 'Возврат прошёл' : 'Оплата прошла'}
      cancel="Позже"
      more={<ActionButton label="Не прошла…" variant="subtle" color="red" onClick={() => void refuse()} />}
      run={async () => {
        await settle(true)
        notify.success(isRefund ? 'Возврат проведён' : `Принято ${formatMoney(sum)}`)
      }}
      onClose={onClose}
    >
      <VStack gap={12}>
        <Text fz={44} fw={700} ta="center" className="tabular" lh={1.1}>
          {formatMoney(sum)}
        </Text>
        <Fine component="p">
          {isUnknown
            ? 'Терминал не ответил. Посмотрите на его чек или в выписку банка: второй раз карту не прикладывайте.'
            : 'Наберите эту сумму на терминале. Когда он напечатает чек, подтвердите здесь.'}
        </Fine>
        <TextInput
          label="Номер ссылки (RRN)"
          description="Необязательно: поможет найти операцию в банке"
          inputMode="numeric"
          maxLength={32}
          value={rrn}
          onChange={(event) => setRrn(event.currentTarget.value)}
        />
      </VStack>
    </ActionDialog>
  )
}
