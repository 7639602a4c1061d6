import { Text, TextInput } from '@mantine/core'
import { paymentMethods } from '@ordinator/model/areas/money/methods'
import { DONE, PaymentPart } from '@ordinator/model/areas/money/payment'
import { formatMoney } from '@ordinator/model/format'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '#base/api.ts'
import { ApiError } from '#base/apiError.ts'
import { ActionButton } from '#kit/ActionButton.tsx'
import { ActionDialog } from '#kit/ActionDialog.tsx'
import { confirm } from '#kit/confirm.ts'
import { notify } from '#kit/notify.tsx'
import { VStack } from '#kit/Stacks.tsx'
import { Fine } from '#kit/Words.tsx'
import { useList } from '#records/reads.ts'
import { readMoney } from '../reads.ts'
import { showPaidToast } from './PaidToast.tsx'

interface Props {
  idPayment: number
  /** Rubles for the terminal; absent: the pending part of the payment. */
  sum?: number
  /** The register prints a receipt. */
  hasReceipt?: boolean
  isRefund?: boolean
  /** The connected terminal has not reported the outcome. */
  isUnknown?: boolean
  onClose: () => void
}

/**
 * Payment and sum for a separate terminal.
 * @returns undefined for other errors
 */
export function manualPaymentOf(error: unknown): { idPayment: number; sum: number } | undefined {
  if (!(error instanceof ApiError && error.code === 'manual')) return undefined
  const { idPayment, sum } = error.answer ?? {}
  return { idPayment: Number(idPayment), sum: Number(sum) }
}

/** Manual card operation: shows the sum, and the cashier reports the outcome. */
export function HandOffDialog({ idPayment, sum: first, hasReceipt = false, isRefund, isUnknown, onClose }: Props) {
  const cache = useQueryClient()
  const parts = useList(PaymentPart, { filter: { idPayment }, sort: 'id' }, { forbidden: 'silent' })
  const waiting = parts.data?.items.filter(({ terminalState: is }) => is === 'sending' || is === 'unknown') ?? []
  const [part] = waiting
  const sum = part?.sum ?? first ?? 0
  const method = part && paymentMethods[part.method]
  const [rrn, setRrn] = useState('')
  /** @returns the payment when complete; undefined: its next part needs the terminal */
  const settle = async (isApproved: boolean) => {
    try {
      return await api(
        'POST /payments/:id/settle-by-hand',
        { params: { id: idPayment }, body: { isApproved, ...(rrn.trim() && { rrn: rrn.trim() }) } },
        { forbidden: 'toast' },
      )
    } catch (error) {
      if (!manualPaymentOf(error)) throw error
      setRrn('')
      return undefined
    } finally {
      await readMoney(cache)
    }
  }
  const refuse = async () => {
    const isAgreed = await confirm({
      title: 'Операция не прошла?',
      message: 'Отметьте это, только если терминал показал отказ или операции нет в выписке банка.',
      confirm: 'Не прошла',
      danger: true,
    })
    if (!isAgreed) return
    const payment = await settle(false)
    if (payment?.idStatus === DONE && !isRefund) showPaidToast(payment, hasReceipt)
    else notify.success(isRefund ? 'Возврат отклонён' : 'Оплата отклонена')
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
        const payment = await settle(true)
        if (!payment) return false
        if (isRefund) notify.success('Возврат проведён')
        else showPaidToast(payment, hasReceipt)
      }}
      onClose={onClose}
    >
      <VStack gap={12}>
        <Text fz={44} fw={700} ta="center" className="tabular" lh={1.1}>
          {formatMoney(sum)}
        </Text>
        {method && (
          <Text ta="center" fw={600} role="status">
            {method}
            {waiting.length > 1 &&
              `, затем ${waiting
                .slice(1)
                .map((one) => `${paymentMethods[one.method]} ${formatMoney(one.sum)}`)
                .join(', ')}`}
          </Text>
        )}
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
