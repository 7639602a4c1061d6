import { ExpenseRoute } from '@ordinator/model/areas/expenses/expense'
import { formatMoney } from '@ordinator/model/format'
import { pageByKey } from '@ordinator/model/pages'
import { Muted } from '#kit/Words.tsx'
import { RegistryPage } from '#records/RegistryPage.tsx'

/** Согласование расходов: approvers, and the sums from which they are needed. */
export default function RoutesPage() {
  return (
    <RegistryPage
      page={pageByKey('expenseRoutes')}
      entity={ExpenseRoute}
      expand={['user', 'filial', 'article']}
      columns={[
        { key: 'idUser', width: 240, cell: ({ user }) => user?.shortFio },
        {
          key: 'fromSum',
          width: 160,
          cell: ({ fromSum }) => (fromSum > 0 ? formatMoney(fromSum) : <Muted>Любая сумма</Muted>),
        },
        { key: 'idFilial', width: 200, cell: ({ filial }) => filial?.nameFilial ?? <Muted>Все филиалы</Muted> },
        { key: 'idArticle', width: 200, cell: ({ article }) => article?.name ?? <Muted>Все статьи</Muted> },
      ]}
    />
  )
}
