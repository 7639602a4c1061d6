/**
 * Pay of a month (screens.md §13): facts and schemes in, lines out. Pure. Sums are whole kopecks. A line is rounded
 * once, half away from zero, when it is made; it stores base and rate, so that it can be checked by hand. With several
 * performers the base is split to the kopeck first, so that the parts add up.
 */
import { formatMoney } from '../../format.ts'
import { half, scaled, split } from '../../money.ts'
import { type Accrual, type PayRule, type RuleType, ruleName } from './rules.ts'

/** A provided service. For `paid` schemes `paid` is the money received for it in the month. Sums in kopecks. */
export interface ServiceFact {
  idLine: number
  idService: number
  idGroup: number | null
  isProduct: boolean
  /** Day that it counts on by `done`; null: provided in another month. */
  doneDay: string | null
  /** Last day of the month with a payment for it; null: none. */
  paidDay: string | null
  /** Thousandths. */
  qty: number
  list: number
  discounted: number
  /** Total paid for it, and the part of this month. */
  paid: number
  paidNow: number
  /** Costs of materials and laboratory, for the whole line. */
  costs: number
  performers: readonly Performer[]
  /** The referring employee; never a performer. */
  idReferrer: number | null
  assistants: readonly number[]
  /** The employee who booked the visit. */
  idAuthor: number | null
}

export interface Performer {
  idUser: number
  /** Percent, to the hundredth. */
  share: number
  /** The performer's percentage from the catalogue. */
  own: number | null
}

/** A work day of the timesheet; hours to the hundredth. */
export interface WorkDay {
  day: string
  hours: number
  nightHours: number
  isHoliday: boolean
  /** A counted shift began that day; two on one day count once. */
  isShift: boolean
}

export interface SchemeInForce {
  idScheme: number
  accrual: Accrual
  /**
   * First and last days of the periods in which the scheme applies, in order; another scheme may apply between them.
   */
  spans: readonly { from: string; to: string }[]
  /** The branch that pays what is due once per person: a whole salary, KPI, a guarantee. */
  isHome: boolean
  /**
   * Norms, tiers and guarantees count over all branches of the person (`MonthFacts.elsewhere`), and this branch pays its
   * share; absent: over this branch alone.
   */
  isShared?: boolean
  rules: readonly PayRule[]
}

export interface PersonFacts {
  idUser: number
  /** Distinct, without overlaps. */
  schemes: readonly SchemeInForce[]
  days: readonly WorkDay[]
  /** The person's bookings of the month with a visit that took place. */
  bookings: readonly { idAppointment: number; day: string }[]
  /** KPI score, 1 is 100 %; null: no plans. */
  score: number | null
}

export interface MonthFacts {
  idFilial?: number
  /** The same month in the other branches of people with shared schemes. */
  elsewhere?: readonly MonthFacts[]
  /** First and last day. */
  from: string
  to: string
  /** By the production calendar. */
  normHours: number
  normDays: number
  /** Revenue of the branch from provided services, kopecks. */
  revenue: number
  people: readonly PersonFacts[]
  services: readonly ServiceFact[]
}

export interface CalculatedLine {
  idUser: number
  idScheme: number
  rule: string
  type: RuleType
  name: string
  idCouponService: number | null
  day: string | null
  /** Kopecks; by `unit`, hundredths of hours or shifts. */
  base: number
  /** Percent, or rubles per unit, to the hundredth. */
  rate: number
  sum: number
}

/** Lines of a month, ordered by person and rule. */
export function calculate(facts: MonthFacts): CalculatedLine[] {
  const branches = [facts, ...(facts.elsewhere ?? [])]
    .toSorted((a, b) => (a.idFilial ?? 0) - (b.idFilial ?? 0))
    .map((month) => ({ month, roles: byPerson(month.services) }))
  return facts.people.flatMap(({ idUser, schemes }) =>
    schemes.flatMap(({ idScheme }) => {
      const views = branches.flatMap(({ month, roles }): View[] => {
        const person = month.people.find((one) => one.idUser === idUser)
        const scheme = person?.schemes.find((one) => one.idScheme === idScheme)
        return person && scheme ? [{ month, person, scheme, roles: roles.get(idUser) ?? noRoles }] : []
      })
      const own = views.find(({ month }) => month === facts) as View
      return linesOf(own, own.scheme.isShared ? views : [own])
    }),
  )
}

/** A person's facts of a scheme in one branch. */
interface View {
  month: MonthFacts
  person: PersonFacts
  scheme: SchemeInForce
  roles: Roles
}

interface Part {
  fact: ServiceFact
  performer: Performer
  /** Index among the performers, for the split of the base. */
  at: number
}
interface Roles {
  performed: Part[]
  referred: ServiceFact[]
  assisted: ServiceFact[]
  booked: ServiceFact[]
}
const noRoles: Roles = { performed: [], referred: [], assisted: [], booked: [] }

function byPerson(services: readonly ServiceFact[]): Map<number, Roles> {
  const all = new Map<number, Roles>()
  const of = (idUser: number): Roles => {
    let roles = all.get(idUser)
    if (!roles) {
      roles = { performed: [], referred: [], assisted: [], booked: [] }
      all.set(idUser, roles)
    }
    return roles
  }
  for (const fact of services) {
    for (const [at, performer] of fact.performers.entries())
      of(performer.idUser).performed.push({ fact, performer, at })
    if (fact.idReferrer !== null) of(fact.idReferrer).referred.push(fact)
    for (const idUser of fact.assistants) of(idUser).assisted.push(fact)
    if (fact.idAuthor !== null) of(fact.idAuthor).booked.push(fact)
  }
  return all
}

/** @param views the branches over which the scheme counts, in the same order whichever of them is calculated */
function linesOf(own: View, views: readonly View[]): CalculatedLine[] {
  const { month, person, scheme } = own
  const earnedIn = (view: View): CalculatedLine[] => view.scheme.rules.flatMap((rule) => linesOfRule(view, views, rule))
  const lines = earnedIn(own)
  const guarantees = scheme.isHome ? scheme.rules.filter(({ type }) => type === 'guarantee') : []
  if (guarantees.length === 0) return lines
  // Guarantees come last, as they depend on all other lines.
  let earned = views.reduce((all, view) => all + totalOf(view === own ? lines : earnedIn(view)), 0)
  const isMore = earned !== totalOf(lines)
  for (const rule of guarantees) {
    const least = partOfMonth(kopecksOf(rule.sum), month, scheme)
    if (least <= earned) continue
    const head = heading(person, scheme, rule)
    const name = isMore ? overAll(head.name, earned) : head.name
    lines.push({ ...head, name, base: earned, rate: rule.sum ?? 0, sum: least - earned })
    earned = least
  }
  return lines
}

const totalOf = (lines: readonly CalculatedLine[]): number => lines.reduce((all, { sum }) => all + sum, 0)

/** Name of a line that is counted over several branches. @param total kopecks of its base in all of them */
const overAll = (name: string, total: number): string =>
  `${name.slice(0, 80)}, по всем филиалам ${formatMoney(total / 100)}`

const heading = ({ idUser }: PersonFacts, { idScheme }: SchemeInForce, rule: PayRule) => ({
  idUser,
  idScheme,
  rule: rule.code,
  type: rule.type,
  name: ruleName(rule),
  idCouponService: null,
  day: null,
})

function linesOfRule(own: View, views: readonly View[], rule: PayRule): CalculatedLine[] {
  const { person, month, roles, scheme } = own
  const at = views.indexOf(own)
  const head = heading(person, scheme, rule)
  const one = (base: number, rate: number, sum: number): CalculatedLine[] =>
    sum === 0 ? [] : [{ ...head, base, rate, sum }]
  const within = (day: string) => holdsOn(scheme, day)
  const counts = (fact: ServiceFact) => countedDay(scheme, fact)
  /** Monthly sum, prorated to the days on which the scheme applies. */
  const part = (sum: number) => partOfMonth(sum, month, scheme)
  const ofService = (fact: ServiceFact, day: string, base: number, rate: number, sum: number): CalculatedLine => ({
    ...head,
    idCouponService: fact.idLine,
    day,
    base,
    rate,
    sum,
  })
  /** Percentage lines: one per counted service, of the person's share. */
  const shares = (
    facts: readonly ServiceFact[],
    of: (fact: ServiceFact, base: number) => number,
    rate: (fact: ServiceFact) => number,
  ): CalculatedLine[] =>
    facts.flatMap((fact) => {
      const day = counts(fact)
      if (day === undefined || !isAmong(rule, fact)) return []
      const base = of(fact, baseOf(rule, scheme.accrual, fact))
      const percent = rate(fact)
      const sum = percentOf(base, percent)
      return sum === 0 ? [] : [ofService(fact, day, base, percent, sum)]
    })
  const days = person.days.filter(({ day }) => within(day))
  switch (rule.type) {
    case 'salary': {
      const sum = kopecksOf(rule.sum)
      if (rule.norm === 'none') return scheme.isHome ? one(part(100), rule.sum ?? 0, part(sum)) : []
      const byDays = rule.norm === 'days'
      const norm = hundredths(rule.normOf ?? (byDays ? month.normDays : month.normHours))
      const worked = views.map((view) => workedIn(view, byDays))
      // Salaries pay at most the month's norm, also of two schemes one after the other; extra hours are paid by rules for
      // hours and shifts.
      const counted = Math.min(sumOf(worked), Math.max(0, norm - paidBefore(own, views, byDays)))
      if (norm === 0) return []
      const ownOf = (whole: number) => sharesOf(whole, worked.map(BigInt))[at] ?? 0
      return one(ownOf(counted), rule.sum ?? 0, ownOf(ratio(sum, counted, norm)))
    }
    case 'hourly': {
      const worth = days.reduce((all, day) => all + hoursWorth(rule, day), 0n)
      const hours = days.reduce((all, { hours: some }) => all + hundredths(some), 0)
      return one(hours, rule.sum ?? 0, Number(half(BigInt(kopecksOf(rule.sum)) * worth, 10_000n)))
    }
    case 'shift': {
      const shifts = days.filter(({ isShift }) => isShift)
      const worth = shifts.reduce(
        (all, { isHoliday }) => all + (isHoliday ? hundredths(rule.holidayFactor ?? 1) : 100),
        0,
      )
      return one(shifts.length * 100, rule.sum ?? 0, ratio(kopecksOf(rule.sum), worth, 100))
    }
    case 'percent':
      return roles.performed.flatMap(({ fact, performer, at }) =>
        shares(
          [fact],
          (_, base) => shareOf(base, fact, at),
          () => rateOf(rule, performer),
        ),
      )
    case 'fixed':
      return roles.performed.flatMap(({ fact, at }) => {
        const day = counts(fact)
        if (day === undefined || fact.isProduct || !isAmong(rule, fact)) return []
        const whole = ratio(kopecksOf(rule.sum), fact.qty, 1000)
        const sum = shareOf(whole, fact, at)
        return sum === 0 ? [] : [ofService(fact, day, fact.qty, rule.sum ?? 0, sum)]
      })
    case 'referral':
      return shares(
        roles.referred,
        (_, base) => base,
        () => rule.rate ?? 0,
      )
    case 'assistant':
      return shares(
        roles.assisted,
        (fact, base) => equalShare(base, fact.assistants, person.idUser),
        () => rule.rate ?? 0,
      )
    case 'goods':
      return shares(
        roles.booked.filter(({ isProduct }) => isProduct),
        (_, base) => base,
        () => rule.rate ?? 0,
      )
    case 'bookings': {
      const count = person.bookings.filter(({ day }) => within(day)).length
      return one(count * 100, rule.sum ?? 0, count * kopecksOf(rule.sum))
    }
    case 'filialPlan':
      return month.revenue >= kopecksOf(rule.plan) ? one(month.revenue, rule.sum ?? 0, part(kopecksOf(rule.sum))) : []
    case 'progressive': {
      const based = views.map((view) => sumOf(performedOf(view.roles, view.scheme, rule).map(({ base: some }) => some)))
      const [base = 0, whole] = [based[at], sumOf(based)]
      const all = progressive(rule, whole)
      const sum = sharesOf(all, based.map(BigInt))[at] ?? 0
      const lines = one(base, whole === 0 ? 0 : Math.round((all * 10_000) / whole) / 100, sum)
      return whole === base ? lines : lines.map((line) => ({ ...line, name: overAll(line.name, whole) }))
    }
    case 'kpi': {
      if (person.score === null || !scheme.isHome) return []
      const score = Math.round(person.score * 10_000)
      return one(score, rule.sum ?? 0, ratio(part(kopecksOf(rule.sum)), score, 10_000))
    }
    case 'guarantee':
      return []
  }
}

const sumOf = (some: readonly number[]): number => some.reduce((all, one) => all + one, 0)

/** Hundredths of the hours, or of the shifts, that a person has worked in a branch. */
function workedIn({ person, scheme }: View, byDays: boolean): number {
  const days = person.days.filter(({ day }) => holdsOn(scheme, day))
  return byDays
    ? days.filter(({ isShift }) => isShift).length * 100
    : days.reduce((all, { hours }) => all + hundredths(hours), 0)
}

/** Hundredths of the hours, or of the shifts, that salaries of the person's earlier schemes of the month have paid. */
function paidBefore({ person, scheme }: View, views: readonly View[], byDays: boolean): number {
  const unit = byDays ? 'days' : 'hours'
  const isSalary = ({ type, norm = 'hours' }: PayRule) => type === 'salary' && norm === unit
  const [first] = scheme.spans
  const earlier = person.schemes.filter(
    ({ spans, rules }) => first && spans[0] && spans[0].from < first.from && rules.some(isSalary),
  )
  return sumOf(earlier.flatMap((one) => views.map((view) => workedIn({ ...view, scheme: one }, byDays))))
}

const holdsOn = ({ spans }: SchemeInForce, day: string): boolean =>
  spans.some(({ from, to }) => day >= from && day <= to)

/** Day that a service counts on by a scheme; undefined: not counted. */
function countedDay(scheme: SchemeInForce, fact: ServiceFact): string | undefined {
  const day = scheme.accrual === 'done' ? fact.doneDay : fact.paidDay
  return day !== null && holdsOn(scheme, day) ? day : undefined
}

/** Monthly sum prorated to the calendar days on which the scheme applies. */
function partOfMonth(sum: number, { from, to }: MonthFacts, { spans }: SchemeInForce): number {
  const held = spans.reduce(
    (all, span) => all + daysOf(span.from < from ? from : span.from, span.to > to ? to : span.to),
    0,
  )
  return ratio(sum, Math.max(0, held), daysOf(from, to))
}
const daysOf = (from: string, to: string): number => Math.round((Date.parse(to) - Date.parse(from)) / 86_400_000) + 1

/** A service counted by a rule. */
export interface ServicePart {
  idLine: number
  day: string
  /** Kopecks of the base that belong to the person. */
  base: number
}

const performedOf = (roles: Roles, scheme: SchemeInForce, rule: PayRule): ServicePart[] =>
  roles.performed.flatMap(({ fact, at }) => {
    const day = countedDay(scheme, fact)
    if (day === undefined || !isAmong(rule, fact)) return []
    return [{ idLine: fact.idLine, day, base: shareOf(baseOf(rule, scheme.accrual, fact), fact, at) }]
  })

/** Services that make up the base of a progressive rule's line. */
export function partsOf(
  facts: MonthFacts,
  { idUser, idScheme, rule }: Pick<CalculatedLine, 'idUser' | 'idScheme' | 'rule'>,
): ServicePart[] {
  const scheme = facts.people.find((one) => one.idUser === idUser)?.schemes.find((one) => one.idScheme === idScheme)
  const found = scheme?.rules.find(({ code }) => code === rule)
  const roles = byPerson(facts.services).get(idUser)
  return scheme && found && roles ? performedOf(roles, scheme, found).filter(({ base }) => base !== 0) : []
}

/** Base of a percentage, in kopecks. By `paid`, a partly paid line bears the same part of its costs. */
export function baseOf(rule: Pick<PayRule, 'base' | 'lessCosts'>, accrual: Accrual, fact: ServiceFact): number {
  const { list, discounted, paid, paidNow, costs } = fact
  const whole = rule.base === 'list' ? list : discounted
  // By `paid`, a line counts in the parts that are paid.
  const part = accrual === 'paid' ? paidNow : paid
  const due = discounted
  const base =
    rule.base === 'paid'
      ? part
      : accrual === 'paid'
        ? due > 0
          ? ratio(whole, Math.min(paidNow, due), due)
          : whole
        : whole
  if (!rule.lessCosts) return base
  const bears = rule.base === 'paid' || accrual === 'paid'
  const ownCosts = bears && due > 0 ? ratio(costs, Math.min(part, due), due) : costs
  return Math.max(0, base - ownCosts)
}

/** Pay by tiers: the reached tier's rate for the whole base, or each tier's rate for its part. */
export function progressive({ tiers = [], mode }: Pick<PayRule, 'tiers' | 'mode'>, base: number): number {
  if (base <= 0) return 0
  const steps = tiers.map(({ from, rate }) => ({ from: kopecksOf(from), rate }))
  if (mode === 'whole') return percentOf(base, steps.findLast(({ from }) => base >= from)?.rate ?? 0)
  let worth = 0n
  for (const [at, { from, rate }] of steps.entries()) {
    const to = Math.min(base, steps[at + 1]?.from ?? base)
    if (to > from) worth += BigInt(to - from) * scaled(rate, 2)
  }
  return Number(half(worth, 10_000n))
}

function isAmong({ services, groups }: PayRule, { idService, idGroup }: ServiceFact): boolean {
  if (!services?.length && !groups?.length) return true
  return (services?.includes(idService) ?? false) || (idGroup !== null && (groups?.includes(idGroup) ?? false))
}

const rateOf = (rule: PayRule, performer: Performer): number =>
  (rule.ownRate === false ? null : performer.own) ?? rule.rate ?? 0

/** A performer's share of a sum, to the kopeck; the largest share gets the rest. */
function shareOf(sum: number, { performers }: ServiceFact, at: number): number {
  if (performers.length === 1) return sum
  return (
    sharesOf(
      sum,
      performers.map(({ share }) => scaled(share, 2)),
    )[at] ?? 0
  )
}

/** A sum in proportion to weights. `split` never shares out more than the sum of the weights, so they are scaled up. */
function sharesOf(sum: number, weights: readonly bigint[]): number[] {
  const whole = weights.reduce((all, one) => all + one, 0n)
  if (whole === 0n) return weights.map(() => 0)
  const sign = sum < 0 ? -1 : 1
  const large = weights.map((one) => one * (BigInt(Math.abs(sum)) + 1n))
  return split(BigInt(Math.abs(sum)), large).map((one) => Number(one) * sign)
}

const equalShare = (sum: number, people: readonly number[], idUser: number): number =>
  sharesOf(
    sum,
    people.map(() => 1n),
  )[people.indexOf(idUser)] ?? 0

const kopecksOf = (rubles = 0): number => Number(scaled(rubles, 2))
const hundredths = (value: number): number => Number(scaled(value, 2))

/** value × of / by, rounded half away from zero. */
export function ratio(value: number, of: number, by: number): number {
  const product = BigInt(value) * BigInt(of)
  const rounded = half(product < 0n ? -product : product, BigInt(by))
  return Number(product < 0n ? -rounded : rounded)
}
const percentOf = (base: number, rate: number): number => ratio(base, hundredths(rate), 10_000)

/** Hundredths of an hour, weighted by factors in hundredths. */
function hoursWorth(
  { nightFactor = 1, holidayFactor = 1 }: PayRule,
  { hours, nightHours, isHoliday }: WorkDay,
): bigint {
  const day = scaled(hours, 2) - scaled(nightHours, 2)
  const worth = day * 100n + scaled(nightHours, 2) * scaled(nightFactor, 2)
  return isHoliday ? half(worth * scaled(holidayFactor, 2), 100n) : worth
}

/** Key of a line, equal across months. */
export const lineKey = (line: Pick<CalculatedLine, 'idUser' | 'idScheme' | 'rule' | 'idCouponService'>): string =>
  `${line.idUser}|${line.idScheme}|${line.rule}|${line.idCouponService ?? ''}`

/** A stored line, or a correction of one. */
export type KeptSum = Pick<CalculatedLine, 'idUser' | 'idScheme' | 'rule' | 'idCouponService' | 'sum'>

/**
 * Corrections of a closed month: new result minus what was accrued, as lines for the open month. A line without a new
 * counterpart is taken back completely, as after a service refused later.
 * @param kept lines of the closed month, and its corrections in other closed months
 */
export function corrections(
  wanted: readonly CalculatedLine[],
  kept: readonly (KeptSum & Partial<CalculatedLine>)[],
): CalculatedLine[] {
  const before = new Map<string, { sum: number; line: KeptSum & Partial<CalculatedLine> }>()
  for (const line of kept) {
    const key = lineKey(line)
    const known = before.get(key)
    if (known) known.sum += line.sum
    else before.set(key, { sum: line.sum, line })
  }
  const found: CalculatedLine[] = []
  for (const line of wanted) {
    const key = lineKey(line)
    const difference = line.sum - (before.get(key)?.sum ?? 0)
    before.delete(key)
    if (difference !== 0) found.push({ ...line, sum: difference })
  }
  for (const { sum, line } of before.values())
    if (sum !== 0)
      found.push({
        type: 'percent',
        name: 'Исправление',
        day: null,
        base: 0,
        rate: 0,
        ...line,
        sum: -sum,
      } as CalculatedLine)
  return found
}
