import { SegmentedControl, Text } from '@mantine/core'
import { BankAccount } from '@ordinator/model/areas/filials/organization'
import { PayrollPayout, PayrollPeriod, PayrollSlip } from '@ordinator/model/areas/payroll/payroll'
import { isApproved, type PayoutSource, payoutSources } from '@ordinator/model/areas/payroll/states'
import type { Row } from '@ordinator/model/entity'
import { formatMoney } from '@ordinator/model/format'
import { useQueryClient } from '@tanstack/react-query'
import { DeskSelect, useDesks, useOperationKey } from '#areas/money/index.ts'
import { api } from '#base/api.ts'
import { FormDialog } from '#kit/FormDialog.tsx'
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
  const { desks, desk, setDesk } = useDesks(undefined, period.idFilial)
  return (
    <FormDialog
      title={slip ? (approved ? 'Выплатить зарплату' : 'Выдать аванс') : 'Выплатить остатки'}
      action="Выплатить"
      draft={{
        payFrom: 'account' as PayoutSource,
        sum: approved ? (slip?.left ?? null) : null,
        idBankAccount: null as number | null,
      }}
      faults={({ payFrom, sum, idBankAccount }) => ({
        sum: slip !== undefined && sum === null && 'Укажите сумму',
        idBankAccount: payFrom === 'account' && idBankAccount === null && 'Выберите счёт',
      })}
      send={async ({ payFrom, sum, idBankAccount }) => {
        const source = {
          payFrom,
          ...(payFrom === 'desk' ? { idDesk: desk?.id } : { idBankAccount: idBankAccount ?? undefined }),
        }
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
      }}
      done={async () => {
        await Promise.all(
          [PayrollPeriod.path, PayrollSlip.path, PayrollPayout.path].map((path) => invalidateRecords(cache, path)),
        )
      }}
      onClose={onClose}
    >
      {({ draft: { payFrom }, number, value, choice }) => (
        <>
          {slip ? (
            <NumberField
              label="Сумма"
              required
              digits={2}
              unit="₽"
              description={approved ? `Осталось выплатить ${formatMoney(slip.left)}` : undefined}
              {...number('sum')}
            />
          ) : (
            <Text>
              Каждому — его остаток, вместе <b className="tabular">{formatMoney(period.left)}</b>
            </Text>
          )}
          <SegmentedControl
            aria-label="Откуда"
            data={Object.entries(payoutSources).map(([value, label]) => ({ value, label }))}
            {...choice('payFrom')}
          />
          {payFrom === 'desk' ? (
            <>
              <DeskSelect desks={desks} desk={desk} onChange={setDesk} />
              <Text size="sm" c="dimmed">
                Деньги изымаются в открытой смене этой кассы
              </Text>
            </>
          ) : (
            <RefSelect label="Счёт" required to={BankAccount.path} {...value('idBankAccount')} />
          )}
        </>
      )}
    </FormDialog>
  )
}
