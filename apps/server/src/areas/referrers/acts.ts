/**
 * Acts of referrers. A draft is collected anew: what is due up to the end of the month, less what signed acts have. So a
 * refund after a signed act, another referrer or a late payment comes with the next one. A signed act never changes.
 */
import { Expense } from '@ordinator/model/areas/expenses/expense'
import { referrerCalls } from '@ordinator/model/areas/referrers/calls'
import { Referrer, ReferrerAct, ReferrerActLine } from '@ordinator/model/areas/referrers/referrer'
import type { Create, Row } from '@ordinator/model/entity'
import { formatDay } from '@ordinator/model/format'
import sql, { type Sql } from 'sql-template-tag'
import { dayOf } from '#areas/money/index.ts'
import type { Queryable, Tx } from '#platform/db.ts'
import { disposition } from '#platform/disposition.ts'
import { HttpError } from '#platform/errors.ts'
import { xlsxStream } from '#platform/xlsxStream.ts'
import { records } from '#records/define.ts'
import { operation } from '#records/operation.ts'
import type { Records } from '#records/records.ts'
import { accruedSql } from './accrued.ts'
import { employeeOf, isEmployee } from './choose.ts'

type Act = Row<typeof ReferrerAct>

const of = (row: Sql, what: Sql): Sql => sql`(select ${what} from referrer_acts_lines z where z."idAct" = ${row}."id")`

export const acts = records(ReferrerAct, {
  computed: {
    lines: ({ row }) => of(row, sql`count(*)::int`),
    sum: ({ row }) => of(row, sql`coalesce(sum(z."sum"), 0)::numeric(14,2)`),
    paid: ({ row }) => sql`coalesce((select e."sum" from expenses e where e."id" = ${row}."idExpense"
      and e."status" = 'paid' and not e."deleted"), 0)::numeric(14,2)`,
  },
})
export const actLines = records(ReferrerActLine)

interface Due {
  idLine: number
  idAppointment: number
  localDate: string
  name: string
  base: number
  rate: string
  sum: number
  isCorrection: boolean
}

/** Differences of a referrer between what is due up to the end of a month and what signed acts have, by line. */
const dueOf = (db: Queryable, idReferrer: number, month: string): Promise<Due[]> =>
  db.query<Due>(sql`
    with due as materialized (${accruedSql(
      sql`a."idReferrer" = ${idReferrer} and c."localDate" < ${month}::date + interval '1 month'`,
    )}), acted as materialized (
      select z."idCouponService" as "idLine", sum(z."sum") as sum from referrer_acts_lines z
        join referrer_acts y on y."id" = z."idAct" and y."state" = 'signed' and not y."deleted"
      where y."idReferrer" = ${idReferrer} group by 1)
    select l."id"::int as "idLine", c."idAppointment"::int as "idAppointment", c."localDate"::text as "localDate",
      coalesce(d.name, s."nameService") as name, coalesce(d.base, 0)::float8 as base, coalesce(d.rate, 'снято') as rate,
      (coalesce(d.due, 0) - coalesce(t.sum, 0))::float8 as sum, t."idLine" is not null as "isCorrection"
    from due d full join acted t on t."idLine" = d."idLine" join coupon_services l on l."id" = coalesce(d."idLine", t."idLine")
      join coupons c on c."id" = l."idCoupon" join services s on s."id" = l."idService"
    where coalesce(d.due, 0) <> coalesce(t.sum, 0) and c."localDate" < ${month}::date + interval '1 month'
    order by c."localDate", l."id"`)

const lockReferrer = (tx: Tx, id: number) => tx.query(sql`select 1 from referrers where "id" = ${id} for update`)

const firstOf = (day: string): string => `${day.slice(0, 8)}01`

export const collect = operation(referrerCalls.collect, ({ records: all, body }) =>
  all.tx(async (inside, tx) => {
    const { id: idReferrer } = await inside.row(Referrer, body.idReferrer)
    await lockReferrer(tx, idReferrer)
    const month = firstOf(body.month)
    const draft = await tx.one<{ id: number }>(sql`select "id"::int as id from referrer_acts
      where "idReferrer" = ${idReferrer} and "month" = ${month} and "state" = 'draft' and not "deleted" for update`)
    const last = await tx.one<{ number: number }>(
      sql`select coalesce(max("number"), 0)::int as number from referrer_acts where "idReferrer" = ${idReferrer}`,
    )
    const id =
      draft?.id ??
      (
        await inside.asSystem.create(ReferrerAct, {
          ...{ idReferrer, month, number: (last?.number ?? 0) + 1 },
          idAuthor: inside.actor.id || null,
        } as Create<typeof ReferrerAct>)
      ).id
    await inside.asSystem.deleteWhere(ReferrerActLine, ({ row }) => sql`${row}."idAct" = ${id}`)
    const due = await dueOf(tx, idReferrer, month)
    await inside.asSystem.createMany(
      ReferrerActLine,
      due.map(({ idLine, ...line }) => ({ ...line, idAct: id, idCouponService: idLine })) as Create<
        typeof ReferrerActLine
      >[],
    )
    return inside.row(ReferrerAct, id)
  }),
)

/** The act under the lock of its referrer. @throws HttpError 409 in another state */
async function heldIn(inside: Records, tx: Tx, id: number, state: Act['state']): Promise<Act> {
  const { idReferrer } = await inside.row(ReferrerAct, id)
  await lockReferrer(tx, idReferrer)
  const act = await inside.row(ReferrerAct, id)
  if (act.state === state) return act
  const words = { draft: 'Акт ещё черновик', signed: 'Акт уже подписан', cancelled: 'Акт аннулирован' }[act.state]
  throw new HttpError(409, words, { code: 'transition' })
}

export const sign = operation(referrerCalls.sign, ({ records: all, params: { id } }) =>
  all.tx(async (inside, tx) => {
    const act = await heldIn(inside, tx, id, 'draft')
    const { idContractor } = await inside.row(Referrer, act.idReferrer)
    const employee = await employeeOf(tx, idContractor)
    if (employee) throw new HttpError(409, isEmployee(employee), { code: 'employee' })
    const lines = await tx.query<{ idLine: number; sum: number }>(sql`
      select "idCouponService"::int as "idLine", "sum"::float8 as sum from referrer_acts_lines where "idAct" = ${id}`)
    const due = new Map((await dueOf(tx, act.idReferrer, act.month)).map((line) => [line.idLine, line.sum]))
    if (due.size !== lines.length || lines.some(({ idLine, sum }) => due.get(idLine) !== sum))
      throw new HttpError(409, 'Суммы изменились: соберите акт заново', { code: 'stale' })
    if (act.sum <= 0)
      throw new HttpError(409, 'Платить нечего: исправления перейдут в акт следующего месяца', { code: 'transition' })
    return inside.asSystem.update(ReferrerAct, id, { state: 'signed', dateSigned: await dayOf(tx, null) })
  }),
)

const liveExpense = (tx: Tx, { idExpense }: Act) =>
  tx.one<{ id: number }>(sql`select "id"::int as id from expenses where "id" = ${idExpense} and not "deleted"`)

export const annul = operation(referrerCalls.annul, ({ records: all, params: { id }, body }) =>
  all.tx(async (inside, tx) => {
    const act = await heldIn(inside, tx, id, 'signed')
    const expense = await liveExpense(tx, act)
    if (expense)
      throw new HttpError(409, `По акту заведён расход № ${expense.id}: сначала удалите его`, { code: 'inUse' })
    return inside.asSystem.update(ReferrerAct, id, { state: 'cancelled', reason: body.reason })
  }),
)

export const spend = operation(referrerCalls.spend, ({ records: all, params: { id }, body }) =>
  all.tx(async (inside, tx) => {
    const act = await heldIn(inside, tx, id, 'signed')
    const before = await liveExpense(tx, act)
    if (before) throw new HttpError(409, `По акту уже заведён расход № ${before.id}`, { code: 'transition' })
    const { idContractor, number, name } = await inside.row(Referrer, act.idReferrer)
    // By the rights of the employee: a referrer's editor is not an editor of expenses.
    const { id: idExpense } = await inside.create(Expense, {
      ...{ localDate: await dayOf(tx, null), month: act.month, idArticle: body.idArticle, idContractor, sum: act.sum },
      purpose: `Информационные услуги: ${name}, договор ${number}, акт № ${act.number}`.slice(0, 500),
      number: String(act.number),
    } as Create<typeof Expense>)
    return inside.asSystem.update(ReferrerAct, id, { idExpense })
  }),
)

export const file = operation(referrerCalls.file, async ({ app, records: all, params: { id }, reply }) => {
  const act = await all.row(ReferrerAct, id)
  const { name } = await all.row(Referrer, act.idReferrer)
  const lines = await app.db.reads.query<Due>(sql`select "idAppointment"::int as "idAppointment",
      "localDate"::text as "localDate", "name", "base"::float8 as base, "rate", "sum"::float8 as sum, "isCorrection"
    from referrer_acts_lines where "idAct" = ${id} order by "localDate", "id"`)
  const head = ['День', 'Визит №', 'Услуга', 'Оплачено', 'Ставка', 'К оплате', 'Примечание']
  const rows = lines.map((line) => [
    ...[formatDay(line.localDate), String(line.idAppointment), line.name, line.base.toFixed(2), line.rate],
    ...[line.sum.toFixed(2), line.isCorrection ? 'Исправление прежнего акта' : ''],
  ])
  const sheet = { name: 'Акт', widths: [12, 12, 48, 14, 14, 14, 28], head, rows: once(rows) }
  const parts: Buffer[] = []
  for await (const part of xlsxStream(once(sheet))) parts.push(part)
  return reply
    .header('content-disposition', disposition('attachment', `Акт ${act.number} ${name} ${act.month.slice(0, 7)}.xlsx`))
    .type('application/vnd.openxmlformats-officedocument.spreadsheetml.sheet')
    .send(Buffer.concat(parts))
})

async function* once<T>(value: T): AsyncGenerator<T, void> {
  yield value
}
