import { PayrollPeriod } from '@ordinator/model/areas/payroll/payroll'
import { periodStatuses } from '@ordinator/model/areas/payroll/states'
import type { Expanded } from '@ordinator/model/client'
import { formatMoney } from '@ordinator/model/format'
import { pageByKey, pagePath } from '@ordinator/model/pages'
import { today } from '#kit/clock.ts'
import { FormPart } from '#kit/FormPart.tsx'
import { Muted } from '#kit/Words.tsx'
import { choice } from '#records/filters/choice.tsx'
import { filters } from '#records/filters/filters.ts'
import { refs } from '#records/filters/ref.tsx'
import { RecordField } from '#records/form/RecordField.tsx'
import { RegistryPage } from '#records/RegistryPage.tsx'
import type { ColumnSpec } from '#records/table/columns.ts'
import { StatusBadge } from './StatusBadge.tsx'
import { monthName } from './words.ts'

type Line = Expanded<typeof PayrollPeriod, 'filial'>

const money = (key: 'total' | 'paid' | 'left'): ColumnSpec<Line> => ({
  key,
  width: 140,
  align: 'right',
  cell: ({ [key]: sum }) => (sum ? <span className="tabular">{formatMoney(sum)}</span> : <Muted>—</Muted>),
})

const columns: readonly ColumnSpec<Line>[] = [
  { key: 'month', width: 160, cell: ({ month }) => monthName(month) },
  { key: 'idFilial', width: 190 },
  { key: 'status', width: 140, cell: ({ status }) => <StatusBadge status={status} /> },
  { key: 'people', width: 110, align: 'right' },
  money('total'),
  money('paid'),
  money('left'),
]

const periodFilters = filters(PayrollPeriod, {
  status: choice('status', { options: periodStatuses, any: 'Любое состояние' }),
  filial: refs('idFilial', { label: 'Филиал', any: 'Все филиалы' }),
})

/** Зарплата: months of the branches, each linked to its sheet. */
export default function PayrollPage() {
  return (
    <RegistryPage
      page={pageByKey('payroll')}
      entity={PayrollPeriod}
      expand={['filial']}
      pageOf={(id) => pagePath('payrollPeriod', { id })}
      columns={columns}
      filters={periodFilters}
      initial={{ month: today().slice(0, 8).concat('01') }}
      form={() => (
        <FormPart title="Расчётный месяц">
          <RecordField name="month" help="Любой день месяца" autoFocus />
          <RecordField name="idFilial" />
        </FormPart>
      )}
      empty={{
        title: 'Расчётных месяцев пока нет',
        text: 'Заведите схемы оплаты, затем откройте месяц филиала и рассчитайте его.',
      }}
    />
  )
}
