import sql from 'sql-template-tag'
import { clinicZone } from '#areas/settings/index.ts'
import type { Adapter } from '#platform/adapter.ts'
import type { Area } from '#records/area.ts'
import type { AppContext } from '#records/context.ts'
import { demo } from './demo.ts'
import { expenseCounts } from './profit.ts'
import {
  bankStatements,
  expenseApprovals,
  expenseArticles,
  expenseAttachments,
  expenseFiles,
  expensePlans,
  expenses as expenseRecords,
  expenseRoutes,
  statementLines,
} from './records.ts'
import { startRepeats } from './repeats.ts'
import { sortLine, uploadStatement } from './statements.ts'
import { decide, pay, submit, withdraw } from './steps.ts'

/**
 * The exchange with 1С is by files: there is no connection to check, but the time of the last file shows whether it
 * works.
 */
const accountingCard = async (app: AppContext): Promise<Adapter[]> => {
  const last = await app.db.one<{
    at: string
  }>(sql`select to_char(max("dateCreate") at time zone ${clinicZone}, 'DD.MM.YYYY') as at
    from expenses_statements`)
  return [
    {
      key: '1c',
      name: '1С: обмен файлами',
      mode: last?.at ? 'prod' : 'off',
      setIn: 'Расходы → Выписки банка; Зарплата → месяц → «Для 1С»',
      note: async () => (last?.at ? `Последняя выписка загружена ${last.at}` : null),
      check: async () => 'Файлы загружают и выгружают сотрудники: подключать нечего',
      isQuiet: true,
    },
  ]
}

/** Expenses of the clinic: documents, their approval and payment, bank statements, profit and loss. */
export const expenses: Area = {
  name: 'expenses',
  title: 'Расходы',
  records: [
    expenseArticles,
    expenseRecords,
    expenseRoutes,
    expenseApprovals,
    expensePlans,
    expenseFiles,
    expenseAttachments,
    bankStatements,
    statementLines,
  ],
  operations: [submit, decide, withdraw, pay, uploadStatement, sortLine],
  counts: expenseCounts,
  adapters: accountingCard,
  demo,
  start: startRepeats,
}
