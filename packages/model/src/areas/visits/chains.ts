/** Services one after another at several doctors, on one day: which orders and times of them a patient can be offered. Pure. */

/** Where a part may be: it takes `minutes`, and begins at any of `starts`. Minutes since the day's midnight, both ends count. */
export interface ChainPlace {
  idUser: number
  idRoom: number | null
  minutes: number
  /** Minutes that the doctor, the room, and each piece of equipment need before their next visit. */
  breakAfter: number
  cleaning: number
  gear: readonly { id: number; cleaning: number }[]
  starts: readonly { from: number; to: number }[]
  /** Of a service for several at one time: how many are in already. */
  places?: { taken: number; capacity: number } | null
}

export interface ChainAsked {
  /** Of each service, in the order in which they were asked for, where it may be. */
  parts: readonly (readonly ChainPlace[])[]
  /** Minutes that the patient waits between two of them at the most. */
  gap: number
  /** Only as asked for. */
  inOrder: boolean
  limit: number
  /** Steps that may be looked at; what is looked at is taken off it. Where it comes to nothing, nothing is found. */
  work?: { left: number }
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

/** Who or what is not ready for another visit before this minute. */
interface Rest {
  what: string
  until: number
}

interface Step extends ChainPart {
  /** When the first of the chain begins. */
  first: number
  /** The parts so far, as digits: the less, the nearer to the order asked for. */
  order: number
  /** Of what parts still to come may need. */
  rests: readonly Rest[]
  before: Step | undefined
}

/** Chains of the same parts, by the minute at which they end. */
type Ends = Map<number, Step[]>

interface Option {
  place: ChainPlace
  uses: ReadonlySet<string>
  starts: readonly number[]
}

/**
 * The best chains of a day, each with a beginning of its own: of each beginning the one that is over soonest, all by the
 * least span, then the earliest, then the order asked for. Goes over the sets of parts (a bit to each), and keeps of the
 * chains of one set that end at one minute those that began last: another one only where it leaves free what they do not.
 */
export function chainsOf({ parts, gap, inOrder, limit, work = { left: Infinity } }: ChainAsked): ChainPart[][] {
  const options = parts.map((places) =>
    places.map((place): Option => ({ place, uses: new Set(usesOf(place)), starts: startsOf(place) })),
  )
  const all = 2 ** parts.length - 1
  const reached: Ends[] = Array.from({ length: all + 1 }, () => new Map())
  for (let done = 0; done < all; done++) {
    const ends = [...(reached[done] as Ends)].sort(([a], [b]) => a - b)
    if (done > 0 && ends.length === 0) continue
    for (const [part, places] of options.entries()) {
      const bit = 1 << part
      if (done & bit || (inOrder && done !== bit - 1)) continue
      const needed = new Set(
        options.flatMap((some, at) => ((done | bit) & (1 << at) ? [] : some.flatMap(({ uses }) => [...uses]))),
      )
      for (const option of places)
        for (const step of stepsTo(option, done === 0 ? undefined : ends, gap, work)) {
          const { minutes } = option.place
          const to = step.from + minutes
          const rests = [...(step.before?.rests ?? []), ...restsOf(option.place, to)]
          keep(reached[done | bit] as Ends, work, {
            part,
            place: option.place,
            from: step.from,
            to,
            first: step.before?.first ?? step.from,
            order: (step.before?.order ?? 0) * parts.length + part,
            rests: rests.filter(({ what, until }) => until > to && needed.has(what)),
            before: step.before,
          })
        }
      if (work.left <= 0) return []
    }
  }
  const best = new Map<number, Step>()
  for (const last of [...(reached[all] as Ends).values()].flat()) {
    const known = best.get(last.first)
    if (!known || last.to < known.to) best.set(last.first, last)
  }
  return [...best.values()]
    .sort((a, b) => a.to - a.first - (b.to - b.first) || a.first - b.first || a.order - b.order)
    .slice(0, limit)
    .map(partsOf)
}

/** Where this part may follow which of the chains so far, none: where it may be the first. */
function* stepsTo(
  { place, uses, starts }: Option,
  ends: readonly (readonly [number, readonly Step[]])[] | undefined,
  gap: number,
  work: { left: number },
): Generator<{ from: number; before: Step | undefined }> {
  let last = -1
  for (const from of starts) {
    if (work.left-- <= 0) return
    if (!ends) {
      yield { from, before: undefined }
      continue
    }
    while (last + 1 < ends.length && (ends[last + 1]?.[0] as number) <= from) last++
    // Of those that leave nobody resting when this part is over only the best counts.
    let free: Step | undefined
    const others: Step[] = []
    for (let at = last; at >= 0 && (ends[at]?.[0] as number) >= from - gap; at--)
      for (const step of ends[at]?.[1] ?? []) {
        work.left--
        if (free && !better(step, free)) break
        if (step.rests.some(({ what, until }) => until > from && uses.has(what))) continue
        if (step.rests.every(({ until }) => until <= from + place.minutes)) free = step
        else others.push(step)
      }
    if (free) yield { from, before: free }
    for (const before of others) if (!free || better(before, free)) yield { from, before }
  }
}

/** Began later, or as late and nearer to the order asked for. */
const better = (one: Step, other: Step): boolean =>
  one.first > other.first || (one.first === other.first && one.order < other.order)

/** Adds a step to those that end with it, the best first, unless one of them is as good for all that may follow. */
function keep(ends: Ends, work: { left: number }, step: Step): void {
  const known = ends.get(step.to) ?? []
  work.left -= known.length
  const covers = (one: Step, other: Step) =>
    !better(other, one) &&
    one.rests.every(({ what, until }) => other.rests.some((rest) => rest.what === what && rest.until >= until))
  if (known.some((one) => covers(one, step))) return
  const left = known.filter((one) => !covers(step, one))
  const at = left.findIndex((one) => better(step, one))
  ends.set(step.to, left.toSpliced(at < 0 ? left.length : at, 0, step))
}

const doctor = ({ idUser }: ChainPlace): string => `doctor ${idUser}`
const room = ({ idRoom }: ChainPlace): string => `room ${idRoom}`
const piece = ({ id }: { id: number }): string => `piece ${id}`

const usesOf = (place: ChainPlace): string[] => [
  doctor(place),
  ...(place.idRoom === null ? [] : [room(place)]),
  ...place.gear.map(piece),
]

/** Until when whoever and whatever was at a visit that ends at `to` is not ready for another. */
const restsOf = (place: ChainPlace, to: number): Rest[] => [
  { what: doctor(place), until: to + place.breakAfter },
  ...(place.idRoom === null ? [] : [{ what: room(place), until: to + place.cleaning }]),
  ...place.gear.map((one) => ({ what: piece(one), until: to + one.cleaning })),
]

function startsOf({ starts }: ChainPlace): number[] {
  const all = new Set<number>()
  for (const { from, to } of starts) for (let at = Math.ceil(from / GRID) * GRID; at <= to; at += GRID) all.add(at)
  return [...all].sort((a, b) => a - b)
}

function partsOf(last: Step): ChainPart[] {
  const parts: ChainPart[] = []
  for (let step: Step | undefined = last; step; step = step.before) {
    const { part, place, from, to } = step
    parts.unshift({ part, place, from, to })
  }
  return parts
}
