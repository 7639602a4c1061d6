/**
 * Input data of a month's pay, read from other areas: given and paid services, shifts, bookings, schemes. A line of
 * money counts on the day of its payment, but not before its service was given.
 */
import { createHash } from 'node:crypto'
import type { PayerIncome } from '@ordinator/model/areas/payers/rules'
import type { MonthFacts, PersonFacts, SchemeInForce } from '@ordinator/model/areas/payroll/facts'
import type { RuleType } from '@ordinator/model/areas/payroll/rules'
import { lastDay, type SchemeFacts, schemeSpans } from '@ordinator/model/areas/payroll/timesheet'
import sql, { raw } from 'sql-template-tag'
import { scoresOf } from '#areas/kpi/index.ts'
import { shortFioSql } from '#areas/staff/index.ts'
import type { Queryable } from '#platform/db.ts'
import { type Cost, costsOf, serviceRows, servicesOf } from './soldServices.ts'
import { monthCalendar, workDays } from './workDays.ts'

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

/** Rules that count over all branches of a person, if the scheme is so. */
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

async function bookingsOf(db: Queryable, idFilial: number, from: string, to: string) {
  const rows = await db.query<{ idUser: number; idAppointment: number; day: string }>(sql`
    select "idAuthor" as "idUser", "id" as "idAppointment", to_char("localDate", 'YYYY-MM-DD') as day
    from appointments where "idFilial" = ${idFilial} and "localDate" between ${from} and ${to}
      and "visitStatus" = 'completed' and not "deleted" and "idAuthor" is not null`)
  return Map.groupBy(rows, ({ idUser }) => idUser)
}

async function commissionsOf(db: Queryable): Promise<Map<string, number>> {
  const rows = await db.query<{ idService: number; idUser: number; idFilial: number | null; commission: number }>(sql`
    select "idService", "idUser", "idFilial", "commission"::float8 as commission from service_performers
    where "commission" is not null and not "deleted"`)
  return new Map(rows.map((one) => [`${one.idService}|${one.idUser}|${one.idFilial ?? ''}`, one.commission]))
}
