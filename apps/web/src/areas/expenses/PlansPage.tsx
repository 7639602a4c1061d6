import { ExpensePlan } from '@ordinator/model/areas/expenses/expense'
import { pageByKey } from '@ordinator/model/pages'
import { monthName } from '#areas/payroll/index.ts'
import { Muted } from '#kit/Words.tsx'
import { filters } from '#records/filters/filters.ts'
import { period } from '#records/filters/period.tsx'
import { refs } from '#records/filters/ref.tsx'
import { RegistryPage } from '#records/RegistryPage.tsx'

const planFilters = filters(ExpensePlan, {
  article: refs('idArticle', { label: 'Статья', any: 'Все статьи' }),
  filial: refs('idFilial', { label: 'Филиал', any: 'Все филиалы' }),
  month: period('month', { label: 'Месяц' }),
})

/** План расходов: planned sums by category and month. */
export default function PlansPage() {
  return (
    <RegistryPage
      page={pageByKey('expensePlans')}
      entity={ExpensePlan}
      expand={['article', 'filial']}
      filters={planFilters}
      columns={[
        { key: 'idArticle', width: 260, cell: ({ article }) => article?.name },
        { key: 'month', width: 170, cell: ({ month }) => monthName(month) },
        { key: 'idFilial', width: 200, cell: ({ filial }) => filial?.nameFilial ?? <Muted>Вся клиника</Muted> },
        { key: 'sum', width: 150 },
      ]}
    />
  )
}
