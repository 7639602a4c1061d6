/** Expenses beyond the engine's calls. */
import { z } from 'zod'
import { call, counting, day, id, idParams, onceKey, oneOf, rowOf } from '../../call.ts'
import { messages } from '../../messages.ts'
import { uploadCall } from '../files/calls.ts'
import { payerIncomes } from '../payers/rules.ts'
import { BankStatement, Expense, ExpenseFile, expenseAccess, StatementLine } from './expense.ts'
import { articleKinds } from './states.ts'

const note = z.string().trim().max(500, messages.maxLength(500))
const version = { _version: z.int().optional() }

/** Maximum months of a statement. */
export const MAX_MONTHS = 24
/** Maximum bytes of a bank's file. */
export const MAX_STATEMENT = 10_485_760

const month = z.string().regex(/^\d{4}-(0[1-9]|1[0-2])$/, 'Нужен месяц: 2026-11')
const period = {
  from: month,
  to: month,
  /** Comma-separated ids; absent: all, including records without a branch. */
  filials: z
    .string()
    .regex(/^\d+(,\d+)*$/)
    .max(400)
    .optional(),
}

/** A row of the matrix: the value of each column, and the total. */
const values = z.array(z.number())
const line = z.object({
  key: z.string(),
  name: z.string(),
  kind: z.enum(['revenue', 'payroll', ...(Object.keys(articleKinds) as (keyof typeof articleKinds)[])]),
  /** Depth in the tree of articles. */
  level: z.int(),
  idArticle: id.nullable(),
  values,
  total: z.number(),
})

export const profit = z.object({
  /** `2026-11` or a branch id; 0: without a branch. */
  columns: z.array(z.object({ key: z.string(), name: z.string() })),
  lines: z.array(line),
  revenue: values,
  /** Costs of each kind, by its key. */
  costs: z.record(z.string(), values),
  profit: values,
  /** Percent of the revenue; null where there is none. */
  margin: z.array(z.number().nullable()),
  totals: z.object({ revenue: z.number(), costs: z.number(), profit: z.number(), margin: z.number().nullable() }),
  /** How the share of payers is counted. */
  payerIncome: oneOf(payerIncomes),
  ...counting,
})
export type Profit = z.output<typeof profit>

const planFact = z.object({
  lines: z.array(
    z.object({
      idArticle: id,
      name: z.string(),
      level: z.int(),
      plan: z.number(),
      fact: z.number(),
      /** Expenses to approve or pay, not included in `fact`. */
      coming: z.number(),
    }),
  ),
  plan: z.number(),
  fact: z.number(),
  coming: z.number(),
  ...counting,
})
export type PlanFact = z.output<typeof planFact>

export const expenseCalls = {
  uploadFile: uploadCall(ExpenseFile),
  submit: call({
    method: 'POST',
    path: '/expenses/:id/submit',
    summary: 'На согласование по маршруту; без шагов маршрута расход согласован сразу',
    access: 'editExpenses',
    params: idParams,
    body: z.strictObject(version),
    answer: rowOf(Expense),
  }),
  decide: call({
    method: 'POST',
    path: '/expenses/:id/decide',
    summary: 'Решение того, чья очередь согласовать; отказ — с причиной',
    access: expenseAccess.view,
    params: idParams,
    body: z.strictObject({ approved: z.boolean(), comment: note.optional() }),
    answer: rowOf(Expense),
  }),
  withdraw: call({
    method: 'POST',
    path: '/expenses/:id/withdraw',
    summary: 'Согласованный, но не оплаченный расход снова план; проводка отменяется',
    access: 'editExpenses',
    params: idParams,
    body: z.strictObject(version),
    answer: rowOf(Expense),
  }),
  pay: call({
    method: 'POST',
    once: true,
    path: '/expenses/:id/pay',
    summary: 'Оплата согласованного расхода: со счёта или изъятием из открытой смены кассы',
    access: 'editExpenses',
    params: idParams,
    body: z.strictObject({
      key: onceKey,
      payFrom: z.enum(['account', 'desk']).optional(),
      idDesk: id.optional(),
      idBankAccount: id.optional(),
      localDate: day.optional(),
    }),
    answer: rowOf(Expense),
  }),
  uploadStatement: call({
    method: 'POST',
    path: '/expenses/statements/upload',
    summary:
      'Выписка банка в текстовом формате 1С (windows-1251 или UTF-8): операции, которые уже есть, пропускаются; оплаченные ими согласованные расходы находятся по ИНН и сумме',
    access: 'editExpenses',
    query: z.strictObject({ name: z.string().max(255).optional() }),
    bodyType: 'raw',
    bodyLimit: MAX_STATEMENT,
    body: z.string().describe('Содержимое файла'),
    status: 201,
    answer: z.object({
      statement: rowOf(BankStatement),
      added: z.int(),
      repeated: z.int(),
      matched: z.int(),
      problems: z.array(z.string()),
    }),
  }),
  sortLine: call({
    method: 'POST',
    path: '/expenses/statement-lines/:id/sort',
    summary:
      'Операция выписки оплачивает расход, становится новым расходом статьи или не расход; поступление оплачивает реестр плательщику',
    access: 'editExpenses',
    params: idParams,
    body: z.discriminatedUnion('as', [
      z.strictObject({ as: z.literal('expense'), idExpense: id }),
      z.strictObject({ as: z.literal('new'), idArticle: id, idFilial: id.nullable().optional() }),
      z.strictObject({ as: z.literal('registry'), idRegistry: id }),
      z.strictObject({ as: z.literal('ignored') }),
    ]),
    answer: rowOf(StatementLine),
  }),
  profit: call({
    method: 'GET',
    path: '/expenses/profit',
    summary:
      'Отчёт о прибыли по месяцам или филиалам: выручка по учёту, расходы по статьям, зарплата утверждённых месяцев и, отдельной строкой, рассчитанная, но не утверждённая',
    access: expenseAccess.view,
    query: z.strictObject({ ...period, by: oneOf({ month: '', filial: '' }).default('month') }),
    answer: profit,
  }),
  planFact: call({
    method: 'GET',
    path: '/expenses/plan-fact',
    summary: 'План и факт расходов по статьям за месяцы',
    access: expenseAccess.view,
    query: z.strictObject(period),
    answer: planFact,
  }),
}
