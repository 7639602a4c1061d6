import type { Area } from '#records/area.ts'
import { demo } from './demo.ts'
import { planFact, profit } from './profit.ts'
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
  operations: [submit, decide, withdraw, pay, uploadStatement, sortLine, profit, planFact],
  demo,
  start: startRepeats,
}
