import { Text } from '@mantine/core'
import { isReturned, paymentMethods } from '@ordinator/model/areas/money/methods'
import { Payment, PaymentPart } from '@ordinator/model/areas/money/payment'
import { kopecks, rubles } from '@ordinator/model/areas/money/rules'
import type { Row } from '@ordinator/model/entity'
import { formatMoney } from '@ordinator/model/format'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '#base/api.ts'
import { ActionDialog } from '#kit/ActionDialog.tsx'
import { ErrorState } from '#kit/ErrorState.tsx'
import { NumberField } from '#kit/NumberField.tsx'
import { notify } from '#kit/notify.tsx'
import { LinesSkeleton } from '#kit/Skeletons.tsx'
import { useList } from '#records/reads.ts'
import { ReasonField } from '../ReasonField.tsx'
import { readMoney, useOperationKey } from '../reads.ts'
import { HandOffDialog, manualPaymentOf } from './HandOffDialog.tsx'

interface Props {
  payment: Row<typeof Payment>
  /** Rubles that can be returned at most, as of a membership by its formula. */
  most?: number | undefined
  onClose: () => void
}

/** Refunds all or a part, by the methods of the payment. */
export function RefundDialog({ payment, most, onClose }: Props) {
  const cache = useQueryClient()
  const [key] = useOperationKey()
  const [typed, setTyped] = useState<Record<string, number | string | null>>({})
  const [reason, setReason] = useState('')
  const [handOff, setHandOff] = useState<{ idPayment: number; sum: number }>()
  const paid = useList(PaymentPart, { filter: { idPayment: payment.id } }, { forbidden: 'silent' })
  const back = useList(
    Payment,
    { filter: { idRefundOf: payment.id, idStatus: { neq: 3 } }, expand: ['parts'] },
    { forbidden: 'silent' },
  )
  const returned = back.data?.items.flatMap(({ parts }) => parts) ?? []
  let room = most === undefined ? Number.POSITIVE_INFINITY : kopecks(most)
  const rest = (paid.data?.items ?? []).flatMap(({ method, sum }) => {
    const before = returned.reduce((all, part) => all + (part.method === method ? kopecks(part.sum) : 0), 0)
    const left = Math.min(room, kopecks(sum) - before)
    room -= left
    return isReturned(method) && left > 0 ? [{ method, left }] : []
  })
  const parts = rest.flatMap(({ method, left }) => {
    const sum = typed[method] === undefined ? rubles(left) : typed[method]
    return sum === null || sum === 0 ? [] : [{ method, sum }]
  })
  const total = parts.reduce((all, { sum }) => all + (typeof sum === 'number' ? kopecks(sum) : 0), 0)
  const failed = paid.isError ? paid : back.isError ? back : undefined
  if (handOff) return <HandOffDialog {...handOff} isRefund onClose={onClose} />
  return (
    <ActionDialog
      title={`Возврат: оплата ${formatMoney(payment.sum)}`}
      action={total > 0 ? `Вернуть ${formatMoney(rubles(total))}` : 'Вернуть'}
      disabled={rest.length === 0}
      faults={{ reason: reason.trim().length < 3 && 'Укажите причину', '': total === 0 && 'Укажите, сколько вернуть' }}
      onClose={onClose}
      run={async () => {
        const made = await api(
          'POST /payments/:id/refund',
          { params: { id: payment.id }, body: { key, parts: parts as { method: 'cash'; sum: number }[], reason } },
          { forbidden: 'toast' },
        ).catch((error) => {
          const handed = manualPaymentOf(error)
          if (!handed) throw error
          setHandOff(handed)
          return undefined
        })
        await readMoney(cache)
        if (!made) return false
        if (made.idStatus === 4) notify.info('Возврат больше предела кассы: его должен одобрить другой сотрудник')
        else if (made.idStatus === 3) notify.error(made.refusal ?? 'Терминал отклонил возврат')
        else if (made.refusal) notify.info(`Возвращено ${formatMoney(made.sum)}. ${made.refusal}`)
        else notify.success(`Возвращено ${formatMoney(made.sum)}`)
      }}
    >
      {(errorOf) =>
        failed ? (
          <ErrorState error={failed.error} onRetry={() => void failed.refetch()} />
        ) : paid.isPending || back.isPending ? (
          <LinesSkeleton lines={3} />
        ) : rest.length === 0 ? (
          <Text>Возвращать нечего: деньги этой оплаты уже вернули или она прошла без денег.</Text>
        ) : (
          <>
            {rest.map(({ method, left }) => {
              const at = parts.findIndex((part) => part.method === method)
              return (
                <NumberField
                  key={method}
                  label={paymentMethods[method]}
                  description={`Можно вернуть ${formatMoney(rubles(left))}`}
                  digits={2}
                  unit="₽"
                  value={typed[method] === undefined ? rubles(left) : typed[method]}
                  error={at < 0 ? undefined : errorOf(`parts.${at}.sum`)}
                  onChange={(sum) => setTyped((now) => ({ ...now, [method]: sum }))}
                />
              )
            })}
            <ReasonField value={reason} error={errorOf('reason')} onChange={setReason} />
          </>
        )
      }
    </ActionDialog>
  )
}
