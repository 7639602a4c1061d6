/**
 * Profit and loss. Revenue is charged in the ledger, by day and by the branch that gave the service; costs are the
 * approved and paid expenses of their months; wages are the approved months of payroll, and in a line of their own the
 * calculated ones that nobody has approved yet. Each is computed by its own query, not from displayed figures.
 */
import { expenseCalls, MAX_MONTHS, type PlanFact, type Profit } from '@ordinator/model/areas/expenses/calls'
import { type ArticleKind, articleKinds, monthsLater } from '@ordinator/model/areas/expenses/states'
import { rubles } from '@ordinator/model/areas/money/rules'
import type { PayerIncome } from '@ordinator/model/areas/payers/rules'
import { formatMonth } from '@ordinator/model/format'
import sql, { raw, type Sql } from 'sql-template-tag'
import { entriesOfSql } from '#areas/money/index.ts'
import { acceptedSql } from '#areas/payers/index.ts'
import { calculatedWages } from '#areas/payroll/index.ts'
import { readCommonSettings } from '#areas/settings/index.ts'
import type { Queryable } from '#platform/db.ts'
import { badRequest } from '#platform/errors.ts'
import type { ServerActor } from '#records/actor.ts'
import { branchesToCount } from '#records/branches.ts'
import { countedCall } from '#records/countedCall.ts'

/** Months (`2026-11`) and comma-separated branches. */
interface Asked {
  from: string
  to: string
  filials?: string | undefined
}

interface Span {
  /** First days of the first month and of the one after the last. */
  from: string
  until: string
  months: string[]
  filials: number[] | null
}

function spanOf({ from, to, filials }: Asked, actor?: ServerActor): Span {
  if (from > to) throw badRequest('Параметр to: месяц раньше первого')
  const months: string[] = []
  for (let month = `${from}-01`; month <= `${to}-01`; month = monthsLater(month, 1)) {
    months.push(month.slice(0, 7))
    if (months.length > MAX_MONTHS) throw badRequest(`Не больше ${MAX_MONTHS} месяцев`)
  }
  const asked = filials ? filials.split(',').map(Number) : []
  const counted = actor ? branchesToCount(actor, asked) : asked
  return {
    from: `${from}-01`,
    until: monthsLater(`${to}-01`, 1),
    months,
    filials: counted.length > 0 ? [...counted] : null,
  }
}

interface Cell {
  month: string
  idFilial: number | null
  kopecks: number
}
interface ArticleCell extends Cell {
  idArticle: number
}

const among = (column: Sql, filials: number[] | null): Sql =>
  filials === null ? raw('true') : sql`${column} = any (${filials}::bigint[])`

/** SQL condition: a transaction `t` does not charge a payer, and does not take such a charge back. */
const notClaimed = sql`not exists (select 1 from ledger_txs o where o."id" = coalesce(t."reverses", t."id")
  and o."kind" = 'insurerCharged')`

/**
 * What payers have accepted, in the month of the service. An answer after that month of the branch was closed counts in
 * its own month, as corrections of payroll do.
 */
const acceptedCells = ({ from, until, filials }: Omit<Span, 'months'>): Sql => sql`union all
  select to_char(d."day", 'YYYY-MM'), c."idFilial", (sum(q."amount") * 100)::float8
  from ${acceptedSql} q join coupon_services l on l."id" = q."idLine" join coupons c on c."id" = l."idCoupon"
    cross join lateral (select case when exists (select 1 from payroll_periods p where p."idFilial" = c."idFilial"
        and p."month" = date_trunc('month', c."localDate")::date and p."status" = 'closed' and not p."deleted"
        and p."dateClosed" < q."at") then greatest(q."day", c."localDate") else c."localDate" end as "day") d
  where d."day" >= ${from} and d."day" < ${until} and ${among(raw('c."idFilial"'), filials)}
  group by 1, 2`

/**
 * Kopecks of the ledger's revenue, including corrections and reversals; entries without a line belong to the desk's
 * branch.
 */
export const revenueCells = (
  db: Queryable,
  { from, until, filials }: Omit<Span, 'months'>,
  payerIncome: PayerIncome = 'claimed',
): Promise<Cell[]> =>
  db.query<Cell>(sql`
    select to_char(t."localDate", 'YYYY-MM') as month, x."idFilial", (-sum(e."amount"))::float8 as kopecks
    from ledger_txs t cross join ${entriesOfSql('revenue')}
      left join coupon_services l on l."id" = t."idCouponService" left join coupons c on c."id" = l."idCoupon"
      left join cash_shifts s on s."id" = t."idShift" left join cash_desks d on d."id" = s."idDesk"
      cross join lateral (select coalesce(c."idFilial", d."idFilial") as "idFilial") x
    where t."localDate" >= ${from} and t."localDate" < ${until} and ${among(raw('x."idFilial"'), filials)}
      and ${payerIncome === 'claimed' ? raw('true') : notClaimed}
    group by 1, 2 ${payerIncome === 'claimed' ? raw('') : acceptedCells({ from, until, filials })}`)

/** Kopecks of approved and paid expenses, by article. */
export const costCells = (db: Queryable, { from, until, filials }: Omit<Span, 'months'>): Promise<ArticleCell[]> =>
  db.query<ArticleCell>(sql`
    select to_char(e."month", 'YYYY-MM') as month, e."idFilial", e."idArticle", (sum(e."sum") * 100)::float8 as kopecks
    from expenses e where not e."deleted" and e."status" in ('approved', 'paid') and e."month" >= ${from} and e."month" < ${until}
      and ${among(raw('e."idFilial"'), filials)} group by 1, 2, 3`)

/** Kopecks of wages, as posted by approvals of payroll. */
export const wageCells = (db: Queryable, { from, until, filials }: Omit<Span, 'months'>): Promise<Cell[]> =>
  db.query<Cell>(sql`
    select to_char(t."localDate", 'YYYY-MM') as month, x."idFilial", sum(e."amount")::float8 as kopecks
    from ledger_txs t cross join ${entriesOfSql('wages')}
      cross join lateral (select substring(e."mark" from '^filial (\\d+)$')::bigint as "idFilial") x
    where t."localDate" >= ${from} and t."localDate" < ${until} and ${among(raw('x."idFilial"'), filials)}
    group by 1, 2 having sum(e."amount") <> 0`)

interface ArticleRow {
  id: number
  name: string
  kind: ArticleKind
  level: number
  path: number[]
}

/** The tree of articles, children after their parent. */
const articleTree = (db: Queryable): Promise<ArticleRow[]> =>
  db.query<ArticleRow>(sql`with recursive tree as (
      select "id", "name", "kind", 0 as level, array["order"::numeric, "id"] as place, array["id"] as path
      from expenses_articles where "idParent" is null
      union all
      select a."id", a."name", a."kind", t.level + 1, t.place || array[a."order"::numeric, a."id"], t.path || a."id"
      from expenses_articles a join tree t on a."idParent" = t."id" where t.level < 10
    ) select "id", "name", "kind", level, path from tree order by place`)

const share = (part: number, whole: number): number | null =>
  whole === 0 ? null : Math.round((part * 1000) / whole) / 10

const sum = (values: readonly number[]): number => values.reduce((some, one) => some + one, 0)
const shown = (values: readonly number[]): number[] => values.map(rubles)

interface Column {
  key: string
  name: string
}

/** A column for each branch with cells, the last one for cells of no branch. */
const filialColumns = (filials: readonly { id: number; name: string }[], cells: readonly Cell[]): Column[] => [
  ...filials
    .filter(({ id }) => cells.some(({ idFilial }) => idFilial === id))
    .map(({ id, name }) => ({ key: String(id), name })),
  ...(cells.some(({ idFilial }) => idFilial === null) ? [{ key: '0', name: 'Без филиала' }] : []),
]

/** Sums cells by column, in kopecks. */
function rowsBy(columns: readonly Column[], columnOf: (cell: Cell) => string): (cells: readonly Cell[]) => number[] {
  const at = new Map(columns.map(({ key }, place) => [key, place]))
  return (cells) => {
    const values = columns.map(() => 0)
    for (const cell of cells) {
      const place = at.get(columnOf(cell))
      if (place !== undefined) values[place] = (values[place] ?? 0) + cell.kopecks
    }
    return values
  }
}

type ProfitAsked = Asked & { by: 'month' | 'filial' }

async function profitOf(db: Queryable, query: ProfitAsked, actor: ServerActor): Promise<Profit> {
  const asked = spanOf(query, actor)
  const { payerIncome } = await readCommonSettings(db)
  const [revenue, costs, wages, calculated, articles, filials] = await Promise.all([
    revenueCells(db, asked, payerIncome),
    costCells(db, asked),
    wageCells(db, asked),
    calculatedWages(db, asked),
    articleTree(db),
    db.query<{ id: number; name: string }>(
      sql`select "id", coalesce("shortFilialName", "nameFilial") as name from filials order by "id"`,
    ),
  ])
  const all: Cell[] = [...revenue, ...costs, ...wages, ...calculated]
  const columns =
    query.by === 'month'
      ? asked.months.map((key) => ({ key, name: formatMonth(key) }))
      : filialColumns(
          filials.filter(({ id }) => asked.filials?.includes(id) ?? true),
          all,
        )
  const row = rowsBy(columns, (cell) => (query.by === 'month' ? cell.month : String(cell.idFilial ?? 0)))
  const line = (
    key: string,
    name: string,
    kind: Profit['lines'][number]['kind'],
    cells: readonly Cell[],
    more: { level?: number; idArticle?: number } = {},
  ): Profit['lines'][number] => {
    const values = row(cells)
    return {
      ...{ key, name, kind, level: more.level ?? 0, idArticle: more.idArticle ?? null },
      values: shown(values),
      total: rubles(sum(values)),
    }
  }
  const byArticle = Map.groupBy(costs, ({ idArticle }) => idArticle)
  const under = (id: number): ArticleCell[] =>
    articles.filter(({ path }) => path.includes(id)).flatMap((one) => byArticle.get(one.id) ?? [])
  const kindOf = new Map(articles.map(({ id, kind }) => [id, kind]))
  const lines = [
    line('revenue', 'Выручка', 'revenue', revenue),
    line('payroll', 'Зарплата', 'payroll', wages),
    ...(calculated.length
      ? [line('payroll-calculated', 'Зарплата: рассчитана, не утверждена', 'payroll', calculated)]
      : []),
    ...articles.flatMap((one) => {
      const cells = under(one.id)
      return cells.length
        ? [line(`article-${one.id}`, one.name, one.kind, cells, { level: one.level, idArticle: one.id })]
        : []
    }),
  ]
  const kinds = Object.keys(articleKinds) as ArticleKind[]
  const costRows = Object.fromEntries(
    kinds.map((kind) => [
      kind,
      row([
        ...costs.filter(({ idArticle }) => kindOf.get(idArticle) === kind),
        ...(kind === 'payroll' ? [...wages, ...calculated] : []),
      ]),
    ]),
  )
  const incomes = row(revenue)
  const spent = columns.map((_, place) => kinds.reduce((some, kind) => some + (costRows[kind]?.[place] ?? 0), 0))
  const left = incomes.map((one, place) => one - (spent[place] ?? 0))
  return {
    columns,
    lines,
    revenue: shown(incomes),
    costs: Object.fromEntries(Object.entries(costRows).map(([kind, values]) => [kind, shown(values)])),
    profit: shown(left),
    margin: left.map((one, place) => share(one, incomes[place] ?? 0)),
    totals: totalsOf(sum(incomes), sum(spent)),
    payerIncome,
  }
}

/** @param revenue kopecks, as `costs` */
const totalsOf = (revenue: number, costs: number): Profit['totals'] => ({
  ...{ revenue: rubles(revenue), costs: rubles(costs), profit: rubles(revenue - costs) },
  margin: share(revenue - costs, revenue),
})

async function planFactOf(db: Queryable, query: Asked, actor: ServerActor): Promise<PlanFact> {
  const asked = spanOf(query, actor)
  const { from, until, filials } = asked
  const [facts, plans, coming, articles] = await Promise.all([
    costCells(db, asked),
    db.query<ArticleCell>(sql`select "idArticle", "idFilial", '' as month, ("sum" * 100)::float8 as kopecks
      from expenses_plans where not "deleted" and "month" >= ${from} and "month" < ${until} and ${among(raw('"idFilial"'), filials)}`),
    db.query<ArticleCell>(sql`select "idArticle", "idFilial", '' as month, ("sum" * 100)::float8 as kopecks
      from expenses where not "deleted" and "status" in ('plan', 'toApprove') and "month" >= ${from} and "month" < ${until}
        and ${among(raw('"idFilial"'), filials)}`),
    articleTree(db),
  ])
  const sum = (cells: readonly Cell[]) => rubles(cells.reduce((all, one) => all + one.kopecks, 0))
  const lines = articles.flatMap(({ id, name, level }) => {
    const own = new Set(articles.filter(({ path }) => path.includes(id)).map((one) => one.id))
    const of = (cells: readonly ArticleCell[]) => cells.filter(({ idArticle }) => own.has(idArticle))
    const [plan, fact, ahead] = [of(plans), of(facts), of(coming)]
    return plan.length + fact.length + ahead.length > 0
      ? [{ idArticle: id, name, level, plan: sum(plan), fact: sum(fact), coming: sum(ahead) }]
      : []
  })
  return { lines, plan: sum(plans), fact: sum(facts), coming: sum(coming) }
}

/** @throws HttpError 400 for an invalid period */
function checked<A extends Asked>(asked: A): A {
  spanOf(asked)
  return asked
}

export const expenseCounts = [
  countedCall(expenseCalls.profit, {
    asked: ({ query }) => checked(query),
    count: profitOf,
    empty: () => ({
      ...{ columns: [], lines: [], revenue: [], costs: {}, profit: [], margin: [] },
      totals: { revenue: 0, costs: 0, profit: 0, margin: null },
      payerIncome: 'claimed' as const,
    }),
  }),
  countedCall(expenseCalls.planFact, {
    asked: ({ query }) => checked(query),
    count: planFactOf,
    empty: () => ({ lines: [], plan: 0, fact: 0, coming: 0 }),
  }),
]
