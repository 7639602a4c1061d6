/** Bank statements: parsed, stored once, matched with pending payments, the rest sorted by a person. */
import { createHash } from 'node:crypto'
import { expenseCalls } from '@ordinator/model/areas/expenses/calls'
import { BankStatement, Expense, StatementLine } from '@ordinator/model/areas/expenses/expense'
import {
  isIncoming,
  matchExpense,
  type Payable,
  type ReadStatement,
  readStatement,
  type StatementDocument,
  StatementError,
} from '@ordinator/model/areas/expenses/statement'
import { monthOf } from '@ordinator/model/areas/expenses/states'
import { rubles } from '@ordinator/model/areas/money/rules'
import type { Create, Row } from '@ordinator/model/entity'
import sql from 'sql-template-tag'
import { type Due, duesOf, payRegistry } from '#areas/payers/index.ts'
import type { Tx } from '#platform/db.ts'
import { badRequest, forbidden, HttpError, ValidationError } from '#platform/errors.ts'
import { operation } from '#records/operation.ts'
import type { Records } from '#records/records.ts'
import { heldIn } from './records.ts'
import { approve, payExpense } from './steps.ts'

/** Decodes a bank's file: windows-1251 by the standard, UTF-8 if its header declares it. */
export function decodeStatement(bytes: Buffer): string {
  const head = bytes.subarray(0, 400)
  const isUtf8 = (head[0] === 0xef && head[1] === 0xbb) || /Кодировка=UTF-?8/i.test(head.toString('utf8'))
  return new TextDecoder(isUtf8 ? 'utf-8' : 'windows-1251').decode(bytes)
}

function read(bytes: Buffer): ReadStatement {
  try {
    return readStatement(decodeStatement(bytes))
  } catch (error) {
    if (error instanceof StatementError) throw badRequest(error.message)
    throw error
  }
}

const hashOf = (...parts: readonly (string | number)[]): string =>
  createHash('sha256').update(parts.join('|')).digest('hex')

/** The mark by which operations were kept before purposes were a part of it. */
const formerMarkOf = (account: string, one: StatementDocument): string =>
  hashOf(account, one.day, one.number, one.kopecks, one.payerAccount, one.payeeAccount, one.payeeInn, one.payerInn)

interface Operation {
  mark: string
  former: string
  document: StatementDocument
}

/**
 * Operations with marks that are the same in any file. Equal ones of a day differ by their order: a bank gives
 * the operations of a day whole, or its beginning.
 */
function operationsOf({ account, documents }: ReadStatement): Operation[] {
  const times = new Map<string, number>()
  return documents.map((document) => {
    const former = formerMarkOf(account, document)
    const same = hashOf(former, document.purpose)
    const place = (times.get(same) ?? 0) + 1
    times.set(same, place)
    return { mark: hashOf(same, place), former, document }
  })
}

/** Operations that no earlier file has brought. */
async function freshOf(tx: Tx, operations: readonly Operation[]): Promise<Operation[]> {
  const marks = operations.flatMap(({ mark, former }) => [mark, former])
  const rows = await tx.query<{ mark: string; purpose: string | null }>(
    sql`select "mark", "purpose" from expenses_statement_lines where "mark" = any (${marks}::text[])`,
  )
  const known = new Map(rows.map(({ mark, purpose }) => [mark, purpose ?? '']))
  return operations.filter(({ mark, former, document }) => {
    if (known.has(mark)) return false
    if (known.get(former) !== document.purpose) return true
    // It was kept by the former mark, once: the next equal one is another operation.
    known.delete(former)
    return false
  })
}

export const uploadStatement = operation(expenseCalls.uploadStatement, ({ records, request, query }) => {
  const bytes = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0)
  if (bytes.length === 0) throw badRequest('Файл пуст')
  const found = read(bytes)
  return records.tx((inside, tx) => take(inside, tx, found, query.name ?? 'kl_to_1c.txt'))
})

async function take(inside: Records, tx: Tx, found: ReadStatement, name: string) {
  // Serialized: two files may contain the same operations.
  await tx.query(sql`select pg_advisory_xact_lock(hashtextextended(${BankStatement.path}, 0))`)
  const own = await tx.one<{ id: number }>(sql`select a."id" from organizations_accounts a
    join organizations o on o."id" = a."idOrganization" and o."kind" = 'own'
    where a."account" = ${found.account} and not a."deleted" limit 1`)
  const statement = await inside.asSystem.create(BankStatement, {
    name,
    account: found.account || null,
    idBankAccount: own?.id ?? null,
    dateFrom: found.from,
    dateTo: found.to,
    opening: found.opening === null ? null : rubles(found.opening),
    closing: found.closing === null ? null : rubles(found.closing),
    idAuthor: inside.actor.id,
  } as Create<typeof BankStatement>)
  const fresh = await freshOf(tx, operationsOf(found))
  const payable = await payableOf(tx)
  const dues = mayPay(inside) ? await duesOf(tx) : []
  let matched = 0
  for (const { mark, document: one } of fresh) {
    const incoming = isIncoming(one, found.account)
    const idExpense = incoming ? undefined : matchExpense(one, [...payable.values()])
    if (idExpense !== undefined) {
      payable.delete(idExpense)
      await payByLine(inside, tx, idExpense, mark, one.day, own?.id)
      matched++
    }
    const paid = incoming ? paidBy(one, dues) : undefined
    if (paid) {
      dues.splice(dues.indexOf(paid), 1)
      await payRegistry(inside, tx, paid.id, { ...payingOf(mark, one), date: one.day, sum: rubles(one.kopecks) })
      matched++
    }
    const isOfPayer = incoming && dues.some(({ inn }) => inn === one.payerInn)
    await inside.asSystem.create(StatementLine, {
      idStatement: statement.id,
      localDate: one.day,
      number: one.number || null,
      isIncoming: incoming,
      sum: rubles(one.kopecks),
      party: (incoming ? one.payer : one.payee) || null,
      inn: (incoming ? one.payerInn : one.payeeInn) || null,
      purpose: one.purpose || null,
      mark,
      state: idExpense !== undefined || paid ? 'matched' : incoming && !isOfPayer ? 'ignored' : 'new',
      idExpense: idExpense ?? null,
      idRegistry: paid?.id ?? null,
    } as Create<typeof StatementLine>)
  }
  return {
    statement: await inside.asSystem.row(BankStatement, statement.id),
    added: fresh.length,
    repeated: found.documents.length - fresh.length,
    matched,
    problems: found.problems,
  }
}

const mayPay = ({ actor }: Records): boolean => actor.system === true || actor.permissions.editPayers === true

const payingOf = (mark: string, { number }: { number: string | null }) => ({
  key: `statement:${mark}`,
  document: number || 'без номера',
})

/** The registry that an operation pays in full: the only one of the payer with this sum, or the one that its purpose names. */
function paidBy(one: StatementDocument, dues: readonly Due[]): Due | undefined {
  const alike = dues.filter(({ inn, kopecks }) => inn === one.payerInn && kopecks === one.kopecks)
  const named = alike.filter(({ number }) => new RegExp(`(?<!\\d)${number}(?!\\d)`).test(one.purpose))
  return alike.length === 1 ? alike[0] : named.length === 1 ? named[0] : undefined
}

/** Approved expenses paid from an account. */
async function payableOf(tx: Tx): Promise<Map<number, Payable>> {
  const rows = await tx.query<Payable>(sql`
    select e."id", (e."sum" * 100)::float8 as kopecks, o."inn", e."number", to_char(e."localDate", 'YYYY-MM-DD') as day
    from expenses e left join organizations o on o."id" = e."idContractor"
    where e."status" = 'approved' and e."payFrom" = 'account' and not e."deleted" order by e."id" limit 5000`)
  return new Map(rows.map((one) => [one.id, one]))
}

async function payByLine(
  inside: Records,
  tx: Tx,
  idExpense: number,
  mark: string,
  day: string,
  idBankAccount?: number,
): Promise<void> {
  await heldIn(tx, idExpense, 'approved')
  const expense = await inside.asSystem.row(Expense, idExpense)
  await payExpense(inside, tx, expense, {
    key: `statement:${mark}`,
    payFrom: 'account',
    localDate: day,
    idBankAccount: idBankAccount ?? expense.idBankAccount ?? undefined,
  })
}

export const sortLine = operation(expenseCalls.sortLine, ({ records, params: { id }, body }) =>
  records.tx(async (inside, tx) => {
    const line = await inside.row(StatementLine, id)
    const held = await tx.one<{ state: Row<typeof StatementLine>['state'] }>(
      sql`select "state" from expenses_statement_lines where "id" = ${id} for update`,
    )
    if (held?.state === 'matched') throw new HttpError(409, 'Эта операция уже проведена', { code: 'transition' })
    if (body.as === 'ignored') return inside.asSystem.update(StatementLine, id, { state: 'ignored' })
    if (body.as === 'registry') {
      if (!mayPay(inside)) throw forbidden()
      if (!line.isIncoming)
        throw new HttpError(409, 'Это списание: плательщик платит поступлением', { code: 'transition' })
      const { sum, localDate: date, mark, number } = line
      const paying = { ...payingOf(mark, { number }), sum, date, field: 'idRegistry' }
      await payRegistry(inside, tx, body.idRegistry, paying)
      return inside.asSystem.update(StatementLine, id, { state: 'matched', idRegistry: body.idRegistry })
    }
    if (line.isIncoming) throw new HttpError(409, 'Это поступление: расхода в нём нет', { code: 'transition' })
    const { idBankAccount } = await inside.asSystem.row(BankStatement, line.idStatement)
    let idExpense: number
    if (body.as === 'expense') {
      const expense = await inside.row(Expense, body.idExpense)
      if (expense.sum !== line.sum) throw new ValidationError([{ field: 'idExpense', message: 'Сумма расхода другая' }])
      idExpense = expense.id
    } else {
      const contractor = line.inn
        ? await tx.one<{ id: number }>(
            sql`select "id" from organizations where "inn" = ${line.inn} and not "deleted" order by "id" limit 1`,
          )
        : undefined
      const made = await inside.create(Expense, {
        localDate: line.localDate,
        month: monthOf(line.localDate),
        idArticle: body.idArticle,
        idFilial: body.idFilial ?? null,
        purpose: line.purpose ?? line.party ?? 'Операция по выписке',
        sum: line.sum,
        idContractor: contractor?.id ?? null,
        payFrom: 'account',
        number: line.number,
      })
      // The bank has paid it already: no approval is needed.
      await approve(inside, tx, made)
      idExpense = made.id
    }
    await payByLine(inside, tx, idExpense, line.mark, line.localDate, idBankAccount ?? undefined)
    return inside.asSystem.update(StatementLine, id, { state: 'matched', idExpense })
  }),
)
