/** Several services in a row with several doctors on one day: finds the orders and times to offer a patient. Pure. */

/** A possible place of a part: it takes `minutes` and may begin at any of `starts`. Minutes since midnight, both ends inclusive. */
export interface ChainPlace {
  idUser: number
  idRoom: number | null
  minutes: number
  /** Minutes that the doctor, the room and each piece of equipment need before their next visit. */
  breakAfter: number
  cleaning: number
  gear: readonly { id: number; cleaning: number }[]
  starts: readonly { from: number; to: number }[]
  /** For a group service: the places taken so far. */
  places?: { taken: number; capacity: number } | null
}

export interface ChainAsked {
  /** For each service, in the requested order, its possible places. */
  parts: readonly (readonly ChainPlace[])[]
  /** Maximum minutes the patient waits between two of them. */
  gap: number
  /** Keep the requested order. */
  inOrder: boolean
  limit: number
  /** Budget of search steps, reduced as they are made; at zero the result is empty. */
  work?: { left: number }
}

export interface ChainPart {
  /** Index of the requested part. */
  part: number
  place: ChainPlace
  from: number
  to: number
}

/** Maximum services of one chain. */
export const MAX_CHAIN = 4
/** Visits begin at multiples of these minutes. */
const GRID = 5

/** A resource that is not available for another visit before this minute. */
interface Rest {
  what: string
  until: number
}

interface Step extends ChainPart {
  /** Start of the chain's first part. */
  first: number
  /** The parts so far, as digits: the smaller, the closer to the requested order. */
  order: number
  /** Rests of resources that later parts may need. */
  rests: readonly Rest[]
  before: Step | undefined
}

/** Chains of the same parts, by their end minute. */
type Ends = Map<number, Step[]>

interface Option {
  place: ChainPlace
  uses: ReadonlySet<string>
  starts: readonly number[]
}

/**
 * The best chains of a day, at most one per start: for each start the one that ends soonest, sorted by span, then start,
 * then closeness to the requested order. Dynamic programming over sets of parts (a bit each): of the chains of one set
 * that end at one minute it keeps those that began last, and another one only if it leaves resources free that they do not.
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

/** Steps by which this part can follow the chains so far; with none it can be the first. */
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
    // Of the chains that leave no resource resting when this part ends only the best one counts.
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

/** True when it began later, or at the same time and closer to the requested order. */
const better = (one: Step, other: Step): boolean =>
  one.first > other.first || (one.first === other.first && one.order < other.order)

/** Adds a step to those with its end, the best first, unless one of them is as good for all continuations. */
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

/** Rests of the resources of a visit that ends at `to`. */
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
