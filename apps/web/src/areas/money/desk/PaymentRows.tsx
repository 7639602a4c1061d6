import { Badge, Text } from '@mantine/core'
import { allowed } from '@ordinator/model/access'
import { type FiscalStatus, FiscalTask, fiscalStatuses } from '@ordinator/model/areas/money/fiscal'
import { paymentMethods } from '@ordinator/model/areas/money/methods'
import {
  AWAITING,
  DECLINED,
  DONE,
  IN_WORK,
  type Payment,
  paymentKinds,
  paymentStatuses,
} from '@ordinator/model/areas/money/payment'
import type { Row } from '@ordinator/model/entity'
import { formatDay, formatMoney, formatNumber } from '@ordinator/model/format'
import {
  IconCheck,
  IconDeviceMobileQuestion,
  IconReceipt,
  IconReceiptRefund,
  IconReceiptTax,
  IconUser,
  IconX,
} from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { CustomerLink } from '#areas/customers/index.ts'
import { PrintMenu } from '#areas/prints/index.ts'
import { useGo } from '#base/address.ts'
import { api } from '#base/api.ts'
import { errorMessage } from '#base/apiError.ts'
import { recordsWith } from '#base/client.ts'
import { useActor } from '#base/session.ts'
import { ActionMenu, MenuItem } from '#kit/ActionMenu.tsx'
import { formatTime } from '#kit/clock.ts'
import { confirm } from '#kit/confirm.ts'
import { notify } from '#kit/notify.tsx'
import { HStack, VStack } from '#kit/Stacks.tsx'
import { Fine } from '#kit/Words.tsx'
import { notPrinted, readMoney } from '../reads.ts'
import classes from './Cash.module.css'
import { CorrectionDialog } from './CorrectionDialog.tsx'
import { HandOffDialog } from './HandOffDialog.tsx'
import { ReceiptDialog } from './ReceiptDialog.tsx'
import { RefundDialog } from './RefundDialog.tsx'

export type PaymentLine = Row<typeof Payment> & {
  customer?: { id: number; shortFio: string } | null
  certificate?: { number: string } | null
  desk?: { kktMode?: string; terminalMode?: string; filial?: { timeZone: string | null } | null } | null
}

interface Props {
  payments: readonly PaymentLine[]
}

/** Payments and refunds: time, patient, method, state, and state of the receipts. */
export function PaymentRows({ payments }: Props) {
  const [refunding, setRefunding] = useState<PaymentLine>()
  const [correcting, setCorrecting] = useState<PaymentLine>()
  const [settling, setSettling] = useState<PaymentLine>()
  const [shown, setShown] = useState<PaymentLine>()
  return (
    <>
      <ul className={classes.rows}>
        {payments.map((payment) => (
          <li key={payment.id} className={classes.row} data-muted={payment.idStatus === DECLINED || undefined}>
            <Fine className={classes.when}>
              <When payment={payment} />
            </Fine>
            <VStack gap={2} className={classes.what}>
              {payment.customer && (
                <CustomerLink customer={payment.customer} className={`truncate ${classes.name}`} tab="account" />
              )}
              <HStack wrap gap={6}>
                <Fine>
                  {payment.kind === 'refund' && `${paymentKinds.refund}: `}
                  {[
                    ...payment.methods.map((method) => paymentMethods[method]),
                    ...(payment.bonus > 0 ? [`бонусами ${formatNumber(payment.bonus, 2)}`] : []),
                  ].join(', ')}
                  {payment.certificate && ` · сертификат № ${payment.certificate.number}`}
                  {payment.refunded > 0 && ` · возвращено ${formatMoney(payment.refunded)}`}
                </Fine>
                <State payment={payment} />
              </HStack>
            </VStack>
            <Text
              fw={600}
              flex="none"
              className={`tabular ${classes.sum}`}
              td={payment.idStatus === DECLINED ? 'line-through' : undefined}
            >
              {payment.kind === 'refund' ? '−' : '+'}
              {formatMoney(payment.sum)}
            </Text>
            {payment.idStatus === DONE && <PrintMenu entity="payments" id={payment.id} variant="subtle" />}
            <PaymentActions
              payment={payment}
              onRefund={() => setRefunding(payment)}
              onCorrect={() => setCorrecting(payment)}
              onSettle={() => setSettling(payment)}
              onReceipt={() => setShown(payment)}
            />
          </li>
        ))}
      </ul>
      {correcting && (
        <CorrectionDialog
          of={{ idPayment: correcting.id, date: correcting.localDate }}
          onClose={() => setCorrecting(undefined)}
        />
      )}
      {settling && (
        <HandOffDialog
          idPayment={settling.id}
          isRefund={settling.kind === 'refund'}
          isUnknown={settling.desk?.terminalMode !== 'manual'}
          hasReceipt={settling.desk?.kktMode !== 'none'}
          onClose={() => setSettling(undefined)}
        />
      )}
      {shown && <ReceiptDialog idPayment={shown.id} onClose={() => setShown(undefined)} />}
      {refunding && <RefundDialog payment={refunding} onClose={() => setRefunding(undefined)} />}
    </>
  )
}

/** Shows problems; a completed payment shows only its receipt. */
function State({ payment: { idStatus, receipt, refusal } }: { payment: PaymentLine }) {
  if (idStatus !== DONE)
    return (
      <Badge size="sm" variant="light" color={idStatus === DECLINED ? 'gray' : 'yellow'} title={refusal ?? undefined}>
        {paymentStatuses[idStatus]}
      </Badge>
    )
  if (receipt === 'none') return null
  if (receipt === 'notConnected') return <Fine>Чек не пробивается</Fine>
  const status = receipt as FiscalStatus
  return (
    <Badge size="sm" variant="light" color={status === 'done' ? 'teal' : status === 'queued' ? 'yellow' : 'red'}>
      {status === 'done' ? 'Чек пробит' : `Чек: ${fiscalStatuses[status].toLowerCase()}`}
    </Badge>
  )
}

interface ActionsProps {
  payment: PaymentLine
  onRefund: () => void
  onCorrect: () => void
  onSettle: () => void
  onReceipt: () => void
}

function PaymentActions({ payment, onRefund, onCorrect, onSettle, onReceipt }: ActionsProps) {
  const actor = useActor()
  const cache = useQueryClient()
  const go = useGo()
  const { id, kind, idStatus, sum, refunded, receipt, idAuthor } = payment
  const run = async (work: Promise<unknown>, done: string) => {
    await work.then(
      () => notify.success(done),
      (error) => notify.error(errorMessage(error)),
    )
    await readMoney(cache)
  }
  const decide = async (approve: boolean) => {
    const question = approve
      ? { title: 'Одобрить возврат?', message: 'Деньги сразу уйдут пациенту, касса пробьёт чек.', confirm: 'Одобрить' }
      : {
          title: 'Отказать в возврате?',
          message: 'Чтобы вернуть деньги позже, возврат придётся запросить заново.',
          confirm: 'Отказать',
          danger: true,
        }
    if (!(await confirm({ ...question, message: `${formatMoney(Math.abs(sum))}. ${question.message}` }))) return
    await run(
      api('POST /payments/:id/decide', { params: { id }, body: { approve } }, { forbidden: 'silent' }),
      approve ? 'Возврат проведён' : 'В возврате отказано',
    )
  }
  // Without a register, both are hidden.
  const mayPrint =
    allowed(actor, 'correctReceipts') &&
    payment.desk?.kktMode !== 'none' &&
    ['failed', 'conflict', 'notConnected'].includes(receipt)
  const items = [
    allowed(actor, 'refundPayments') && kind === 'payment' && idStatus === DONE && refunded < sum && (
      <MenuItem key="refund" label="Вернуть…" icon={IconReceiptRefund} onClick={onRefund} />
    ),
    allowed(actor, 'takePayments') && idStatus === IN_WORK && (
      <MenuItem
        key="settle"
        label="Спросить терминал"
        icon={IconDeviceMobileQuestion}
        onClick={() =>
          void run(api('POST /payments/:id/settle', { params: { id } }, { forbidden: 'silent' }), 'Терминал ответил')
        }
      />
    ),
    allowed(actor, 'takePayments') && idStatus === IN_WORK && (
      <MenuItem key="byHand" label="Сказать, чем кончилось…" icon={IconCheck} onClick={onSettle} />
    ),
    allowed(actor, 'refundAbove') && idStatus === AWAITING && idAuthor !== actor.id && (
      <MenuItem key="approve" label="Одобрить возврат…" icon={IconCheck} onClick={() => void decide(true)} />
    ),
    allowed(actor, 'refundAbove') && idStatus === AWAITING && idAuthor !== actor.id && (
      <MenuItem key="refuse" label="Отказать в возврате…" icon={IconX} danger onClick={() => void decide(false)} />
    ),
    receipt !== 'none' && receipt !== 'notConnected' && (
      <MenuItem key="receipt" label="Чек" icon={IconReceipt} onClick={onReceipt} />
    ),
    mayPrint && (
      <MenuItem
        key="print"
        label={receipt === 'notConnected' ? 'Пробить чек' : 'Пробить чек снова'}
        icon={IconReceiptRefund}
        onClick={() => void run(printAgain(id), 'Чек отправлен на регистратор')}
      />
    ),
    payment.customer && (
      <MenuItem
        key="account"
        label="Счёт клиента"
        icon={IconUser}
        onClick={() => void go({ page: 'customer', search: { id: payment.customer?.id, tab: 'account' } })}
      />
    ),
    mayPrint && <MenuItem key="correct" label="Чек коррекции…" icon={IconReceiptTax} onClick={onCorrect} />,
  ].filter(Boolean)
  return items.length > 0 ? (
    <ActionMenu label={`Действия с платежом № ${id}`}>{items}</ActionMenu>
  ) : (
    <span className={classes.noActions} />
  )
}

async function printAgain(idPayment: number): Promise<void> {
  const { items } = await recordsQuiet.list(FiscalTask, { filter: notPrinted(idPayment), sort: '-id', limit: 1 })
  const [task] = items
  if (task)
    await api(
      'POST /fiscal-tasks/:id/repair',
      { params: { id: task.id }, body: { as: 'resend' } },
      { forbidden: 'silent' },
    )
}

const recordsQuiet = recordsWith({ forbidden: 'silent' })

/** Day and time in the time zone of the desk's branch, in two columns. */
const When = ({ payment: { localDate, dateCreate, desk } }: { payment: PaymentLine }) => (
  <>
    <span className="tabular">{formatDay(localDate)}</span>
    <span className="tabular">{formatTime(dateCreate, desk?.filial?.timeZone)}</span>
  </>
)
