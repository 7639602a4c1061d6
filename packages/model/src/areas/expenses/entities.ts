import {
  BankStatement,
  Expense,
  ExpenseApproval,
  ExpenseArticle,
  ExpenseAttachment,
  ExpenseFile,
  ExpensePlan,
  ExpenseRoute,
  StatementLine,
} from './expense.ts'

/** Entities of this area. */
export const entities = [
  ExpenseArticle,
  Expense,
  ExpenseRoute,
  ExpenseApproval,
  ExpensePlan,
  ExpenseFile,
  ExpenseAttachment,
  BankStatement,
  StatementLine,
] as const
