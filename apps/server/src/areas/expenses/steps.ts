/** Steps of an expense: approval by the route, posting as a cost, payment. */
import { expenseCalls } from '@ordinator/model/areas/expenses/calls'
import { Expense, ExpenseApproval } from '@ordinator/model/areas/expenses/expense'
import { type RouteStep, routeOf } from '@ordinator/model/areas/expenses/states'
import { BankAccount } from '@ordinator/model/areas/filials/organization'
import { kopecks } from '@ordinator/model/areas/money/rules'
import type { Row } from '@ordinator/model/entity'
import { formatMoney } from '@ordinator/model/format'
import sql from 'sql-template-tag'
import { dayOf, organizationOf, payFromDesk, post, reverse } from '#areas/money/index.ts'
import { notify } from '#areas/notifications/index.ts'
import { readCommonSettings } from '#areas/settings/index.ts'
import type { Tx } from '#platform/db.ts'
import { HttpError, ValidationError } from '#platform/errors.ts'
import { operation } from '#records/operation.ts'
import type { Records } from '#records/records.ts'
import { articlesAbove, heldIn } from './records.ts'

type ExpenseRow = Row<typeof Expense>

const KIND = 'expense.approval'
const linkOf = (id: number): string => `/expenses?open=${id}`

export const submit = operation(expenseCalls.submit, ({ records, params: { id }, body }) =>
  records.tx(async (inside, tx) => {
    await heldIn(tx, id, 'plan', 'rejected')
    const expense = await inside.row(Expense, id)
    if (body._version !== undefined && body._version !== expense._version)
      throw new HttpError(409, 'Расход уже изменили: обновите страницу', { code: 'stale' })
    return ask(inside, tx, expense)
  }),
)

const ONLY_OWN =
  'По маршруту согласовать этот расход можете только вы. Назначьте второго согласующего в «Согласовании расходов» или включите в «Настройках» → «Расходы», что единственный согласующий согласует свои расходы сам'

/** Requests the approvals of the route; without approvers the expense is approved. */
export async function ask(inside: Records, tx: Tx, expense: ExpenseRow): Promise<ExpenseRow> {
  const steps = await tx.query<RouteStep>(sql`select "id", "idUser", "fromSum"::float8 as "fromSum", "idFilial",
      "idArticle", "order"::float8 as "order" from expenses_routes r where not r."deleted"
      and exists (select 1 from users u where u."id" = r."idUser" and not u."deleted")`)
  const articles = await articlesAbove(tx, expense.idArticle)
  const route = routeOf(steps, { sum: expense.sum, idFilial: expense.idFilial, articles })
  const people = route.filter((idUser) => idUser !== inside.actor.id)
  const isOwn = people.length < route.length
  if (isOwn && people.length === 0 && !(await readCommonSettings(tx)).expensesOwnApproval)
    throw new HttpError(409, ONLY_OWN, { code: 'ownApproval' })
  await inside.asSystem.deleteWhere(ExpenseApproval, ({ row }) => sql`${row}."idExpense" = ${expense.id}`)
  // Submitting completes the submitter's own step, and shown as such.
  if (isOwn)
    await inside.asSystem.create(ExpenseApproval, {
      idExpense: expense.id,
      idUser: inside.actor.id,
      order: 0,
      status: 'approved',
      comment: people.length === 0 ? 'Единственный согласующий: согласовано отправкой' : 'Согласовано отправкой',
      dateDecided: new Date().toISOString(),
    })
  if (people.length === 0) return approve(inside, tx, expense)
  await inside.asSystem.createMany(
    ExpenseApproval,
    people.map((idUser, at) => ({
      idExpense: expense.id,
      idUser,
      order: at + 1,
      status: at === 0 ? ('waiting' as const) : ('later' as const),
    })),
  )
  const first = people[0] as number
  await notifyPeople(inside, tx, [first], `Согласуйте расход ${formatMoney(expense.sum)}`, expense)
  return inside.asSystem.update(Expense, expense.id, { status: 'toApprove', refusal: null })
}

const notifyPeople = (
  inside: Records,
  tx: Tx,
  people: readonly (number | null)[],
  title: string,
  expense: ExpenseRow,
) =>
  notify(
    { actor: inside.actor, records: inside, tx },
    people.filter((one) => one !== null),
    { kind: KIND, title, text: expense.purpose, path: Expense.path, idEntity: expense.id, link: linkOf(expense.id) },
  )

export const decide = operation(expenseCalls.decide, ({ records, params: { id }, body }) =>
  records.tx(async (inside, tx) => {
    const expense = await inside.row(Expense, id)
    await heldIn(tx, id, 'toApprove')
    const mine = await tx.one<{ id: number; order: number }>(sql`select "id", "order" from expenses_approvals
      where "idExpense" = ${id} and "idUser" = ${inside.actor.id} and "status" = 'waiting' for update`)
    if (!mine) throw new HttpError(403, 'Сейчас согласовать этот расход должен другой сотрудник')
    if (!body.approved && !body.comment)
      throw new ValidationError([{ field: 'comment', message: 'Скажите, почему расход не согласован' }])
    await inside.asSystem.update(ExpenseApproval, mine.id, {
      status: body.approved ? 'approved' : 'rejected',
      comment: body.comment ?? null,
      dateDecided: new Date().toISOString(),
    })
    if (!body.approved) {
      await notifyPeople(inside, tx, [expense.idAuthor, expense.idResponsible], 'Расход не согласован', expense)
      return inside.asSystem.update(Expense, id, { status: 'rejected', refusal: body.comment ?? null })
    }
    const next = await tx.one<{ id: number; idUser: number }>(sql`select "id", "idUser" from expenses_approvals
      where "idExpense" = ${id} and "status" = 'later' order by "order" limit 1`)
    if (!next) {
      await notifyPeople(inside, tx, [expense.idAuthor, expense.idResponsible], 'Расход согласован', expense)
      return approve(inside, tx, expense)
    }
    await inside.asSystem.update(ExpenseApproval, next.id, { status: 'waiting' })
    await notifyPeople(inside, tx, [next.idUser], `Согласуйте расход ${formatMoney(expense.sum)}`, expense)
    return inside.asSystem.row(Expense, id)
  }),
)

/** Posts it as a cost of its month, and as a debt to its recipient. */
export async function approve(inside: Records, tx: Tx, expense: ExpenseRow): Promise<ExpenseRow> {
  const idOrganization = await organizationOfExpense(tx, expense)
  const sum = kopecks(expense.sum)
  const before = await tx.one<{ count: number }>(
    sql`select count(*)::int as count from ledger_txs where "key" like ${`expense:${expense.id}:%`}`,
  )
  await post(inside, tx, {
    key: `expense:${expense.id}:${before?.count ?? 0}`,
    kind: 'expense',
    localDate: expense.localDate,
    comment: expense.purpose,
    entries: [
      { account: { kind: 'expense', idOrganization, mark: `article ${expense.idArticle}` }, amount: sum },
      { account: { ...supplierOf(expense), idOrganization }, amount: -sum },
    ],
  })
  return inside.asSystem.update(Expense, expense.id, {
    status: 'approved',
    refusal: null,
    dateApproved: new Date().toISOString(),
  })
}

const supplierOf = ({ idContractor }: Pick<ExpenseRow, 'idContractor'>) => ({
  kind: 'supplier' as const,
  mark: `contractor ${idContractor ?? 0}`,
})

async function organizationOfExpense(tx: Tx, { idFilial }: Pick<ExpenseRow, 'idFilial'>): Promise<number> {
  const id = await organizationOf(tx, idFilial ?? 0)
  if (id === undefined)
    throw new HttpError(409, 'Нет своей организации: заведите её, чтобы провести расход', { code: 'organization' })
  return id
}

export const withdraw = operation(expenseCalls.withdraw, ({ records, params: { id } }) =>
  records.tx(async (inside, tx) => {
    const expense = await inside.row(Expense, id)
    await heldIn(tx, id, 'approved', 'toApprove')
    const posted = await tx.one<{ id: number; day: string }>(sql`
      select t."id", to_char(t."localDate", 'YYYY-MM-DD') as day from ledger_txs t
      where t."key" like ${`expense:${id}:%`} and t."kind" = 'expense'
        and not exists (select 1 from ledger_txs r where r."reverses" = t."id") order by t."id" desc limit 1`)
    if (posted) await reverse(inside, tx, posted.id, { key: `expense-back:${posted.id}`, localDate: posted.day })
    return inside.asSystem.update(Expense, expense.id, { status: 'plan', dateApproved: null })
  }),
)

export const pay = operation(expenseCalls.pay, {
  async once({ records: inside, tx, params: { id }, body }) {
    const expense = await inside.row(Expense, id)
    await heldIn(tx, id, 'approved')
    const paid = await payExpense(inside, tx, expense, {
      ...body,
      payFrom: body.payFrom ?? expense.payFrom,
      idDesk: body.idDesk ?? expense.idDesk ?? undefined,
      idBankAccount: body.idBankAccount ?? expense.idBankAccount ?? undefined,
    })
    return paid.id
  },
  answer: ({ records, params }) => records.row(Expense, params.id),
})

interface Paying {
  key: string
  payFrom: ExpenseRow['payFrom']
  idDesk?: number | undefined
  idBankAccount?: number | undefined
  localDate?: string | undefined
}

/** Pays an approved expense whose row is locked. */
export async function payExpense(
  inside: Records,
  tx: Tx,
  expense: ExpenseRow,
  { key, payFrom, idDesk, idBankAccount, localDate }: Paying,
): Promise<ExpenseRow> {
  const sum = kopecks(expense.sum)
  const paid = { status: 'paid' as const, payFrom, idPayer: inside.actor.id || null }
  const idOrganization = await organizationOfExpense(tx, expense)
  if (payFrom === 'desk') {
    if (!idDesk) throw new ValidationError([{ field: 'idDesk', message: 'Выберите кассу' }])
    const taken = await payFromDesk(inside, tx, {
      idDesk,
      key: `expense-paid:${key}`,
      sum,
      reason: expense.purpose,
      account: { ...supplierOf(expense), idOrganization },
    })
    return inside.asSystem.update(Expense, expense.id, {
      ...paid,
      idDesk,
      idBankAccount: null,
      idShift: taken.idShift,
      datePaid: taken.localDate,
    })
  }
  const account = await accountOf(inside, tx, idBankAccount, idOrganization)
  const day = localDate ?? (await dayOf(tx, expense.idFilial))
  await post(inside, tx, {
    key: `expense-paid:${key}`,
    kind: 'expensePaid',
    localDate: day,
    comment: expense.purpose,
    entries: [
      { account: { ...supplierOf(expense), idOrganization }, amount: sum },
      { account: { kind: 'bank', idOrganization, mark: `account ${account ?? 0}` }, amount: -sum },
    ],
  })
  return inside.asSystem.update(Expense, expense.id, {
    ...paid,
    idDesk: null,
    idBankAccount: account,
    idShift: null,
    datePaid: day,
  })
}

/** The given account, else the main one of the organization; null if it has none. */
async function accountOf(
  inside: Records,
  tx: Tx,
  idBankAccount: number | undefined,
  idOrganization: number,
): Promise<number | null> {
  if (idBankAccount) return (await inside.row(BankAccount, idBankAccount)).id
  const main = await tx.one<{ id: number }>(sql`select "id" from organizations_accounts
    where "idOrganization" = ${idOrganization} and not "deleted" order by "isMain" desc, "id" limit 1`)
  return main?.id ?? null
}
