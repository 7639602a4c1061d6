import { Expense } from '@ordinator/model/areas/expenses/expense'
import { expenseStatuses } from '@ordinator/model/areas/expenses/states'
import type { Expanded } from '@ordinator/model/client'
import { formatDay, formatMoney } from '@ordinator/model/format'
import { pageByKey } from '@ordinator/model/pages'
import { dayIn } from '@ordinator/model/zone'
import { monthName } from '#areas/payroll/index.ts'
import { PrintMenu } from '#areas/prints/index.ts'
import { zoneNow } from '#kit/clock.ts'
import { Muted } from '#kit/Words.tsx'
import { choice } from '#records/filters/choice.tsx'
import { filters } from '#records/filters/filters.ts'
import { flag } from '#records/filters/flag.tsx'
import { period } from '#records/filters/period.tsx'
import { refs } from '#records/filters/ref.tsx'
import { RegistryPage } from '#records/RegistryPage.tsx'
import type { RecordParts } from '#records/registry/RegistryRecord.tsx'
import type { ColumnSpec } from '#records/table/columns.ts'
import { ApprovalPanel } from './ApprovalPanel.tsx'
import { ExpenseFiles } from './ExpenseFiles.tsx'
import { ExpenseStatusBadge } from './ExpenseStatusBadge.tsx'

type Line = Expanded<typeof Expense, 'article' | 'filial' | 'contractor'>

const columns: readonly ColumnSpec<Line>[] = [
  { key: 'purpose', width: 260 },
  { key: 'localDate', width: 110, cell: ({ localDate }) => formatDay(localDate) },
  { key: 'idArticle', width: 190, cell: ({ article }) => article?.name },
  { key: 'sum', width: 140, align: 'right', cell: ({ sum }) => <b className="tabular">{formatMoney(sum)}</b> },
  {
    key: 'status',
    width: 160,
    cell: ({ status, waitsForMe }) => (
      <>
        <ExpenseStatusBadge status={status} />
        {waitsForMe && <Muted> ждёт вас</Muted>}
      </>
    ),
  },
  { key: 'idFilial', width: 170, cell: ({ filial }) => filial?.nameFilial ?? <Muted>Вся клиника</Muted> },
  { key: 'idContractor', width: 180, cell: ({ contractor }) => contractor?.shortName ?? <Muted>—</Muted> },
  { key: 'month', width: 150, cell: ({ month }) => (month ? monthName(month) : null) },
]

const expenseFilters = filters(Expense, {
  status: choice('status', { options: expenseStatuses, any: 'Любое состояние' }),
  article: refs('idArticle', { label: 'Статья', any: 'Все статьи' }),
  filial: refs('idFilial', { label: 'Филиал', any: 'Все филиалы' }),
  day: period('localDate', { label: 'Дата' }),
  month: period('month', { label: 'За месяц' }),
  mine: flag('Ждут моего решения', { waitsForMe: true }, { toggle: true }),
})

const tabs: RecordParts<typeof Expense>['tabs'] = {
  files: { label: 'Файлы', panel: (expense) => <ExpenseFiles idExpense={expense.id} /> },
}

/** Расходы: expenses from plan to payment. */
export default function ExpensesPage() {
  return (
    <RegistryPage
      page={pageByKey('expenses')}
      entity={Expense}
      expand={['article', 'filial', 'contractor']}
      columns={columns}
      filters={expenseFilters}
      tabs={tabs}
      wide
      beside={(expense) => <PrintMenu entity="expenses" id={expense.id} variant="subtle" />}
      initial={{ localDate: dayIn(zoneNow(), Date.now()) }}
      copyOf={({
        purpose,
        sum,
        idArticle,
        idFilial,
        idContractor,
        payFrom,
        idDesk,
        idBankAccount,
        vatCode,
        idResponsible,
      }) => ({
        ...{ purpose, sum, idArticle, idFilial, idContractor, payFrom, idDesk, idBankAccount, vatCode, idResponsible },
        localDate: dayIn(zoneNow(), Date.now()),
      })}
      isMuted={({ status }) => status === 'rejected'}
      main={{ label: 'Ход', panel: (expense) => <ApprovalPanel expense={expense} /> }}
    />
  )
}
