/** Expenses, their articles, route and plans: rules of changes, and repeats. */
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
} from '@ordinator/model/areas/expenses/expense'
import {
  type ExpenseStatus,
  expenseStatuses,
  isDraft,
  monthOf,
  vatWithin,
} from '@ordinator/model/areas/expenses/states'
import { kopecks, rubles } from '@ordinator/model/areas/money/rules'
import type { Row, Update } from '@ordinator/model/entity'
import sql from 'sql-template-tag'
import { fileRecords } from '#areas/files/index.ts'
import type { Tx } from '#platform/db.ts'
import { HttpError, ValidationError } from '#platform/errors.ts'
import { count, records } from '#records/define.ts'
import { labelSql } from '#records/labels.ts'

/** Fields that may change after approval: none affects sum, month or article. */
const afterApproval: ReadonlySet<string> = new Set([
  'note',
  'number',
  'idResponsible',
  'repeat',
  'repeatTo',
  '_version',
])
/** Maximum depth of articles. */
const MAX_LEVELS = 6

/** Fills in the month and the VAT included in the sum. */
function settle(value: Update<typeof Expense> & { vatSum?: number }, before?: Row<typeof Expense>): void {
  const { localDate, month, sum, vatCode, repeat, repeatTo, payFrom, idDesk } = { ...before, ...value }
  if (value.localDate && !before && !month) value.month = monthOf(value.localDate)
  else if (value.month) value.month = monthOf(value.month)
  else if (value.month === null && localDate) value.month = monthOf(localDate)
  if (sum !== undefined && (value.sum !== undefined || value.vatCode !== undefined)) {
    const percent = vatCode && vatCode !== 'none' ? Number(vatCode) : 0
    value.vatSum = rubles(vatWithin(kopecks(sum), percent))
  }
  if (repeat && repeat !== 'none' && localDate && repeatTo && repeatTo < localDate)
    throw new ValidationError([{ field: 'repeatTo', message: 'Раньше самого расхода' }])
  if (payFrom === 'account' && idDesk && value.idDesk)
    throw new ValidationError([{ field: 'idDesk', message: 'Касса нужна, когда платят из кассы' }])
}

export const expenses = records(Expense, {
  found: {
    on: 'expenses',
    group: 'Расходы',
    by: ['purpose', 'number'],
    opens: ({ row }) => sql`'/expenses?open=' || ${row}."id"`,
    hint: ({ row }) =>
      sql`${labelSql(sql`${row}."status"`, expenseStatuses)} || ', ' || replace(${row}."sum"::text, '.', ',') || ' ₽'`,
    day: 'localDate',
  },
  computed: {
    filesCount: count('files'),
    waitsForMe: ({ row, me }) => sql`(${row}."status" = 'toApprove' and exists (select 1 from expenses_approvals a
      where a."idExpense" = ${row}."id" and a."idUser" = ${me} and a."status" = 'waiting'))`,
  },
  hooks: {
    beforeCreate: (_, value) => settle(value),
    async beforeUpdate({ actor }, value, before) {
      if (actor.system) return
      const status: ExpenseStatus = before.status
      if (!isDraft(status)) {
        const now = new Map(Object.entries(before))
        for (const [field, given] of Object.entries(value))
          if (!afterApproval.has(field) && JSON.stringify(given) !== JSON.stringify(now.get(field)))
            throw new ValidationError([
              { field, message: `Расход «${expenseStatuses[status]}»: верните его в план, чтобы изменить` },
            ])
      }
      settle(value, before)
    },
  },
})

export const expenseArticles = records(ExpenseArticle, {
  hooks: {
    async beforeUpdate({ tx }, { idParent }, { id }) {
      if (!idParent) return
      const above = await tx.query<{ id: number }>(sql`with recursive up as (
          select "id", "idParent", 1 as level from expenses_articles where "id" = ${idParent}
          union all select a."id", a."idParent", u.level + 1 from expenses_articles a join up u on a."id" = u."idParent" where u.level < 20
        ) select "id" from up`)
      if (above.some((one) => one.id === id))
        throw new ValidationError([{ field: 'idParent', message: 'Статья не может входить в саму себя' }])
      if (above.length >= MAX_LEVELS)
        throw new ValidationError([{ field: 'idParent', message: `Не больше ${MAX_LEVELS} уровней` }])
    },
    async beforeDelete({ tx }, { id }) {
      const used = await tx.one(sql`select 1 from expenses where "idArticle" = ${id} and not "deleted"
        union all select 1 from expenses_articles where "idParent" = ${id} and not "deleted" limit 1`)
      if (used)
        throw new HttpError(409, 'На статью записаны расходы или в неё входят другие: отметьте, что она не действует', {
          code: 'kept',
        })
    },
  },
})

export const expenseRoutes = records(ExpenseRoute)
export const expenseApprovals = records(ExpenseApproval)
export const expensePlans = records(ExpensePlan, {
  hooks: {
    prepare(value) {
      if (value.month) value.month = monthOf(value.month)
    },
  },
})
export const expenseFiles = fileRecords(ExpenseFile)
export const expenseAttachments = records(ExpenseAttachment)
export const bankStatements = records(BankStatement, {
  computed: {
    linesCount: ({ row }) =>
      sql`(select count(*)::int from expenses_statement_lines l where l."idStatement" = ${row}."id")`,
  },
})
export const statementLines = records(StatementLine)

/** Ids of an article and its ancestors. */
export async function articlesAbove(tx: Tx, id: number): Promise<number[]> {
  const rows = await tx.query<{ id: number }>(sql`with recursive up as (
      select "id", "idParent", 1 as level from expenses_articles where "id" = ${id}
      union all select a."id", a."idParent", u.level + 1 from expenses_articles a join up u on a."id" = u."idParent" where u.level < 20
    ) select "id" from up`)
  return rows.map((one) => one.id)
}

/** The expense, locked until the transaction ends. @throws HttpError 409 in another state */
export async function heldIn(tx: Tx, id: number, ...states: ExpenseStatus[]): Promise<void> {
  const held = await tx.one<{ status: ExpenseStatus }>(
    sql`select "status" from expenses where "id" = ${id} and not "deleted" for update`,
  )
  if (!held) throw new HttpError(404, 'Расход не найден')
  if (!states.includes(held.status))
    throw new HttpError(409, `Расход уже в состоянии «${expenseStatuses[held.status]}»`, { code: 'transition' })
}
