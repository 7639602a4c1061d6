import type { AnyField } from '../../entity.ts'
import { Regulation } from './regulation.ts'
import { RegulationStep } from './step.ts'
import type { FieldChange, RegulationDifference, RegulationView, Stage, StageDifference } from './wire.ts'

/**
 * Differences between two versions, as display text.
 * @param originOf id that a step shares with its copies in other versions
 */
export function compareVersions(
  from: RegulationView,
  to: RegulationView,
  originOf: (idStep: number) => number,
): RegulationDifference {
  return { fields: changesOf(regulationFields, from, to), stages: compareStages(from.stages, to.stages, originOf) }
}

interface Compared<T> {
  field: string
  label: string
  /** Display value; steps are compared by it. */
  read(of: T): unknown
}

const { fields: own } = Regulation
const { fields: ofStep } = RegulationStep

const regulationFields: readonly Compared<RegulationView>[] = [
  plain(own, 'name'),
  plain(own, 'description'),
  plain(own, 'type'),
  { field: 'role', label: own.idRole.options.label, read: ({ role }) => role },
  {
    field: 'responsibleUser',
    label: own.idResponsibleUser.options.label,
    read: ({ responsibleUser }) => responsibleUser?.shortFio ?? null,
  },
  plain(own, 'reviewMonths'),
  plain(own, 'readDays'),
  plain(own, 'passScore'),
  { field: 'test', label: own.test.options.label, read: ({ test, hasTest }) => test?.questions ?? hasTest },
]

const stageFields: readonly Compared<Stage>[] = [
  plain(ofStep, 'title'),
  plain(ofStep, 'description'),
  plain(ofStep, 'timeEstimate'),
  plain(ofStep, 'status'),
  plain(ofStep, 'importance'),
  plain(ofStep, 'type'),
  plain(ofStep, 'responsible'),
  { field: 'responsibles', label: 'Ответственные', read: ({ users }) => users.map(({ shortFio }) => shortFio) },
  {
    field: 'images',
    label: 'Картинки',
    read: ({ images }) => images.map(({ url, description }) => ({ url, description })),
  },
  { field: 'scripts', label: 'Скрипты', read: ({ scriptNames }) => scriptNames.map(({ name }) => name) },
  {
    field: 'documents',
    label: 'Документы',
    read: ({ documents }) => documents.map(({ url, name }) => ({ url, name })),
  },
]

/** A field of an entity; choices by label. */
function plain<F extends Record<string, AnyField>, K extends keyof F & string>(
  fields: F,
  field: K,
): Compared<Record<K, unknown>> {
  const { label, labels } = (fields[field] as AnyField).options
  return {
    field,
    label,
    read: (of) => (labels as Record<string, string> | undefined)?.[String(of[field])] ?? of[field] ?? null,
  }
}

function changesOf<T>(fields: readonly Compared<T>[], from: T, to: T): FieldChange[] {
  return fields.flatMap(({ field, label, read }) => {
    const [was, is] = [read(from), read(to)]
    return JSON.stringify(was) === JSON.stringify(is) ? [] : [{ field, label, from: was, to: is }]
  })
}

/** In the order of the newer version; a removed step follows its former predecessor. */
function compareStages(
  from: readonly Stage[],
  to: readonly Stage[],
  originOf: (idStep: number) => number,
): StageDifference[] {
  const before = matches(from, to, originOf)
  const kept = longestRising(before)
  const removed = from.keys().filter((place) => !before.includes(place))
  const after = Map.groupBy(removed, (place) => before.indexOf(lastKept(before, place)))
  const goneAfter = (place: number): StageDifference[] =>
    (after.get(place) ?? []).map((gone) => ({ state: 'removed', from: numbered(from, gone), changes: [] }))
  return [
    ...goneAfter(-1),
    ...to.flatMap((stage, place) => {
      const was = before[place]
      const now = { to: numbered(to, place) }
      if (was === undefined) return [{ state: 'added' as const, ...now, changes: [] }, ...goneAfter(place)]
      const changes = changesOf(stageFields, from[was] as Stage, stage)
      const state = changes.length ? 'changed' : kept.has(was) ? 'same' : 'moved'
      return [{ state, from: numbered(from, was), ...now, changes } as StageDifference, ...goneAfter(place)]
    }),
  ]
}

/** For each step of `to`, the index of the same step in `from`: by origin, else by title. */
function matches(
  from: readonly Stage[],
  to: readonly Stage[],
  originOf: (idStep: number) => number,
): (number | undefined)[] {
  const free = new Set(from.keys())
  const take = (place: number): number | undefined => (free.delete(place) ? place : undefined)
  const places = new Map(from.map(({ id }, place) => [originOf(id), place]))
  const found = to.map(({ id }) => take(places.get(originOf(id)) ?? -1))
  return found.map((place, i) => place ?? take([...free].find((one) => from[one]?.title === to[i]?.title) ?? -1))
}

/** The nearest kept index before `place`, or -1. */
function lastKept(before: readonly (number | undefined)[], place: number): number {
  for (let one = place - 1; one >= 0; one--) if (before.includes(one)) return one
  return -1
}

/** Longest increasing subsequence: these steps kept their order, the others moved. */
function longestRising(places: readonly (number | undefined)[]): Set<number> {
  const chains: number[][] = []
  for (const place of places) {
    if (place === undefined) continue
    const best = chains.filter((chain) => (chain.at(-1) as number) < place).reduce<number[]>(longer, [])
    chains.push([...best, place])
  }
  return new Set(chains.reduce<number[]>(longer, []))
}

const longer = (a: number[], b: number[]) => (b.length > a.length ? b : a)

const numbered = (stages: readonly Stage[], place: number): Stage & { n: number } => ({
  ...(stages[place] as Stage),
  n: place + 1,
})
