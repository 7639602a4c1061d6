import { SegmentedControl, Text } from '@mantine/core'
import { BankAccount } from '@ordinator/model/areas/filials/organization'
import { PayrollPayout, PayrollPeriod, PayrollSlip } from '@ordinator/model/areas/payroll/payroll'
import { isApproved, type PayoutSource, payoutSources } from '@ordinator/model/areas/payroll/states'
import type { Row } from '@ordinator/model/entity'
import { formatMoney } from '@ordinator/model/format'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { DeskSelect, useDesks, useOperationKey } from '#areas/money/index.ts'
import { api } from '#base/api.ts'
import { ActionDialog } from '#kit/ActionDialog.tsx'
import { NumberField } from '#kit/NumberField.tsx'
import { notify } from '#kit/notify.tsx'
import { RefSelect } from '#records/fields/RefSelect.tsx'
import { invalidateRecords } from '#records/keys.ts'

interface Props {
  period: Row<typeof PayrollPeriod>
  /** Absent: the rest of all slips. */
  slip?: Row<typeof PayrollSlip>
  onClose: () => void
}

/** Payout to one person, or to all with a rest. */
export function PayDialog({ period, slip, onClose }: Props) {
  const cache = useQueryClient()
  const approved = isApproved(period.status)
  const [key] = useOperationKey()
  const [payFrom, setFrom] = useState<PayoutSource>('account')
  const [sum, setSum] = useState<number | string | null>(approved ? (slip?.left ?? null) : null)
  const [idBankAccount, setAccount] = useState<number | null>(null)
  const { desks, desk, setDesk } = useDesks(undefined, period.idFilial)
  const source = {
    payFrom,
    ...(payFrom === 'desk' ? { idDesk: desk?.id } : { idBankAccount: idBankAccount ?? undefined }),
  }
  const pay = async () => {
    if (slip)
      await api('POST /payroll/slips/:id/payout', {
        params: { id: slip.id },
        body: { key, kind: approved ? 'salary' : 'advance', sum: Number(sum), ...source },
      })
    else {
      const { count, sum: all } = await api('POST /payroll/periods/:id/pay', {
        params: { id: period.id },
        body: { key, ...source },
      })
      notify.success(`Выплачено ${formatMoney(all)}, сотрудников: ${count}`)
    }
    await Promise.all(
      [PayrollPeriod.path, PayrollSlip.path, PayrollPayout.path].map((path) => invalidateRecords(cache, path)),
    )
  }
  return (
    <ActionDialog
      title={slip ? (approved ? 'Выплатить зарплату' : 'Выдать аванс') : 'Выплатить остатки'}
      action="Выплатить"
      faults={{
        sum: slip !== undefined && typeof sum !== 'number' && 'Укажите сумму',
        idBankAccount: payFrom === 'account' && idBankAccount === null && 'Выберите счёт',
      }}
      run={pay}
      onClose={onClose}
    >
      {(errorOf) => (
        <>
          {slip ? (
            <NumberField
              label="Сумма"
              required
              digits={2}
              unit="₽"
              value={sum}
              error={errorOf('sum')}
              description={approved ? `Осталось выплатить ${formatMoney(slip.left)}` : undefined}
              onChange={setSum}
            />
          ) : (
            <Text>
              Каждому — его остаток, вместе <b className="tabular">{formatMoney(period.left)}</b>
            </Text>
          )}
          <SegmentedControl
            aria-label="Откуда"
            data={Object.entries(payoutSources).map(([value, label]) => ({ value, label }))}
            value={payFrom}
            onChange={(value) => setFrom(value as PayoutSource)}
          />
          {payFrom === 'desk' ? (
            <>
              <DeskSelect desks={desks} desk={desk} onChange={setDesk} />
              <Text size="sm" c="dimmed">
                Деньги изымаются в открытой смене этой кассы
              </Text>
            </>
          ) : (
            <RefSelect
              label="Счёт"
              required
              to={BankAccount.path}
              value={idBankAccount}
              error={errorOf('idBankAccount')}
              onChange={setAccount}
            />
          )}
        </>
      )}
    </ActionDialog>
  )
}
