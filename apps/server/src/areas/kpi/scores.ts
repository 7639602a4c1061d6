/** Figures by formulas, against the plans; and a person's score, used by payroll. */

import { monthsLater } from '@ordinator/model/areas/expenses/states'
import { type KpiFigure, kpiCalls } from '@ordinator/model/areas/kpi/calls'
import { type Indicator, indicators } from '@ordinator/model/areas/kpi/indicators'
import {
  type Counts,
  type Direction,
  factOf,
  fulfilment,
  growthOf,
  lightOf,
  scoreOf,
  type units,
} from '@ordinator/model/areas/kpi/score'
import type { CountedPage } from '@ordinator/model/areas/reports/mailing'
import { measureAt } from '@ordinator/model/measures'
import { dayIn } from '@ordinator/model/zone'
import sql, { raw } from 'sql-template-tag'
import { countPage } from '#areas/reports/index.ts'
import { shortFioSql } from '#areas/staff/index.ts'
import type { Lane, Queryable } from '#platform/db.ts'
import type { ServerActor } from '#records/actor.ts'
import { branchToCount } from '#records/branches.ts'
import { operation } from '#records/operation.ts'
import type { PageCount } from '#records/pageCount.ts'
import { countsNow, countsOf, type Span, type Subject, spanOf } from './counts.ts'

const TREND_MONTHS = 6

interface Definition {
  id: number
  name: string
  formula: string
  unit: keyof typeof units
  direction: Direction
  weight: number
}

interface Plan {
  idKpi: number
  idUser: number | null
  post: string | null
  idFilial: number | null
  plan: number
  green: number
  red: number
  weight: number | null
}

const definitionsOf = (db: Queryable) =>
  db.query<Definition>(sql`select "id", "name", "formula", "unit", "direction", "weight"::float8 as weight
    from kpi_definitions where "active" and not "deleted" order by "order", "id" limit 200`)
const plansOf = (db: Queryable, month: string) =>
  db.query<Plan>(sql`select p."idKpi", p."idUser", lower(trim(p."post")) as post, p."idFilial", p."plan"::float8 as plan,
      coalesce(p."green", 100)::float8 as green, coalesce(p."red", 80)::float8 as red, p."weight"::float8 as weight
    from kpi_plans p where p."month" = ${month} and not p."deleted" order by p."id" limit 5000`)

interface Person {
  idUser: number
  name: string
  post: string | null
}

/** The plan of a person: the own one, else that of the post; a plan of the requested branch takes precedence. */
function planOfPerson(plans: readonly Plan[], idKpi: number, { idUser, post }: Person, idFilial?: number) {
  const key = post?.trim().toLowerCase()
  return plans
    .filter(
      (one) =>
        one.idKpi === idKpi &&
        (one.idUser === idUser || (one.idUser === null && one.post !== null && one.post === key)) &&
        (one.idFilial === null || idFilial === undefined || one.idFilial === idFilial),
    )
    .toSorted((a, b) => Number(b.idUser !== null) - Number(a.idUser !== null))[0]
}

const planOfPlace = (plans: readonly Plan[], idKpi: number, idFilial?: number) =>
  plans.find(
    (one) => one.idKpi === idKpi && one.idUser === null && one.post === null && one.idFilial === (idFilial ?? null),
  )

const digits = (value: number): number => Math.round(value * 100) / 100
const countedBy = (formula: string, counts: Counts): number | null => {
  const { value } = factOf(formula, counts)
  return value === undefined ? null : digits(value)
}

const totals = new Set(['sum', 'count', 'distinct'])
const isTotal = (name: string): boolean =>
  Object.hasOwn(indicators, name) && totals.has(measureAt(indicators[name as Indicator].of).measure.kind)

/** The plan of a running month to now: of a sum, in the part of the month that has passed; of a share or a mean, all. */
function planToNow(formula: string, plan: number, { passed }: Pick<Span, 'passed'>): number {
  return passed < 1 && growthOf(formula, isTotal) > 0 ? digits(plan * passed) : plan
}

interface Counted {
  span: Span
  counts: Counts
  before?: Counts | undefined
  /** As they are now, of a fixed month. */
  now?: Counts | undefined
}

function figureOf(definition: Definition, { span, counts, before, now }: Counted, plan: Plan | undefined): KpiFigure {
  const fact = countedBy(definition.formula, counts)
  const latest = now ? countedBy(definition.formula, now) : fact
  const planNow = plan ? planToNow(definition.formula, plan.plan, span) : null
  const part = planNow === null ? null : fulfilment(fact, planNow, definition.direction)
  return {
    idKpi: definition.id,
    name: definition.name,
    unit: definition.unit,
    direction: definition.direction,
    formula: definition.formula,
    fact,
    before: before ? countedBy(definition.formula, before) : null,
    plan: plan?.plan ?? null,
    planNow,
    now: latest === fact ? null : latest,
    percent: part === null ? null : digits(part * 100),
    light: plan ? lightOf(part, plan) : 'none',
  }
}

/** Score over figures with a plan. @param of the definition and the plan of each */
const total = (figures: readonly KpiFigure[], weights: ReadonlyMap<number, number>): number | null =>
  scoreOf(
    figures.map(({ idKpi, percent }) => ({
      fulfilment: percent === null ? null : percent / 100,
      weight: weights.get(idKpi) ?? 0,
    })),
  )

/** People with a plan in the month, of their own or by their post. */
async function planned(db: Queryable, plans: readonly Plan[]): Promise<Person[]> {
  const users = plans.flatMap(({ idUser }) => (idUser === null ? [] : [idUser]))
  const posts = plans.flatMap(({ idUser, post }) => (idUser === null && post ? [post] : []))
  if (users.length + posts.length === 0) return []
  return db.query<Person>(sql`select u."id" as "idUser", ${shortFioSql(raw('u'))} as name, u."post" from users u
    where not u."deleted" and (u."id" = any (${users}::bigint[]) or lower(trim(u."post")) = any (${posts}::text[]))
    order by u."surname", u."name", u."id" limit 1000`)
}

async function scored(db: Queryable | Lane, month: string, idFilial?: number) {
  const definitions = await definitionsOf(db)
  const plans = await plansOf(db, month)
  const people = await planned(db, plans)
  const span = await spanOf(db, month)
  if (people.length === 0) return { span, fixed: null, people: [] }
  const found = (await countsOf(db, { months: [month], idFilial, people: true })).get(month)
  const scores = people.map((person) => {
    const counts = found?.counts.get(person.idUser) ?? {}
    const weights = new Map<number, number>()
    const figures = definitions.flatMap((definition) => {
      const plan = planOfPerson(plans, definition.id, person, idFilial)
      if (!plan) return []
      weights.set(definition.id, plan.weight ?? definition.weight)
      return [figureOf(definition, { span, counts }, plan)]
    })
    return { ...person, figures, score: total(figures, weights) }
  })
  return { span, fixed: found?.fixed ?? null, people: scores }
}

/** Scores of people with plans in a month (its first day); 1 means all plans are met. */
export async function scoresOf(db: Queryable, month: string): Promise<Map<number, number>> {
  const { people } = await scored(db, month)
  return new Map(people.flatMap(({ idUser, score }) => (score === null ? [] : [[idUser, score] as const])))
}

interface Asked {
  /** YYYY-MM. */
  month: string
  filial?: number
  user?: number
}

/** Without what is not asked, so that equal requests are equal. */
const askedOf = ({
  month,
  filial,
  user,
}: {
  month: string
  filial?: number | undefined
  user?: number | undefined
}): Asked => ({
  month,
  ...(filial !== undefined && { filial }),
  ...(user !== undefined && { user }),
})

const personOf = (db: Queryable, idUser: number) =>
  db.one<Person>(
    sql`select u."id" as "idUser", ${shortFioSql(raw('u'))} as name, u."post" from users u where u."id" = ${idUser}`,
  )

async function analysed(db: Queryable | Lane, given: Asked, actor: ServerActor) {
  const asked = { ...given, filial: branchToCount(actor, given.filial) }
  const month = `${asked.month}-01`
  const subject: Subject = { idFilial: asked.filial, idUser: asked.user }
  const months = Array.from({ length: TREND_MONTHS }, (_, at) => monthsLater(month, at + 1 - TREND_MONTHS))
  const [definitions, plans, span, person, counted] = await Promise.all([
    definitionsOf(db),
    plansOf(db, month),
    spanOf(db, month),
    asked.user === undefined ? undefined : personOf(db, asked.user),
    countsOf(db, { ...subject, months }),
  ])
  const all = months.map((one) => counted.get(one)?.counts.get(0) ?? {})
  const counts: Counts = all.at(-1) ?? {}
  const fixed = counted.get(month)?.fixed ?? null
  const now = fixed === null ? undefined : await countsNow(db, month, subject)
  const weights = new Map<number, number>()
  const figures = definitions.map((definition) => {
    const plan = person
      ? planOfPerson(plans, definition.id, person, asked.filial)
      : planOfPlace(plans, definition.id, asked.filial)
    if (plan) weights.set(definition.id, plan.weight ?? definition.weight)
    return figureOf(definition, { span, counts, before: all.at(-2), now }, plan)
  })
  return {
    until: span.until,
    passed: span.passed,
    fixed,
    figures,
    score: total(figures, weights),
    counts: Object.fromEntries(Object.entries(counts).map(([name, value]) => [name, digits(value)])),
    trend: months.map((one, at) => ({
      month: one.slice(0, 7),
      values: Object.fromEntries(definitions.map(({ id, formula }) => [id, countedBy(formula, all[at] ?? {})])),
    })),
  }
}

async function ofPeople(db: Queryable | Lane, { month, filial }: Asked, actor: ServerActor) {
  const { span, ...found } = await scored(db, `${month}-01`, branchToCount(actor, filial))
  return { until: span.until, passed: span.passed, ...found }
}

async function ofActor(db: Queryable | Lane, asked: Asked, actor: Pick<ServerActor, 'id'>) {
  const month = `${asked.month}-01`
  const [definitions, plans, person] = await Promise.all([
    definitionsOf(db),
    plansOf(db, month),
    personOf(db, actor.id),
  ])
  const own = definitions.flatMap((definition) => {
    const plan = person && planOfPerson(plans, definition.id, person)
    return plan ? [{ definition, plan }] : []
  })
  const span = await spanOf(db, month)
  const shown = { until: span.until, passed: span.passed, fixed: null }
  if (own.length === 0) return { ...shown, figures: [], score: null }
  const counts = (await countsOf(db, { months: [month], idUser: actor.id })).get(month)?.counts.get(0) ?? {}
  const figures = own.map(({ definition, plan }) => figureOf(definition, { span, counts }, plan))
  const weights = new Map(own.map(({ definition, plan }) => [definition.id, plan.weight ?? definition.weight]))
  return { ...shown, figures, score: total(figures, weights) }
}

const countOf = <Figures extends object>(
  key: CountedPage,
  count: PageCount<Asked, Figures>['count'],
): PageCount<Asked, Figures> => ({ key, count })
const analysisCount = countOf('reports/kpi-analysis', analysed)
const peopleCount = countOf('reports/kpi-analysis/people', ofPeople)
const ownCount = countOf('reports/kpi-analysis/mine', ofActor)
export const kpiCounts = [analysisCount, peopleCount, ownCount]

/** The answer while the background counts. */
async function emptyAt(db: Queryable, { month }: Asked, run: number | undefined) {
  const { until, passed } = await spanOf(db, `${month}-01`)
  return { until, passed, fixed: null, score: null, run }
}

export const analysis = operation(kpiCalls.analysis, async ({ app, actor, query }) => {
  const asked = askedOf(query)
  const { figures, run } = await countPage(app, actor, analysisCount, asked)
  return figures ?? { ...(await emptyAt(app.db.reads, asked, run)), figures: [], counts: {}, trend: [] }
})

export const people = operation(kpiCalls.people, async ({ app, actor, query }) => {
  const asked = askedOf(query)
  const { figures, run } = await countPage(app, actor, peopleCount, asked)
  return figures ?? { ...(await emptyAt(app.db.reads, asked, run)), people: [] }
})

export const mine = operation(kpiCalls.mine, async ({ app, actor }) => {
  const asked = { month: dayIn(actor.timeZone, Date.now()).slice(0, 7) }
  const { figures, run } = await countPage(app, actor, ownCount, asked)
  return figures ?? { ...(await emptyAt(app.db.reads, asked, run)), figures: [] }
})
