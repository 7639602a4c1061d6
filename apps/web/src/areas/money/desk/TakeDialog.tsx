import { Customer } from '@ordinator/model/areas/customers/customer'
import { rubles } from '@ordinator/model/areas/money/rules'
import { formatMoney } from '@ordinator/model/format'
import type { KeyboardEvent } from 'react'
import { ActionDialog } from '#kit/ActionDialog.tsx'
import { VStack } from '#kit/Stacks.tsx'
import { Fine } from '#kit/Words.tsx'
import { RefSelect } from '#records/fields/RefSelect.tsx'
import { useRecord } from '#records/reads.ts'
import { ClosedShift } from './OpenShift.tsx'
import { showPaidToast } from './PaidToast.tsx'
import { OwedText, PaidFor } from './take/PaidFor.tsx'
import { PartFields } from './take/PartFields.tsx'
import { BonusField, CashFields, ContactField, MoreWays, PayerField } from './take/PaymentFields.tsx'
import { MOST_PARTS, type Take, useTake, usual } from './take/useTake.ts'
import { useTaking } from './useTaking.tsx'

interface Props {
  /** Preselected. */
  idDesk?: number
  idCustomer?: number
  /** Visit whose services are paid, also in advance. */
  visit?: { id: number; idFilial: number }
  /** Branch of the desk, if there is no visit yet. */
  idFilial?: number
  /** Purpose of the payment, as text. */
  about?: string
  onClose: () => void
}

/** Takes a payment: the debt is preset, Alt+2 selects the card, Alt+0 adds a method, Enter submits. */
export function TakeDialog(props: Props) {
  const { desk, isByLink, handedOff, deskFields, ...taking } = useTaking({
    idDesk: props.idDesk,
    idFilial: props.visit?.idFilial ?? props.idFilial,
    onClose: props.onClose,
  })
  const take = useTake({ idCustomer: props.idCustomer, idVisit: props.visit?.id })
  const payer = useRecord(Customer, take.idCustomer ?? undefined, { fields: ['fio'] }, { forbidden: 'silent' })
  const hasReceipt = desk?.kktMode !== 'none'
  const run = async () => {
    const paid = await taking.take(take.bodyFor(hasReceipt))
    if (!paid) return false
    showPaidToast(paid, hasReceipt)
  }
  if (handedOff) return handedOff
  const isManual =
    desk?.terminalMode === 'none' && take.filled.some(({ method }) => method === 'card' || method === 'sbp')
  return (
    <ActionDialog
      title={payer.data ? `Принять оплату: ${payer.data.fio}` : 'Принять оплату'}
      size={520}
      action={actionOf(take)}
      disabled={!desk || isByLink}
      faults={take.faults}
      run={run}
      onClose={props.onClose}
    >
      {(errorOf) => (
        <VStack gap={12} onKeyDown={(event) => selectByKey(event, take)}>
          {props.about && <Fine component="p">{props.about}</Fine>}
          {props.idCustomer === undefined && (
            <RefSelect
              to={Customer.path}
              label="Клиент"
              required
              autoFocus
              placeholder="Имя, телефон или дата рождения"
              value={take.idCustomer}
              error={errorOf('idCustomer')}
              onChange={take.setCustomer}
            />
          )}
          {deskFields}
          {desk && !isByLink && <ClosedShift idDesk={desk.id} />}
          {take.idCustomer !== null && <OwedText take={take} />}
          <PaidFor services={take.services} />
          <BonusField take={take} errorOf={errorOf} />
          <PartFields take={take} isFirst={props.idCustomer !== undefined} errorOf={errorOf} />
          {isManual && <Fine>Терминал не подключён: проведите эту сумму на нём сами, потом примите оплату здесь.</Fine>}
          <CashFields take={take} errorOf={errorOf} />
          <PayerField take={take} errorOf={errorOf} />
          <ContactField take={take} hasReceipt={hasReceipt} errorOf={errorOf} />
          <MoreWays take={take} />
        </VStack>
      )}
    </ActionDialog>
  )
}

const actionOf = ({ isByBonuses, total }: Take) => {
  if (isByBonuses) return 'Оплатить бонусами'
  return total > 0 ? `Принять ${formatMoney(rubles(total))}` : 'Принять'
}

/** Alt and a digit select the method of the last part; Alt+0 adds a part. */
function selectByKey(event: KeyboardEvent, { parts, more }: Take): void {
  if (event.altKey && event.code === 'Digit0' && parts.parts.length < MOST_PARTS) {
    event.preventDefault()
    more()
    return
  }
  const method = event.altKey && /^Digit[1-4]$/.test(event.code) ? usual[Number(event.code.at(-1)) - 1] : undefined
  if (!method) return
  event.preventDefault()
  parts.set(parts.parts.length - 1, { method })
}
