/** Coupon lines from agreed plans: at the plan's prices, and never above the agreed quantity. */
import { PlanItem } from '@ordinator/model/areas/plans/plan'
import { isAgreed, type PlanStatus, partOf } from '@ordinator/model/areas/plans/rules'
import { CouponService } from '@ordinator/model/areas/visits/visit'
import { counted } from '@ordinator/model/format'
import { kopecks, lineKopecks, rubles } from '@ordinator/model/money'
import sql, { raw } from 'sql-template-tag'
import { isCountedSql, visitLinesSql } from '#areas/counted/index.ts'
import type { Tx } from '#platform/db.ts'
import { HttpError, ValidationError } from '#platform/errors.ts'
import type { Records } from '#records/records.ts'
import { assertVisible } from '#records/reference.ts'
import { planStatusSql } from './progress.ts'

interface Line {
  id: number
  idPlanItem: number
  idService: number
  idCustomer: number
  localDate: string
  qty: number
  price: number
  discount: number
  isFixed: boolean
  /** A package pays for it, and sets its price. */
  isPackage: boolean
}

interface Item {
  id: number
  idService: number
  idCustomer: number
  status: PlanStatus
  cancelled: boolean
  validTo: string | null
  qty: number
  price: number | null
  discount: number
}

const wrong = (message: string) => new ValidationError([{ field: 'idPlanItem', message }])

/**
 * Sets the agreed prices on a visit's lines from plans: the lower of list and plan while the plan's prices are valid
 * (day.md §4), the list price afterwards. Locks the plans until the transaction ends, so that the agreed quantity is
 * not exceeded.
 * @throws ValidationError for a line outside the plan, HttpError 409 if nothing is left of it
 */
export async function bookPlanned(records: Records, tx: Tx, idAppointment: number): Promise<void> {
  const lines = await plannedLines(tx, idAppointment)
  if (lines.length === 0) return
  for (const idItem of new Set(lines.map(({ idPlanItem }) => idPlanItem)))
    await assertVisible(records, PlanItem, idItem, 'idPlanItem')
  const items = await holdItems(tx, lines)
  for (const line of lines) {
    const item = items.get(line.idPlanItem)
    if (!item || item.idCustomer !== line.idCustomer) throw wrong('Это услуга плана другого пациента')
    if (item.idService !== line.idService) throw wrong('В плане стоит другая услуга')
    if (!isAgreed(item.status)) throw wrong('По плану записывают, когда он согласован и пока не завершён')
    if (item.cancelled) throw wrong('Эта услуга плана отменена')
    if (!Number.isInteger(line.qty)) throw wrong('Услуги плана записывают целиком')
  }
  await settle(records, tx, idAppointment, lines, items, inTerm)
}

/** Whether the plan's prices are valid on the day of the line. */
const inTerm = ({ validTo }: Item, { localDate }: Line): boolean => !validTo || localDate <= validTo

/**
 * Reprices the lines of a visit moved to another day. A line with the list price keeps it, as lines without a plan do.
 * @param listed list price of each service of the visit on that day
 */
export async function replanPrices(
  records: Records,
  tx: Tx,
  idAppointment: number,
  listed: ReadonlyMap<number, number>,
): Promise<void> {
  const lines = await plannedLines(tx, idAppointment)
  if (lines.length === 0) return
  const items = await holdItems(tx, lines)
  const priced = lines.map((line) => {
    const item = items.get(line.idPlanItem)
    const isAnew = line.isFixed || (item !== undefined && inTerm(item, line))
    return isAnew && !line.isPackage ? { ...line, price: listed.get(line.idService) ?? line.price } : line
  })
  await settle(records, tx, idAppointment, priced, items, inTerm)
}

/**
 * Counts lines again that were removed from their visit, or whose visit was cancelled.
 * @param idLine the only restored one
 * @throws HttpError 409 if others have taken their place, or the plan is no longer agreed
 */
export async function rebookPlanned(records: Records, tx: Tx, idAppointment: number, idLine?: number): Promise<void> {
  const lines = await plannedLines(tx, idAppointment)
  if (lines.length === 0) return
  const items = await holdItems(tx, lines)
  for (const { id, idPlanItem } of lines) {
    if (idLine !== undefined && id !== idLine) continue
    const item = items.get(idPlanItem)
    // The restored line may complete the plan: the remaining quantity is checked below.
    const isOn = item !== undefined && !item.cancelled && (isAgreed(item.status) || item.status === 'done')
    if (!isOn)
      throw new HttpError(409, 'От услуги отказались в плане лечения: её записывают заново, без плана', {
        code: 'transition',
      })
  }
  await settle(records, tx, idAppointment, lines, items, (_, { isFixed }) => isFixed)
}

const plannedLines = (tx: Tx, idAppointment: number): Promise<Line[]> =>
  tx.query<Line>(sql`select l."id", l."idPlanItem", l."idService", a."idCustomer", c."localDate"::text as "localDate",
      l."qty"::float8 as qty, l."price"::float8 as price, l."discount"::float8 as discount, l."isFixed",
      l."idMembership" is not null as "isPackage"
    from ${visitLinesSql} where a."id" = ${idAppointment} and l."idPlanItem" is not null and ${isCountedSql} order by l."id"`)

async function holdItems(tx: Tx, lines: readonly Line[]): Promise<Map<number, Item>> {
  const ids = lines.map(({ idPlanItem }) => idPlanItem)
  await tx.query(sql`select 1 from customer_plans where "id" in (select s."idPlan" from customer_plans_items i
    join customer_plans_stages s on s."id" = i."idStage" where i."id" = any (${ids}::bigint[])) order by "id" for update`)
  const found = await tx.query<Item>(sql`select i."id", i."idService", p."idCustomer", i."cancelled", i."qty",
      i."price"::float8 as price, i."discount"::float8 as discount, p."validTo"::text as "validTo",
      ${planStatusSql(raw('p'))} as status
    from customer_plans_items i join customer_plans_stages s on s."id" = i."idStage" join customer_plans p on p."id" = s."idPlan"
    where i."id" = any (${ids}::bigint[]) and not i."deleted" and not s."deleted" and not p."deleted"`)
  return new Map(found.map((item) => [item.id, item]))
}

async function settle(
  records: Records,
  tx: Tx,
  idAppointment: number,
  lines: readonly Line[],
  items: ReadonlyMap<number, Item>,
  holds: (item: Item, line: Line) => boolean,
): Promise<void> {
  const others = await tx.query<{ id: number; qty: number; sum: number }>(sql`
    select l."idPlanItem" as id, sum(l."qty")::float8 as qty, coalesce(sum(l."planSum"), 0)::float8 as sum
    from ${visitLinesSql} where l."idPlanItem" = any (${[...items.keys()]}::bigint[]) and a."id" <> ${idAppointment} and ${isCountedSql}
    group by 1`)
  const used = new Map(others.map(({ id, qty, sum }) => [id, { qty, kopecks: kopecks(sum) }]))
  const rows = lines.flatMap((line) => {
    const item = items.get(line.idPlanItem)
    if (!item) return []
    const before = used.get(item.id) ?? { qty: 0, kopecks: 0n }
    if (before.qty + line.qty > item.qty)
      throw new HttpError(
        409,
        item.qty > before.qty
          ? `По плану осталось записать ${counted(item.qty - before.qty, ['услугу', 'услуги', 'услуг'])}`
          : 'Услуга плана уже записана или выполнена',
        { code: 'transition' },
      )
    const part = partOf(item, line.qty, before)
    used.set(item.id, { qty: before.qty + line.qty, kopecks: before.kopecks + part })
    const planSum = rubles(part)
    if (line.isPackage) return [{ id: line.id, planSum, price: line.price, discount: line.discount, isFixed: true }]
    if (!holds(item, line)) return [{ id: line.id, planSum, price: line.price, discount: 0, isFixed: false }]
    const listed = lineKopecks({ quantity: line.qty, price: line.price })
    // A service without a list price costs the agreed price.
    if (listed > 0n && listed < part) return [{ id: line.id, planSum, price: line.price, discount: 0, isFixed: true }]
    const price = item.price ?? 0
    const discount = rubles(lineKopecks({ quantity: line.qty, price }) - part)
    return [{ id: line.id, planSum, price, discount, isFixed: true }]
  })
  await records.asSystem.updateWhere(
    CouponService,
    {
      rows: sql`select r.* from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
        as r("id" bigint, "planSum" numeric, "price" numeric, "discount" numeric, "isFixed" boolean)`,
    },
    ({ picked }) => ({
      planSum: sql`${picked}."planSum"`,
      price: sql`${picked}."price"`,
      discount: sql`${picked}."discount"`,
      isFixed: sql`${picked}."isFixed"`,
    }),
    { pastHooks: 'The visit is billed after it' },
  )
}
