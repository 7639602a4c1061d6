/** A year of expenses of the demo clinic: rent, materials, taxes and others, with planned and pending ones. */
import { Expense, ExpenseArticle, ExpensePlan, ExpenseRoute } from '@ordinator/model/areas/expenses/expense'
import { type ArticleKind, monthsLater, vatWithin } from '@ordinator/model/areas/expenses/states'
import { LedgerAccount } from '@ordinator/model/areas/money/ledger'
import { dayIn, plusDays } from '@ordinator/model/zone'
import sql, { raw } from 'sql-template-tag'
import type { Tx } from '#platform/db.ts'
import type { AppContext } from '#records/context.ts'
import type { Records } from '#records/records.ts'
import { ask } from './steps.ts'

const pastHooks = { pastHooks: 'The demo clinic is laid out as a whole' }
const MONTHS = 12

interface Spent {
  article: string
  purpose: string
  /** Rubles per month and branch; `common` is once for all. */
  sum: number
  day: number
  common?: true
  /** Rubles by which months vary. */
  about?: number
  vat?: '22'
  /** Contractors of this kind in turn. */
  from?: 'supplier' | 'laboratory'
  /** Months between two. */
  every?: number
}

const articles: readonly { name: string; kind: ArticleKind; within?: string }[] = [
  { name: 'Помещения', kind: 'fixed' },
  { name: 'Аренда', kind: 'fixed', within: 'Помещения' },
  { name: 'Коммунальные услуги', kind: 'fixed', within: 'Помещения' },
  { name: 'Уборка', kind: 'fixed', within: 'Помещения' },
  { name: 'Материалы', kind: 'variable' },
  { name: 'Расходные материалы', kind: 'variable', within: 'Материалы' },
  { name: 'Лекарства', kind: 'variable', within: 'Материалы' },
  { name: 'Внешняя лаборатория', kind: 'variable' },
  { name: 'Эквайринг', kind: 'variable' },
  { name: 'Реклама', kind: 'variable' },
  { name: 'Связь и программы', kind: 'fixed' },
  { name: 'Обслуживание оборудования', kind: 'fixed' },
  { name: 'Страховые взносы', kind: 'tax' },
  { name: 'Налог УСН', kind: 'tax' },
]

const spending: readonly Spent[] = [
  { article: 'Аренда', purpose: 'Аренда помещения', sum: 85_000, day: 5 },
  { article: 'Коммунальные услуги', purpose: 'Электричество, вода, отопление', sum: 14_300, about: 4_200, day: 18 },
  { article: 'Уборка', purpose: 'Уборка помещений', sum: 16_000, day: 28 },
  {
    article: 'Расходные материалы',
    purpose: 'Перчатки, шприцы, салфетки',
    sum: 21_400,
    about: 6_300,
    day: 12,
    vat: '22',
    from: 'supplier',
  },
  {
    article: 'Лекарства',
    purpose: 'Лекарства для процедурного кабинета',
    sum: 9_800,
    about: 3_100,
    day: 15,
    from: 'supplier',
  },
  {
    article: 'Внешняя лаборатория',
    purpose: 'Исследования за месяц',
    sum: 18_700,
    about: 5_400,
    day: 25,
    from: 'laboratory',
  },
  { article: 'Эквайринг', purpose: 'Комиссия банка за эквайринг', sum: 6_900, about: 1_900, day: 30 },
  { article: 'Реклама', purpose: 'Яндекс Директ', sum: 32_000, about: 6_000, day: 3, common: true, vat: '22' },
  {
    article: 'Связь и программы',
    purpose: 'Телефония, интернет, программы',
    sum: 24_500,
    day: 10,
    common: true,
    vat: '22',
  },
  {
    article: 'Обслуживание оборудования',
    purpose: 'Поверка и ремонт оборудования',
    sum: 41_000,
    about: 9_000,
    day: 20,
    common: true,
    every: 3,
  },
  {
    article: 'Страховые взносы',
    purpose: 'Страховые взносы за сотрудников',
    sum: 96_000,
    about: 8_000,
    day: 28,
    common: true,
  },
  {
    article: 'Налог УСН',
    purpose: 'Авансовый платёж по УСН',
    sum: 118_000,
    about: 21_000,
    day: 25,
    common: true,
    every: 3,
  },
]

export async function demo(records: Records, _app: AppContext, tx: Tx): Promise<void> {
  const system = records.asSystem
  const own = await tx.one<{ id: number; account: number | null }>(sql`select o."id",
      (select a."id" from organizations_accounts a where a."idOrganization" = o."id" order by a."isMain" desc, a."id" limit 1) as account
    from organizations o where o."kind" = 'own' order by o."id" limit 1`)
  const filials = await tx.query<{ id: number }>(sql`select "id" from filials where "active" order by "id"`)
  const people = new Map(
    (
      await tx.query<{ id: number; login: string }>(
        sql`select "id", "login" from users where "login" in ('accountant', 'manager', 'admin')`,
      )
    ).map(({ id, login }) => [login, id]),
  )
  const idAuthor = people.get('accountant') ?? people.get('admin')
  if (!own || !idAuthor) return
  const contractors = await tx.query<{ id: number; kind: string }>(
    sql`select "id", "kind" from organizations where "kind" in ('supplier', 'laboratory') and not "deleted" order by "id"`,
  )
  const ids = new Map<string, number>()
  for (const { name, kind, within } of articles) {
    const idParent = within ? (ids.get(within) ?? null) : null
    ids.set(name, (await system.create(ExpenseArticle, { name, kind, idParent })).id)
  }
  const today = dayIn('Europe/Moscow', Date.now())
  const thisMonth = `${today.slice(0, 7)}-01`
  const drafts = Array.from({ length: MONTHS }, (_, at) => monthsLater(thisMonth, at + 1 - MONTHS)).flatMap(
    (month, at) =>
      spending.flatMap((one, place) => {
        if (one.every && (at + 1) % one.every !== 0) return []
        const places: (number | null)[] = one.common ? [null] : filials.map(({ id }) => id)
        return places.map((idFilial, branch) => {
          // Deterministic, and different each month.
          const wave = ((at * 7 + place * 5 + branch * 3) % 11) / 10 - 0.5
          const sum = Math.round((one.sum * (1 - 0.18 * branch) + wave * (one.about ?? 0)) * 100) / 100
          const localDate = plusDays(month, one.day - 1)
          const some = contractors.filter(({ kind }) => kind === one.from)
          return {
            localDate,
            month,
            idArticle: ids.get(one.article) as number,
            idFilial,
            purpose: one.purpose,
            sum,
            vatCode: one.vat ?? ('none' as const),
            vatSum: one.vat ? vatWithin(Math.round(sum * 100), Number(one.vat)) / 100 : 0,
            idContractor: some[(at + branch) % Math.max(1, some.length)]?.id ?? null,
            payFrom: 'account' as const,
            idBankAccount: own.account,
            status: localDate <= today ? ('paid' as const) : ('plan' as const),
            datePaid: localDate <= today ? localDate : null,
            dateApproved: localDate <= today ? `${localDate}T09:00:00Z` : null,
            idPayer: localDate <= today ? idAuthor : null,
            idResponsible: people.get('manager') ?? null,
            idAuthor,
            dateCreate: `${localDate <= today ? localDate : today}T08:30:00Z`,
          }
        })
      }),
  )
  await system.createMany(Expense, drafts, pastHooks)
  await postDemo(records, tx, own.id, own.account)
  await system.createMany(
    ExpensePlan,
    [...ids].flatMap(([name, idArticle]) => {
      const one = spending.find(({ article }) => article === name)
      if (!one || one.every) return []
      const places: (number | null)[] = one.common ? [null] : filials.map(({ id }) => id)
      return [0, -1, -2].flatMap((back) =>
        places.map((idFilial, branch) => ({
          month: monthsLater(thisMonth, back),
          idArticle,
          idFilial,
          sum: Math.round(one.sum * (1 - 0.18 * branch)),
        })),
      )
    }),
    pastHooks,
  )
  const manager = people.get('manager')
  if (!manager) return
  await system.create(ExpenseRoute, { idUser: manager, fromSum: 50_000 })
  const large = await system.create(Expense, {
    localDate: today,
    month: thisMonth,
    idArticle: ids.get('Обслуживание оборудования') as number,
    idFilial: filials[0]?.id ?? null,
    purpose: 'Замена датчика УЗИ-аппарата',
    sum: 186_000,
    payFrom: 'account',
    idAuthor,
  })
  await ask(records.asSystem, tx, large)
}

/** Posts approved and paid expenses to the ledger. */
async function postDemo(records: Records, tx: Tx, idOrganization: number, account: number | null): Promise<void> {
  const bank = await records.asSystem.create(LedgerAccount, {
    kind: 'bank',
    idOrganization,
    mark: `account ${account ?? 0}`,
  })
  await records.asSystem.createFrom(
    LedgerAccount,
    sql`(select distinct 'expense' as kind, 'article ' || "idArticle" as mark from expenses where "status" = 'paid'
      union select distinct 'supplier', 'contractor ' || coalesce("idContractor", 0) from expenses where "status" = 'paid') q
      order by q.kind, q.mark`,
    { kind: raw('q.kind'), mark: raw('q.mark'), idOrganization },
  )
  await tx.query(sql`
    with spent as (
      select e."id", e."localDate", e."purpose", (e."sum" * 100)::bigint as sum, a."id" as "idCost", s."id" as "idOwed"
      from expenses e
        join ledger_accounts a on a."kind" = 'expense' and a."mark" = 'article ' || e."idArticle" and a."idOrganization" = ${idOrganization}
        join ledger_accounts s on s."kind" = 'supplier' and s."mark" = 'contractor ' || coalesce(e."idContractor", 0) and s."idOrganization" = ${idOrganization}
      where e."status" = 'paid'
    ), costs as (
      insert into ledger_txs ("key", "kind", "localDate", "comment")
      select 'expense:' || "id" || ':0', 'expense', "localDate", "purpose" from spent order by "id" returning "id", "key"
    ), paid as (
      insert into ledger_txs ("key", "kind", "localDate", "comment")
      select 'expense-paid:demo-' || "id", 'expensePaid', "localDate", "purpose" from spent order by "id" returning "id", "key"
    )
    insert into ledger_entries ("idTx", "idAccount", "amount")
    select e.* from spent s join costs c on c."key" = 'expense:' || s."id" || ':0'
      join paid p on p."key" = 'expense-paid:demo-' || s."id"
      cross join lateral (values (c."id", s."idCost", s.sum), (c."id", s."idOwed", -s.sum),
        (p."id", s."idOwed", s.sum), (p."id", ${bank.id}::bigint, -s.sum)) e(tx, account, amount)`)
}
