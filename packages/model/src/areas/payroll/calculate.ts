/**
 * Pay of a month (screens.md §13): facts and schemes in, lines out. Pure. Sums are whole kopecks. A line is rounded
 * once, half away from zero, when it is made; it stores base and rate, so that it can be checked by hand. With several
 * performers the base is split to the kopeck first, so that the parts add up.
 */
import { formatMoney } from '../../format.ts'
import { half } from '../../money.ts'
import type { CalculatedLine, MonthFacts, Performer, PersonFacts, SchemeInForce, ServiceFact } from './facts.ts'
import { type PayRule, ruleName } from './rules.ts'
import {
  baseOf,
  equalShare,
  hoursWorth,
  hundredths,
  isAmong,
  kopecksOf,
  percentOf,
  progressive,
  rateOf,
  ratio,
  shareOf,
  sharesOf,
} from './shares.ts'

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
