/** Services one after another at several doctors, on one day: which orders and times of them a patient can be offered. Pure. */

/** Where a part may be: it takes `minutes`, and begins at any of `starts`. Minutes since the day's midnight, both ends count. */
export interface ChainPlace {
  idUser: number
  idRoom: number | null
  minutes: number
  /** Minutes that the doctor, and the room, need before their next visit. */
  breakAfter: number
  cleaning: number
  starts: readonly { from: number; to: number }[]
}

export interface ChainAsked {
  /** Of each service, in the order in which they were asked for, where it may be. */
  parts: readonly (readonly ChainPlace[])[]
  /** Minutes that the patient waits between two of them at the most. */
  gap: number
  /** Only as asked for. */
  inOrder: boolean
  limit: number
}

export interface ChainPart {
  /** Which of the asked parts it is. */
  part: number
  place: ChainPlace
  from: number
  to: number
}

/** Services of one chain. */
export const MAX_CHAIN = 4
/** Visits begin at such minutes. */
const GRID = 5

interface Step extends ChainPart {
  /** When the first of the chain begins. */
  first: number
  before: Step | undefined
}

/**
 * The best chains of a day, each with a beginning of its own: of each beginning the one that is over soonest, all by the
 * least span, then the earliest, then the order asked for.
 */
export function chainsOf({ parts, gap, inOrder, limit }: ChainAsked): ChainPart[][] {
  const orders = inOrder ? [parts.map((_, at) => at)] : ordersOf(parts.length)
  const best = new Map<number, { steps: ChainPart[]; span: number; order: number }>()
  for (const [order, asked] of orders.entries())
    for (const last of endsOf(asked, parts, gap)) {
      const span = last.to - last.first
      const known = best.get(last.first)
      if (!known || span < known.span) best.set(last.first, { steps: stepsOf(last), span, order })
    }
  return [...best]
    .sort(([a, one], [b, other]) => one.span - other.span || a - b || one.order - other.order)
    .slice(0, limit)
    .map(([, { steps }]) => steps)
}

/** All orders of so many things, that of their numbers first. */
function ordersOf(count: number): number[][] {
  if (count === 0) return [[]]
  const all = (rest: number[]): number[][] =>
    rest.length <= 1
      ? [rest]
      : rest.flatMap((one) => all(rest.filter((other) => other !== one)).map((tail) => [one, ...tail]))
  return all(Array.from({ length: count }, (_, at) => at))
}

/**
 * The ends of chains in this order, reached part by part: of those that end a part at one minute in one place, the one
 * that began last.
 */
function endsOf(order: readonly number[], parts: ChainAsked['parts'], gap: number): Step[] {
  let reached: Map<number, Step[]> | undefined
  for (const part of order) {
    const next = new Map<number, Step[]>()
    for (const place of parts[part] ?? [])
      for (const from of startsOf(place)) {
        const before = reached && latest(reached, place, from, gap)
        if (reached && !before) continue
        const to = from + place.minutes
        const step: Step = { part, place, from, to, first: before?.first ?? from, before }
        next.set(to, [...(next.get(to) ?? []), step])
      }
    reached = next
  }
  return [...(reached?.values() ?? [])].flat()
}

/** Of the chains that end early enough before a start, and not too early, the one that began last. */
function latest(reached: ReadonlyMap<number, Step[]>, place: ChainPlace, from: number, gap: number): Step | undefined {
  let found: Step | undefined
  for (let end = from; end >= from - gap; end--)
    for (const step of reached.get(end) ?? [])
      if (restOf(step.place, place) <= from - end && (!found || step.first > found.first)) found = step
  return found
}

/** Minutes between two visits that follow each other with one doctor or in one room. */
const restOf = (one: ChainPlace, next: ChainPlace): number =>
  Math.max(
    one.idUser === next.idUser ? one.breakAfter : 0,
    one.idRoom !== null && one.idRoom === next.idRoom ? one.cleaning : 0,
  )

function startsOf({ starts }: ChainPlace): number[] {
  const all = new Set<number>()
  for (const { from, to } of starts) for (let at = Math.ceil(from / GRID) * GRID; at <= to; at += GRID) all.add(at)
  return [...all].sort((a, b) => a - b)
}

function stepsOf(last: Step): ChainPart[] {
  const steps: ChainPart[] = []
  for (let step: Step | undefined = last; step; step = step.before) {
    const { part, place, from, to } = step
    steps.unshift({ part, place, from, to })
  }
  return steps
}
