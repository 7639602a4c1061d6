/**
 * Who pays for the lines of a visit besides the patient. `payVisit` is run by every change of a visit, before it is
 * priced: a line that the patient's programme covers costs the contract's price, and the payer's share of it is
 * `coupon-services.insurer`. The line itself is the reservation of the limit: it counts while it is booked or given.
 */

import { kopecks, rubles } from '@ordinator/model/areas/money/rules'
import { type Coverage, coverageOf, type Rule, ruleFor } from '@ordinator/model/areas/payers/rules'
import { CouponService } from '@ordinator/model/areas/visits/visit'
import sql, { raw, type Sql } from 'sql-template-tag'
import { priceSql } from '#areas/catalogue/index.ts'
import { isCountedSql, visitLinesSql } from '#areas/counted/index.ts'
import { letterUsedSql } from '#areas/money/index.ts'
import type { Queryable, Tx } from '#platform/db.ts'
import type { Records } from '#records/records.ts'

export interface Insured {
  id: number
  idContract: number
  idProgramme: number
  idPayer: number
  policy: string
  payer: string
  programme: string
  copay: number
  letter: 'never' | 'listed' | 'always'
}

/** SQL condition: a patient of a list is insured on a day. @param i of the list @param k of the contract */
const isInForceSql = (day: Sql): Sql => sql`not i."deleted" and not k."deleted" and k."active"
  and i."dateFrom" <= ${day} and coalesce(i."dateTo" >= ${day}, true)
  and k."dateFrom" <= ${day} and coalesce(k."dateTo" >= ${day}, true)`

/** Lists that have the patient on the day, the newest first. */
export const insuredOf = (db: Queryable, idCustomer: number, day: string): Promise<Insured[]> =>
  db.query<Insured>(sql`select i."id", i."idContract", i."idProgramme", k."idPayer", i."policy", o."shortName" as payer,
      g."name" as programme, k."copay"::float8 as copay, k."letter"
    from insured_persons i join payer_contracts k on k."id" = i."idContract" join organizations o on o."id" = k."idPayer"
      join organizations_programmes g on g."id" = i."idProgramme" and g."active" and not g."deleted"
    where i."idCustomer" = ${idCustomer} and ${isInForceSql(sql`${day}::date`)} order by i."dateFrom" desc, i."id" limit 5`)

export const rulesOf = (
  db: Queryable,
  idProgramme: number,
): Promise<(Rule & { period: 'term' | 'year' | 'month' })[]> =>
  db.query(sql`select "id"::int as id, "kind", "idService", "idGroup", "codeMask", "diagnoses", "qty", ("sum" * 100)::float8 as sum, "period"
    from programme_rules where "idProgramme" = ${idProgramme} and not "deleted" order by "order", "id"`)

/** Groups of a service from its own upwards, and its code. */
export async function asked(db: Queryable, idService: number): Promise<{ idGroups: number[]; code: string | null }> {
  const groups = await db.query<{ id: number }>(sql`with recursive up as (
      select g."id", g."idParentGroup" from services s join services_groups g on g."id" = s."idGroup" where s."id" = ${idService}
      union select g."id", g."idParentGroup" from up join services_groups g on g."id" = up."idParentGroup"
    ) select "id" from up`)
  const service = await db.one<{ code: string | null }>(
    sql`select "medicalCode" as code from services where "id" = ${idService}`,
  )
  return { idGroups: groups.map(({ id }) => id), code: service?.code ?? null }
}

interface Line {
  id: number
  idService: number
  idCustomer: number
  idFilial: number
  day: string
  qty: number
  price: number
  discount: number
  insurer: number
  isOn: boolean
  completed: boolean
  isOwnPay: boolean
  isFixed: boolean
  idPlanItem: number | null
  idMembership: number | null
  idInsured: number | null
  idRule: number | null
  idGuarantee: number | null
  paid: number
  isFrozen: boolean
  diagnosis: string | null
}

const linesOf = (db: Queryable, which: Sql): Promise<Line[]> =>
  db.query<Line>(sql`
    select l."id", l."idService", a."idCustomer", c."idFilial", c."localDate"::text as day, l."qty"::float8 as qty,
      l."price"::float8 as price, l."discount"::float8 as discount, l."insurer"::float8 as insurer, l."completed", l."isOwnPay",
      l."isFixed", l."idPlanItem", l."idMembership", l."idInsured", l."idRule"::int as "idRule", l."idGuarantee",
      coalesce((select p."allocated" from ledger_lines p where p."idLine" = l."id"), 0)::float8 / 100 as paid,
      exists (select 1 from payer_registries_lines z join payer_registries y on y."id" = z."idRegistry"
        where z."idCouponService" = l."id" and y."state" <> 'draft' and not y."deleted") as "isFrozen",
      (select e."code" from examinations e where e."idAppointment" = a."id" and e."code" is not null and not e."deleted"
        order by e."id" limit 1) as diagnosis,
      ${isCountedSql} as "isOn"
    from ${visitLinesSql} where ${which} order by l."id"`)

/** What other booked and given lines of a person have used of a rule in the period of the day. */
async function usedOf(
  db: Queryable,
  {
    idInsured,
    idRule,
    idLine,
    day,
    period,
  }: { idInsured: number; idRule: number; idLine: number; day: string; period: string },
): Promise<{ qty: number; sum: number }> {
  const within =
    period === 'term' ? sql`true` : sql`date_trunc(${period}, c."localDate") = date_trunc(${period}, ${day}::date)`
  const row = await db.one<{ qty: number; sum: number }>(sql`
    select coalesce(sum(l."qty"), 0)::float8 as qty, coalesce(sum(l."insurer" * 100), 0)::float8 as sum
    from ${visitLinesSql} where l."idInsured" = ${idInsured} and l."idRule" = ${idRule} and l."id" <> ${idLine} and l."insurer" > 0 and ${within}
      and ${isCountedSql}`)
  return row ?? { qty: 0, sum: 0 }
}

/** The patient's letter of the payer that is in force and has a rest, the earliest to end first. */
const letterOf = (db: Queryable, idCustomer: number, idPayer: number, day: string, idLine: number) =>
  db.one<{
    id: number
    room: number
  }>(sql`select g."id", ((g."limit" - ${letterUsedSql(sql`g."id"`, sql`${idLine}`)}) * 100)::float8 as room
    from guarantee_letters g where g."idCustomer" = ${idCustomer} and g."idInsurer" = ${idPayer} and g."status" = 'active'
      and not g."deleted" and ${day}::date between g."dateFrom" and g."dateTo" order by g."dateTo", g."id" limit 1`)

/** The contract's price of one, in rubles. */
async function contractPrice(
  db: Queryable,
  { idService, day, idFilial }: Pick<Line, 'idService' | 'day' | 'idFilial'>,
  { idPayer, idProgramme }: Pick<Insured, 'idPayer' | 'idProgramme'>,
): Promise<number> {
  const at = {
    day: sql`${day}::date`,
    idFilial: sql`${idFilial}::bigint`,
    idOrganization: sql`${idPayer}::bigint`,
    idProgramme: sql`${idProgramme}::bigint`,
  }
  const row = await db.one<{ price: number | null }>(
    sql`select (${priceSql(raw('s'), raw('s."id"'), at)})::float8 as price from services s where s."id" = ${idService}`,
  )
  return row?.price ?? 0
}

export interface Decided extends Coverage {
  insured: Insured
  idGuarantee: number | null
  /** Rubles of one. */
  price: number
  /** Kopecks of the line. */
  total: number
}

/** The terms of a programme for a line: the one function of bookings, the bill and the card of a visit. */
export async function decide(
  db: Queryable,
  line: Pick<Line, 'id' | 'idService' | 'idCustomer' | 'idFilial' | 'day' | 'qty' | 'diagnosis'> & { price?: number },
  insured: Insured,
): Promise<Decided> {
  const rules = await rulesOf(db, insured.idProgramme)
  const about = await asked(db, line.idService)
  const rule = ruleFor(rules, { idService: line.idService, ...about, diagnosis: line.diagnosis })
  const price = line.price ?? (await contractPrice(db, line, insured))
  const total = Math.round(price * line.qty * 100)
  const period = rules.find(({ id }) => id === rule?.id)?.period ?? 'year'
  const used = rule
    ? await usedOf(db, { idInsured: insured.id, idRule: rule.id, idLine: line.id, day: line.day, period })
    : { qty: 0, sum: 0 }
  const letter = await letterOf(db, line.idCustomer, insured.idPayer, line.day, line.id)
  const terms = {
    copay: insured.copay,
    letter: insured.letter,
    hasLetter: letter !== undefined,
    letterRoom: letter?.room ?? null,
  }
  const found = coverageOf(rule, { qty: line.qty, total }, used, terms)
  const idGuarantee = found.isCovered && found.needsLetter ? (letter?.id ?? null) : null
  return { ...found, insured, idGuarantee, price, total }
}

const none = { idInsured: null, idRule: null, idGuarantee: null, insurer: 0 }

/**
 * Brings the payer's shares in line with the lines of a visit; idempotent. The customer is locked.
 * @param isQuoted the visit is booked, moved or got a service: the programme of the patient is asked
 */
export async function payVisit(records: Records, tx: Tx, idAppointment: number, isQuoted: boolean): Promise<void> {
  const lines = await linesOf(tx, sql`a."id" = ${idAppointment}`)
  const [first] = lines
  if (!first) return
  const known = await insuredOf(tx, first.idCustomer, first.day)
  if (known.length === 0 && lines.every(({ idInsured }) => idInsured === null)) return
  // One at a time for each person: limits hold under rivals.
  await tx.query(sql`select 1 from insured_persons where "id" = any (${known.map(({ id }) => id)}::bigint[])
    order by "id" for update`)
  for (const line of lines) {
    if (line.isFrozen || !line.isOn) continue
    const wasCovered = line.idInsured !== null
    const isOpen =
      !line.isOwnPay && line.idMembership === null && line.idPlanItem === null && (wasCovered || !line.isFixed)
    const isAsked = isOpen && (wasCovered || (isQuoted && !line.completed && line.paid === 0))
    if (!isAsked && !wasCovered) continue
    // A given line keeps its price; its share follows the diagnosis and the limits.
    const { price, ...of } = line
    const kept = line.completed && wasCovered ? { price } : {}
    const decided = isAsked ? await firstThat(known, (insured) => decide(tx, { ...of, ...kept }, insured)) : undefined
    await write(records, line, decided ?? (wasCovered ? await released(tx, line) : undefined))
  }
}

/** The first that covers. */
async function firstThat(
  known: readonly Insured[],
  ask: (insured: Insured) => Promise<Decided>,
): Promise<Decided | undefined> {
  for (const insured of known) {
    const found = await ask(insured)
    if (found.isCovered) return found
  }
  return undefined
}

/** A line that the patient pays again, by the clinic's own price list. */
const released = async (tx: Tx, line: Line): Promise<number> => {
  if (line.completed) return line.price
  const row = await tx.one<{ price: number | null }>(
    sql`select (${priceSql(raw('s'), raw('s."id"'), {
      day: sql`${line.day}::date`,
      idFilial: sql`${line.idFilial}::bigint`,
    })})::float8 as price from services s where s."id" = ${line.idService}`,
  )
  return row?.price ?? line.price
}

async function write(records: Records, line: Line, to: Decided | number | undefined): Promise<void> {
  if (to === undefined) return
  const value = typeof to === 'number' ? { ...none, price: to, isFixed: false } : covered(to)
  const isSame = Object.entries(value).every(([field, now]) => {
    const was = (line as unknown as Record<string, unknown>)[field]
    return was === undefined || was === now || (typeof now === 'number' && kopecks(Number(was)) === kopecks(now))
  })
  if (isSame) return
  await records.asSystem.updateWhere(CouponService, ({ row }) => sql`${row}."id" = ${line.id}`, value, {
    pastHooks: 'The visit is billed after it',
  })
}

const covered = ({ insured, idRule, idGuarantee, share, price }: Decided) => ({
  ...{ idInsured: insured.id, idRule, idGuarantee, insurer: rubles(share), price },
  ...{ discount: 0, isFixed: true, promised: null, priceUntil: null },
})

/** Lets a payer pay for a line of the demo clinic. */
export const cover = (records: Records, idLine: number, decided: Decided) =>
  records.asSystem.updateWhere(CouponService, ({ row }) => sql`${row}."id" = ${idLine}`, covered(decided), {
    pastHooks: 'The visit is billed after it',
  })

/** Lines of a visit with the programme's terms for each, for its card. */
export async function coverageOfVisit(db: Queryable, idAppointment: number) {
  const lines = await linesOf(db, sql`a."id" = ${idAppointment}`)
  const [first] = lines
  const insured = first ? (await insuredOf(db, first.idCustomer, first.day))[0] : undefined
  if (!insured) return { insured: null, lines: [] }
  const covered = []
  for (const line of lines) {
    if (!line.isOn) continue
    const found = await decide(db, line, insured)
    const isTaken = line.idInsured !== null
    const payer = isTaken ? line.insurer : 0
    const total = rubles(Math.round(line.price * line.qty * 100)) - line.discount
    const words = line.isOwnPay ? 'Платит пациент' : line.idMembership !== null ? 'Платит абонемент' : found.words
    covered.push({
      id: line.id,
      isCovered: isTaken && payer > 0,
      needsLetter: found.needsLetter,
      ...{ total, payer, patient: Math.max(0, rubles(kopecks(total) - kopecks(payer))), words },
    })
  }
  const { id, policy, payer, programme } = insured
  return { insured: { id, policy, payer, programme }, lines: covered }
}
