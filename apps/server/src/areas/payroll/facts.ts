/**
 * Input data of a month's pay, read from other areas: given and paid services, shifts, bookings, schemes. A line of
 * money counts on the day of its payment, but not before its service was given.
 */
import { createHash } from 'node:crypto'
import type { PayerIncome } from '@ordinator/model/areas/payers/rules'
import type {
  MonthFacts,
  Performer,
  PersonFacts,
  SchemeInForce,
  ServiceFact,
  WorkDay,
} from '@ordinator/model/areas/payroll/facts'
import type { RuleType } from '@ordinator/model/areas/payroll/rules'
import { ratio } from '@ordinator/model/areas/payroll/shares'
import { lastDay, type SchemeFacts, schemeSpans, workOf } from '@ordinator/model/areas/payroll/timesheet'
import type { EventType } from '@ordinator/model/areas/visits/shift'
import { dayKindOf } from '@ordinator/model/workingTime'
import { plusDays } from '@ordinator/model/zone'
import sql, { raw, type Sql } from 'sql-template-tag'
import { readCalendar } from '#areas/filials/index.ts'
import { scoresOf } from '#areas/kpi/index.ts'
import { lineCostSql, payerShareSql } from '#areas/money/index.ts'
import { acceptedSql } from '#areas/payers/index.ts'
import { shortFioSql } from '#areas/staff/index.ts'
import { unitCostsAt, writtenOff } from '#areas/warehouse/index.ts'
import type { Queryable } from '#platform/db.ts'

/** A person included in a month. */
export interface Person {
  idUser: number
  name: string
  post: string | null
}

export interface Month {
  /** Its first day. */
  month: string
  idFilial: number
  /** How the shares of payers count. */
  payerIncome: PayerIncome | null
}

/**
 * @param only the person whose services are needed: facts of others, and of the branch as a whole, are omitted
 * @returns the facts, and the names of the people in them
 */
export async function readFacts(
  db: Queryable,
  month: Month,
  only?: { idUser: number },
): Promise<{ facts: MonthFacts; people: Person[] }> {
  return (await openMonth(db, month, only)).read()
}

/** Facts of a month that are read later, or only compared. */
interface OpenMonth {
  read(): Promise<{ facts: MonthFacts; people: Person[] }>
  print(): Promise<string>
}

/** Rules that count over all branches of a person, where the scheme says so. */
const WHOLE: readonly RuleType[] = ['salary', 'progressive', 'guarantee']

/**
 * Lazy facts of a month, with those of other branches for people whose schemes count over all of them.
 * @returns `read` loads its facts; `print` returns a fingerprint that changes with any of them, at a fraction of the
 * cost
 */
export async function openMonth(db: Queryable, month: Month, only?: { idUser: number }): Promise<OpenMonth> {
  const all = await peopleOf(db, month, month.month, lastDay(month.month))
  const people = all.filter(({ idUser }) => only === undefined || idUser === only.idUser)
  const own = await openBranch(db, month, people, only && [only.idUser])
  const shared = new Set(people.filter(({ schemes }) => schemes.some(isWhole)).map(({ idUser }) => idUser))
  // Details of a line are those of its own branch.
  const others = shared.size === 0 || only ? [] : await otherBranches(db, month, shared)
  if (others.length === 0) return own
  return {
    async print() {
      const prints = [await own.print()]
      for (const other of others) prints.push(await other.print())
      return createHash('sha256').update(prints.join()).digest('base64url')
    },
    async read() {
      const { facts, people: named } = await own.read()
      const elsewhere: MonthFacts[] = []
      for (const other of others) elsewhere.push((await other.read()).facts)
      return { facts: { ...facts, elsewhere }, people: named }
    },
  }
}

const isWhole = ({ isShared, rules }: SchemeInForce): boolean =>
  isShared === true && rules.some(({ type, norm }) => WHOLE.includes(type) && !(type === 'salary' && norm === 'none'))

/** The month in the other branches where these people have the same schemes. */
async function otherBranches(
  db: Queryable,
  { month, idFilial, payerIncome }: Month,
  ids: ReadonlySet<number>,
): Promise<OpenMonth[]> {
  const filials = await db.query<{ id: number }>(
    sql`select "id"::int as id from filials where "id" <> ${idFilial} and not "deleted" order by "id"`,
  )
  const found: OpenMonth[] = []
  for (const { id } of filials) {
    const there = { month, idFilial: id, payerIncome }
    const people = (await peopleOf(db, there, month, lastDay(month))).flatMap((one) => {
      const schemes = ids.has(one.idUser) ? one.schemes.filter(isWhole) : []
      return schemes.length > 0 ? [{ ...one, schemes }] : []
    })
    if (people.length === 0) continue
    // A guarantee needs all that was earned; the other rules only what was performed.
    const isAll = people.some(({ schemes }) =>
      schemes.some(({ rules }) => rules.some(({ type }) => type === 'guarantee')),
    )
    found.push(await openBranch(db, there, people, isAll ? undefined : people.map(({ idUser }) => idUser)))
  }
  return found
}

/** @param performers whose services are needed; absent: all, and the revenue of the branch */
async function openBranch(
  db: Queryable,
  month: Month,
  people: readonly PaidPerson[],
  performers?: readonly number[],
): Promise<OpenMonth> {
  const [from, to] = [month.month, lastDay(month.month)]
  const rules = new Set(people.flatMap(({ schemes }) => schemes.flatMap((one) => one.rules.map(({ type }) => type))))
  const days = await workDays(db, month.idFilial, from, to)
  const calendar = await monthCalendar(db, from, to)
  const bookings = rules.has('bookings') ? await bookingsOf(db, month.idFilial, from, to) : new Map()
  const scores = rules.has('kpi') ? await scoresOf(db, month.month) : new Map<number, number>()
  const asked = {
    performers,
    payerIncome: month.payerIncome,
    assistants: rules.has('assistant'),
    costs: people.some(({ schemes }) => schemes.some((one) => one.rules.some(({ lessCosts }) => lessCosts))),
  }
  const rows = serviceRows(month.idFilial, from, to, asked)
  const costs = asked.costs ? await costsOf(db, to) : new Map<number, Cost>()
  const commissions = await commissionsOf(db)
  return {
    async print() {
      const services = await db.one<{ count: number; sum: string }>(
        sql`select count(*)::int as count, coalesce(sum(hashtextextended(x::text, 0)::numeric), 0)::text as sum from (${rows}) x`,
      )
      const rest = [people, calendar.norm, [...calendar.off], [...days].map(([id, own]) => [id, [...own]])]
      const more = [[...bookings], [...scores], [...costs].sort(byKey), [...commissions].sort(byKey)]
      return createHash('sha256')
        .update(JSON.stringify([services, rest, more]))
        .digest('base64url')
    },
    async read() {
      const services = await servicesOf(db, { idFilial: month.idFilial, from, to }, rows, { costs, commissions })
      const revenue = services.reduce((sum, fact) => sum + (fact.doneDay === null ? 0 : fact.discounted), 0)
      return {
        facts: {
          idFilial: month.idFilial,
          from,
          to,
          ...calendar.norm,
          revenue,
          services,
          people: people.map(
            ({ idUser, schemes }): PersonFacts => ({
              idUser,
              schemes,
              days: [...(days.get(idUser) ?? new Map()).values()].map((day) => ({
                ...day,
                isHoliday: calendar.off.has(day.day),
              })),
              bookings: bookings.get(idUser) ?? [],
              score: scores.get(idUser) ?? null,
            }),
          ),
        },
        people: people.map(({ idUser, name, post }) => ({ idUser, name, post })),
      }
    },
  }
}

const byKey = ([a]: readonly [string | number, unknown], [b]: readonly [string | number, unknown]): number =>
  a < b ? -1 : 1

type PaidPerson = Person & { schemes: SchemeInForce[] }

/** People with a scheme in force on a day of the month in this branch. */
async function peopleOf(db: Queryable, { idFilial }: Month, from: string, to: string): Promise<PaidPerson[]> {
  const schemes = await db.query<SchemeFacts & { post: string | null }>(sql`
    select "id", "idUser", lower(trim("post")) as post, "idFilial", to_char("dateFrom", 'YYYY-MM-DD') as "dateFrom",
      to_char("dateTo", 'YYYY-MM-DD') as "dateTo", "accrual", "over", "rules"
    from payroll_schemes where not "deleted" and "dateFrom" <= ${to} and ("dateTo" is null or "dateTo" >= ${from})
      and ("idFilial" is null or "idFilial" = ${idFilial})`)
  const ofUser = Map.groupBy(
    schemes.filter(({ idUser }) => idUser !== null),
    ({ idUser }) => idUser as number,
  )
  const ofPost = Map.groupBy(
    schemes.filter(({ idUser, post }) => idUser === null && post),
    ({ post }) => post as string,
  )
  const users = await db.query<Person & { key: string | null; filials: number[] }>(sql`
    select u."id" as "idUser", ${shortFioSql(raw('u'))} as name, u."post", lower(trim(u."post")) as key,
      coalesce(u."filials", '{}') as filials
    from users u where (u."id" = any (${[...ofUser.keys()]}::bigint[]) or lower(trim(u."post")) = any (${[...ofPost.keys()]}::text[]))
      and not u."deleted" order by u."surname", u."name", u."id"`)
  const main = await db.one<{ id: number }>(
    sql`select "id" from filials where "active" and not "deleted" order by "id" limit 1`,
  )
  return users.flatMap(({ key, filials, ...person }) => {
    const own = [...(ofUser.get(person.idUser) ?? []), ...((key && ofPost.get(key)) || [])]
    const worksHere = filials.length === 0 || filials.map(Number).includes(idFilial)
    const spans = schemeSpans(
      own.filter((scheme) => scheme.idFilial === idFilial || worksHere),
      from,
      to,
    )
    if (spans.length === 0) return []
    const home = Number(filials[0] ?? main?.id)
    return [
      {
        ...person,
        schemes: [...Map.groupBy(spans, ({ scheme }) => scheme)].map(([scheme, some]) => ({
          spans: some.map(({ from: first, to: last }) => ({ from: first, to: last })),
          idScheme: scheme.id,
          accrual: scheme.accrual,
          rules: scheme.rules,
          isHome: scheme.idFilial === idFilial || home === idFilial,
          isShared: scheme.idFilial === null && scheme.over === 'person',
        })),
      },
    ]
  })
}

/** Days off of a month, and its norm by the production calendar. */
export async function monthCalendar(db: Queryable, from: string, to: string) {
  const calendar = await readCalendar(db, from)
  const off = new Set<string>()
  let normHours = 0
  let normDays = 0
  for (let day = from; day <= to; day = plusDays(day, 1)) {
    const kind = dayKindOf(day, calendar)
    if (kind === 'off') off.add(day)
    else {
      normDays++
      normHours += kind === 'short' ? 7 : 8
    }
  }
  return { off, norm: { normHours, normDays } }
}

export interface TimesheetDayFacts extends Omit<WorkDay, 'isHoliday'> {
  absence: EventType | null
  idCorrection: number | null
  reason: string | null
}

/** The timesheet of a branch: days by person; manual corrections replace the shifts. */
export async function workDays(
  db: Queryable,
  idFilial: number,
  from: string,
  to: string,
): Promise<Map<number, Map<string, TimesheetDayFacts>>> {
  const events = await db.query<{
    idUser: number
    day: string
    type: EventType
    localFrom: string
    localTo: string
  }>(sql`
    select e."idUser", to_char(e."localDate", 'YYYY-MM-DD') as day, e."type", e."localFrom", e."localTo"
    from staff_events e where not e."deleted" and e."localDate" between ${from} and ${to}
      and (e."idFilial" = ${idFilial} or (e."idFilial" is null and e."type" <> 'shift')) order by 1, 2`)
  const all = new Map<number, Map<string, TimesheetDayFacts>>()
  for (const [idUser, own] of Map.groupBy(events, (one) => one.idUser)) {
    const days = new Map<string, TimesheetDayFacts>()
    for (const [day, some] of Map.groupBy(own, (one) => one.day)) {
      const absence = some.find(({ type }) => type !== 'shift' && type !== 'block')?.type ?? null
      days.set(day, { day, ...workOf(some), absence, idCorrection: null, reason: null })
    }
    all.set(idUser, days)
  }
  const corrected = await db.query<{
    id: number
    idUser: number
    day: string
    hours: number
    nightHours: number
    reason: string
  }>(sql`
    select "id", "idUser", to_char("localDate", 'YYYY-MM-DD') as day, "hours"::float8 as hours,
      "nightHours"::float8 as "nightHours", "reason"
    from payroll_days where not "deleted" and "idFilial" = ${idFilial} and "localDate" between ${from} and ${to}`)
  for (const { id, idUser, day, hours, nightHours, reason } of corrected) {
    const days = all.get(idUser) ?? new Map<string, TimesheetDayFacts>()
    all.set(idUser, days)
    const absence = days.get(day)?.absence ?? null
    days.set(day, { day, hours, nightHours, isShift: hours > 0, absence, idCorrection: id, reason })
  }
  return all
}

async function bookingsOf(db: Queryable, idFilial: number, from: string, to: string) {
  const rows = await db.query<{ idUser: number; idAppointment: number; day: string }>(sql`
    select "idAuthor" as "idUser", "id" as "idAppointment", to_char("localDate", 'YYYY-MM-DD') as day
    from appointments where "idFilial" = ${idFilial} and "localDate" between ${from} and ${to}
      and "visitStatus" = 'completed' and not "deleted" and "idAuthor" is not null`)
  return Map.groupBy(rows, ({ idUser }) => idUser)
}

interface ServiceRow {
  idLine: number
  idService: number
  idGroup: number | null
  isProduct: boolean
  day: string
  paidDay: string | null
  qty: number
  list: number
  discounted: number
  paid: number
  paidNow: number
  idDoctor: number
  performers: { idUser: number; share: number }[] | null
  idPlanDoctor: number | null
  channel: string | null
  idAuthor: number | null
  assistants: number[] | null
  /** Kopecks written off by the warehouse for this line, and charged by the laboratory. */
  materials: number | null
  laboratory: number | null
}

/** SQL of the lines given in the month, or paid in it. */
function serviceRows(
  idFilial: number,
  from: string,
  to: string,
  asked: {
    performers: readonly number[] | undefined
    payerIncome: PayerIncome | null
    assistants: boolean
    costs: boolean
  },
): Sql {
  const assistants: Sql = asked.assistants
    ? sql`(select array_agg(distinct e."idUser" order by e."idUser") from staff_events e
        where e."idRoom" = c."idRoom" and e."type" = 'shift' and not e."deleted" and e."localDate" = c."localDate"
          and e."dateFrom" <= c."dateFrom" and e."dateTo" >= c."dateTo")`
    : raw('null::bigint[]')
  const costly: Sql = asked.costs
    ? sql`left join (${writtenOff(raw('select "id" from given'))}) w on w."idLine" = l."id"
      left join (select i."idCouponService" as "idLine", sum(i."cost") as "cost" from given g
        join laboratory_order_items i on i."idCouponService" = g."id" and i."status" <> 'cancelled' and not i."deleted"
        group by 1) y on y."idLine" = l."id"`
    : sql`cross join (select null::numeric as "cost") w cross join (select null::numeric as "cost") y`
  const wanted: Sql =
    asked.performers === undefined
      ? raw('true')
      : sql`(c."idUser" = any (${asked.performers}::bigint[]) or exists (select 1 from coupon_services_performers r
          where r."idCouponService" = l."id" and r."idUser" = any (${asked.performers}::bigint[]) and not r."deleted"))`
  const cost = lineCostSql(raw('l'))
  const share = payerShareSql(raw('l'), cost)
  const isAccepted = asked.payerIncome === 'accepted'
  // What a payer owes counts on the day of the service, or when it is accepted.
  const answered: Sql = isAccepted
    ? sql`cross join lateral (select coalesce(sum(q."amount"), 0) as sum, max(greatest(q."day", c."localDate")) filter (where
          greatest(q."day", c."localDate") between ${from} and ${to}) as day,
        coalesce(sum(q."amount") filter (where greatest(q."day", c."localDate") between ${from} and ${to}), 0) as now
        from ${acceptedSql} q where q."idLine" = l."id" and l."insurer" > 0) pay`
    : sql`cross join lateral (select ${share} as sum, case when l."insurer" > 0 and c."localDate" between ${from} and ${to}
          then c."localDate" end as day,
        case when c."localDate" between ${from} and ${to} then ${share} else 0 end as now) pay`
  const answeredNow: Sql = isAccepted
    ? sql`union select q."idLine" from ${acceptedSql} q join coupon_services l on l."id" = q."idLine"
        join coupons c on c."id" = l."idCoupon" and c."idFilial" = ${idFilial} and not c."deleted"
        where q."day" between ${from} and ${to} and c."localDate" <= ${to}`
    : raw('')
  const income = isAccepted ? sql`(${cost} - ${share} + pay.sum)` : cost
  return sql`
    with coming as (
      select b."idLine", sum(b."sum")::float8 as now, max(greatest(t."localDate", c."localDate")) as day
      from ledger_txs t join ledger_allocations b on b."idTx" = t."id" and b."sum" > 0
        join coupon_services l on l."id" = b."idLine" join coupons c on c."id" = l."idCoupon" and c."idFilial" = ${idFilial} and not c."deleted"
      where (t."localDate" between ${from} and ${to} and c."localDate" <= ${to})
      group by 1
    ), ahead as (
      select b."idLine", sum(b."sum")::float8 as now, max(c."localDate") as day
      from coupons c join coupon_services l on l."idCoupon" = c."id" join ledger_allocations b on b."idLine" = l."id" and b."sum" > 0
        join ledger_txs t on t."id" = b."idTx"
      where c."idFilial" = ${idFilial} and c."localDate" between ${from} and ${to} and not c."deleted" and t."localDate" < ${from}
      group by 1
    ), given as (
      select l."id" from coupons c join coupon_services l on l."idCoupon" = c."id"
      where c."idFilial" = ${idFilial} and c."localDate" between ${from} and ${to} and not c."deleted"
      union select "idLine" from coming union select "idLine" from ahead ${answeredNow}
    ), performed as (
      select r."idCouponService" as "idLine", json_agg(json_build_object('idUser', r."idUser", 'share', r."share") order by r."id") as performers
      from given g join coupon_services_performers r on r."idCouponService" = g."id" and not r."deleted" group by 1
    )
    select l."id" as "idLine", l."idService", s."idGroup", s."serviceCategory" = 1 as "isProduct",
      to_char(c."localDate", 'YYYY-MM-DD') as day, to_char(greatest(m.day, h.day, pay.day), 'YYYY-MM-DD') as "paidDay",
      (l."qty" * 1000)::float8 as qty, (round(l."price" * l."qty", 2) * 100)::float8 as list,
      (${income} * 100)::float8 as discounted, coalesce(k."allocated", 0)::float8 + (pay.sum * 100)::float8 as paid,
      coalesce(m.now, 0) + coalesce(h.now, 0) + (pay.now * 100)::float8 as "paidNow",
      c."idUser" as "idDoctor", f.performers, p."idDoctor" as "idPlanDoctor", a."channel", a."idAuthor",
      ${assistants} as assistants, (w."cost" * 100)::float8 as materials, (y."cost" * 100)::float8 as laboratory
    from given g join coupon_services l on l."id" = g."id" join coupons c on c."id" = l."idCoupon"
      join appointments a on a."id" = c."idAppointment" join services s on s."id" = l."idService"
      left join coming m on m."idLine" = l."id" left join ahead h on h."idLine" = l."id"
      left join ledger_lines k on k."idLine" = l."id"
      left join customer_plans_items i on i."id" = l."idPlanItem" left join customer_plans_stages e on e."id" = i."idStage"
      left join customer_plans p on p."id" = e."idPlan"
      ${answered} left join performed f on f."idLine" = l."id" ${costly}
    where l."completed" and not l."cancelled" and not l."deleted" and not c."cancelled" and not c."deleted"
      and not a."deleted" and a."visitStatus" not in ('cancelled', 'noShow', 'moved') and ${wanted}`
}

async function servicesOf(
  db: Queryable,
  { idFilial, from, to }: { idFilial: number; from: string; to: string },
  of: Sql,
  { costs, commissions }: { costs: ReadonlyMap<number, Cost>; commissions: ReadonlyMap<string, number> },
): Promise<ServiceFact[]> {
  const rows = await db.query<ServiceRow>(sql`select * from (${of}) x order by x.day, x."idLine"`)
  const ownOf = (idService: number, idUser: number): number | null =>
    commissions.get(`${idService}|${idUser}|${idFilial}`) ?? commissions.get(`${idService}|${idUser}|`) ?? null
  return rows.map((row): ServiceFact => {
    const performers = (row.performers ?? [{ idUser: row.idDoctor, share: 100 }]).map(
      ({ idUser, share }): Performer => ({ idUser, share, own: ownOf(row.idService, idUser) }),
    )
    const isPerformer = (idUser: number | null) => performers.some((one) => one.idUser === idUser)
    const referrer = row.idPlanDoctor ?? (row.channel === 'doctor' ? row.idAuthor : null)
    return {
      idLine: row.idLine,
      idService: row.idService,
      idGroup: row.idGroup,
      isProduct: row.isProduct,
      doneDay: row.day >= from && row.day <= to ? row.day : null,
      paidDay: row.paidNow > 0 ? row.paidDay : null,
      qty: row.qty,
      list: row.list,
      discounted: row.discounted,
      paid: Math.min(row.paid, row.discounted),
      paidNow: Math.min(row.paidNow, row.discounted),
      costs: costOf(row, costs.get(row.idService)),
      performers,
      idReferrer: isPerformer(referrer) ? null : referrer,
      assistants: (row.assistants ?? []).map(Number).filter((idUser) => !isPerformer(idUser)),
      idAuthor: row.idAuthor,
    }
  })
}

/** Kopecks per unit of a service. */
interface Cost {
  kopecks: number
  /** Set by the clinic, for materials and laboratory together: overrides the warehouse's write-off. */
  isSaid: boolean
}

/**
 * Kopecks of materials and laboratory of a line: the clinic's setting for the service; else the warehouse's write-off
 * for this line, or without one the norm of materials, plus the laboratory's charge.
 */
function costOf({ qty, materials, laboratory }: ServiceRow, cost: Cost | undefined): number {
  const whole = ratio(cost?.kopecks ?? 0, qty, 1000)
  return cost?.isSaid ? whole : (materials ?? whole) + (laboratory ?? 0)
}

/**
 * Costs of services by the clinic's setting, else by their norms of materials: at the mean cost in the warehouses on a
 * day, so that a month gives the same result later; a good without moves counts at its price.
 */
async function costsOf(db: Queryable, day: string): Promise<Map<number, Cost>> {
  const goods = raw('select distinct "idProduct" from service_consumables where not "deleted"')
  const rows = await db.query<Cost & { idService: number }>(sql`
    select n."idService", round(sum(n."qty" * coalesce(u."cost", p."priceService", 0)) * 100)::float8 as kopecks, false as "isSaid"
    from service_consumables n join services p on p."id" = n."idProduct"
      left join (${unitCostsAt(sql`${day}::date`, goods)}) u on u."idProduct" = n."idProduct"
    where not n."deleted" and not n."optional"
      and not exists (select from payroll_service_costs k where k."idService" = n."idService" and not k."deleted")
    group by 1
    union all
    select "idService", (("materials" + "laboratory") * 100)::float8, true from payroll_service_costs where not "deleted"`)
  return new Map(rows.map(({ idService, ...cost }) => [idService, cost]))
}

async function commissionsOf(db: Queryable): Promise<Map<string, number>> {
  const rows = await db.query<{ idService: number; idUser: number; idFilial: number | null; commission: number }>(sql`
    select "idService", "idUser", "idFilial", "commission"::float8 as commission from service_performers
    where "commission" is not null and not "deleted"`)
  return new Map(rows.map((one) => [`${one.idService}|${one.idUser}|${one.idFilial ?? ''}`, one.commission]))
}
