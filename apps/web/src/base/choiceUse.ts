import { stored, write } from './stored.ts'

const KEY = 'ordinator:choices'
/** Remembered records of one kind; the least used go first. */
const MAX_KEPT = 30

/** How often each record was chosen in a form of this browser, by kind; cleared at the sign-out. */
type Uses = Record<string, Record<string, number>>

function uses(): Uses {
  const kept = stored(KEY)
  return typeof kept === 'object' && kept !== null ? (kept as Uses) : {}
}

/** @param kind path of the entity */
export function noteChoice(kind: string, id: number): void {
  const known = uses()
  const next: Record<string, number> = { ...known[kind], [id]: (known[kind]?.[id] ?? 0) + 1 }
  const kept = Object.entries(next)
    .toSorted(([a, m], [b, n]) => Number(Number(b) === id) - Number(Number(a) === id) || n - m)
    .slice(0, MAX_KEPT)
  write(KEY, { ...known, [kind]: Object.fromEntries(kept) })
}

/** Times that a record was chosen, by its id. */
export const choicesOf = (kind: string): ReadonlyMap<number, number> =>
  new Map(Object.entries(uses()[kind] ?? {}).map(([id, times]) => [Number(id), times]))
