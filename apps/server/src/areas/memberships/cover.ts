/**
 * Memberships that pay for the lines of a visit. `coverVisit` is run by every change of a visit, before it is priced: it
 * reserves visits for what is booked, gives back what is not, and sets the price of a line to the share of its visits.
 */
import type { Cover } from '@ordinator/model/areas/memberships/rules'
import { kopecks, rubles } from '@ordinator/model/areas/money/rules'
import { CouponService } from '@ordinator/model/areas/visits/visit'
import sql, { raw, type Sql } from 'sql-template-tag'
import { priceSql } from '#areas/catalogue/index.ts'
import { isCountedSql, visitLinesSql } from '#areas/counted/index.ts'
import {
  dayOf,
  isReturnedSql,
  isSoldSql,
  linePaidSql,
  lockMemberships,
  organizationOf,
  releaseUnits,
  reserveUnits,
} from '#areas/money/index.ts'
import type { Queryable, Tx } from '#platform/db.ts'
import type { Records } from '#records/records.ts'

interface Line {
  id: number
  idService: number
  idCustomer: number
  idFilial: number
  day: string
  qty: number
  price: number
  isOn: boolean
  completed: boolean
  isOwnPay: boolean
  idPlanItem: number | null
  /** Rubles of the plan's agreed sum. */
  planSum: number
  isFixed: boolean
  idMembership: number | null
  units: number
  paid: number
  /** Rubles by the price list of the day. */
  listed: number | null
}

const linesOf = (tx: Tx, idAppointment: number): Promise<Line[]> =>
  tx.query<Line>(sql`
    select l."id", l."idService", a."idCustomer", c."idFilial", c."localDate"::text as day, l."qty"::float8 as qty,
      l."price"::float8 as price, l."completed", l."isOwnPay", l."idPlanItem"::int as "idPlanItem", coalesce(l."planSum", 0)::float8 as "planSum", l."isFixed",
      l."idMembership", ${linePaidSql(raw('l'))}::float8 as paid,
      ${isCountedSql} as "isOn",
      (select count(*)::int from membership_units u where u."idLine" = l."id") as units,
      (${priceSql(raw('s'), raw('s."id"'), { day: raw('c."localDate"'), idFilial: raw('c."idFilial"') })})::float8 as listed
    from ${visitLinesSql} join services s on s."id" = l."idService"
    where a."id" = ${idAppointment} order by l."id"`)

export interface Candidate {
  id: number
  covers: Cover[]
  hasUnits: boolean
}

/** SQL condition: a membership pays for visits of the day. @param m its row */
const isOpenSql = (m: Sql, day: string): Sql => sql`not ${m}."deleted" and ${isSoldSql(m)} and not ${isReturnedSql(m)}
  and coalesce(${m}."dateTo" >= ${day}::date, true) and coalesce(${m}."dateFrom" <= ${day}::date, true)
  and not coalesce(${day}::date between ${m}."frozenFrom" and ${m}."frozenTo", false)`

/** Memberships that may pay for a patient's visit of the day, the earliest to expire first. */
export async function candidates(
  db: Queryable,
  { idCustomer, day, idOrganization, id }: { idCustomer: number; day: string; idOrganization: number; id?: number },
): Promise<Candidate[]> {
  return db.query<Candidate>(sql`select m."id", m."covers",
      exists (select 1 from membership_units u where u."idMembership" = m."id") as "hasUnits"
    from memberships m where m."idOrganization" = ${idOrganization} and ${isOpenSql(sql`m`, day)}
      and (${id ?? null}::bigint is null or m."id" = ${id ?? null}) and (m."whose" = 'bearer' and ${id !== undefined} or exists (
        select 1 from memberships_users u where u."idMembership" = m."id" and u."idCustomer" = ${idCustomer} and not u."deleted"))
    order by m."dateTo" nulls last, m."id"`)
}

/** Indexes of the covers that a line falls under: its plan's item only, else its service first, then its groups. */
async function coversOf(
  db: Queryable,
  covers: readonly Cover[],
  { idService, idPlanItem }: Pick<Line, 'idService' | 'idPlanItem'>,
): Promise<number[]> {
  const groups = await db.query<{ id: number }>(sql`with recursive up as (
      select g."id", g."idParentGroup" from services s join services_groups g on g."id" = s."idGroup" where s."id" = ${idService}
      union select g."id", g."idParentGroup" from up join services_groups g on g."id" = up."idParentGroup"
    ) select "id" from up`)
  const above = new Set(groups.map(({ id }) => id))
  const at = (fits: (cover: Cover) => boolean) =>
    covers.flatMap((cover, index) => ((cover.idPlanItem ?? null) === idPlanItem && fits(cover) ? [index] : []))
  return [
    ...at((cover) => cover.idService === idService),
    ...at((cover) => cover.idService === null && cover.idGroup !== null && above.has(cover.idGroup)),
  ]
}

interface Priced {
  id: number
  idMembership: number | null
  price: number
  discount: number
  isFixed: boolean
}

/** Kopecks of a line as a price and a discount: the price of one times the quantity is not less. */
const pricedAs = (line: Line, idMembership: number | null, sum: number): Priced => {
  const each = Math.ceil(sum / line.qty)
  return { id: line.id, idMembership, price: rubles(each), discount: rubles(each * line.qty - sum), isFixed: true }
}

/** A line that the patient pays: by the plan it is of, else by the price list. */
const free = (line: Line): Priced =>
  line.idPlanItem !== null
    ? pricedAs(line, null, kopecks(line.planSum))
    : { id: line.id, idMembership: null, price: line.listed ?? line.price, discount: 0, isFixed: false }

/** Reserves a line on the first membership that has room. @returns how the line is priced; undefined: none has */
async function reserve(tx: Tx, line: Line, among: readonly Candidate[]): Promise<Priced | undefined> {
  await lockMemberships(
    tx,
    among.map(({ id }) => id),
  )
  for (const { id, covers, hasUnits } of among) {
    const fitting = await coversOf(tx, covers, line)
    if (fitting.length === 0) continue
    // Without a number of visits the term is paid, not the visit.
    if (!hasUnits) return pricedAs(line, id, 0)
    const items = [...new Set(fitting.map((at) => (covers[at]?.qty === null ? null : at)))]
    for (const item of items) {
      const listed = kopecks((line.listed ?? line.price) * line.qty)
      const sum = await reserveUnits(tx, { idMembership: id, item, qty: line.qty, idLine: line.id, listed })
      if (sum !== undefined) return pricedAs(line, id, sum)
    }
  }
  return undefined
}

/**
 * Brings reservations in line with the lines of a visit; idempotent. The customer is locked.
 * @param isQuoted the visit is booked, moved or got a service: memberships of the patient are offered to its lines
 */
export async function coverVisit(records: Records, tx: Tx, idAppointment: number, isQuoted: boolean): Promise<void> {
  const lines = await linesOf(tx, idAppointment)
  const [first] = lines
  if (!first) return
  const idOrganization = await organizationOf(tx, first.idFilial)
  const today = await dayOf(tx, first.idFilial)
  const changed: Priced[] = []
  for (const line of lines) {
    const of = { idCustomer: line.idCustomer, day: line.day, idOrganization: idOrganization ?? 0 }
    if (line.idMembership === null) {
      if (line.units > 0) await releaseUnits(records, tx, line.id, today)
      const mayBe =
        isQuoted && line.isOn && !line.completed && !line.isOwnPay && (line.idPlanItem !== null || !line.isFixed)
      if (!mayBe || line.paid > 0 || !Number.isInteger(line.qty) || idOrganization === undefined) continue
      const priced = await reserve(tx, line, await candidates(tx, of))
      if (priced) changed.push(priced)
      continue
    }
    if (!line.isOn) {
      await releaseUnits(records, tx, line.id, today)
      continue
    }
    const [own] = await candidates(tx, { ...of, id: line.idMembership })
    const isKept = line.units > 0 ? line.completed || !isQuoted || own !== undefined : own?.hasUnits === false
    if (isKept) continue
    await releaseUnits(records, tx, line.id, today)
    changed.push((own && (await reserve(tx, line, [own]))) ?? free(line))
  }
  if (changed.length === 0) return
  await records.asSystem.updateWhere(
    CouponService,
    {
      rows: sql`select r.* from jsonb_to_recordset(${JSON.stringify(changed)}::jsonb)
        as r("id" bigint, "idMembership" bigint, "price" numeric, "discount" numeric, "isFixed" boolean)`,
    },
    ({ picked }) => ({
      idMembership: sql`${picked}."idMembership"`,
      price: sql`${picked}."price"`,
      discount: sql`${picked}."discount"`,
      isFixed: sql`${picked}."isFixed"`,
      promised: null,
      priceUntil: null,
    }),
    { pastHooks: 'The visit is billed after it' },
  )
}

/** Pays a line by a chosen membership, or takes it off. @returns the reason in Russian why it cannot */
export async function chooseMembership(
  records: Records,
  tx: Tx,
  { idAppointment, idLine, idMembership }: { idAppointment: number; idLine: number; idMembership: number | null },
): Promise<string | undefined> {
  const line = (await linesOf(tx, idAppointment)).find(({ id }) => id === idLine)
  if (!line?.isOn) return 'Услуга отменена'
  if (line.completed) return 'Услуга уже оказана: сначала снимите отметку'
  const today = await dayOf(tx, line.idFilial)
  await releaseUnits(records, tx, line.id, today)
  const priced = idMembership === null ? free(line) : await chosen(tx, line, idMembership)
  if (typeof priced === 'string') return priced
  const { id, ...value } = priced
  await records.asSystem.updateWhere(
    CouponService,
    ({ row }) => sql`${row}."id" = ${id}`,
    { ...value, isOwnPay: idMembership === null, promised: null, priceUntil: null },
    { pastHooks: 'The visit is billed after it' },
  )
  return undefined
}

async function chosen(tx: Tx, line: Line, idMembership: number): Promise<Priced | string> {
  if (!Number.isInteger(line.qty)) return 'Абонементом платят за целое число услуг'
  if (line.idMembership === null && line.paid > 0) return 'Услуга уже оплачена: верните оплату или оставьте как есть'
  const idOrganization = await organizationOf(tx, line.idFilial)
  const of = { idCustomer: line.idCustomer, day: line.day, idOrganization: idOrganization ?? 0, id: idMembership }
  const among = await candidates(tx, of)
  if (among.length === 0) return 'Этот абонемент в день визита за клиента не платит'
  if (line.idPlanItem !== null && !among.some(({ covers }) => covers.some((one) => one.idPlanItem === line.idPlanItem)))
    return 'Цена этой услуги согласована планом лечения: за неё платит только пакет этого плана'
  return (await reserve(tx, line, among)) ?? 'На абонементе не осталось посещений для этой услуги'
}
