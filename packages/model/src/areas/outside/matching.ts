/** Finds which of ours a seller means by a name or a code 804н. Pure. */
import type { MatchKind } from './match.ts'

export interface Candidate {
  id: number
  name: string
  /** Code of the nomenclature 804н. */
  code: string | null
}

export interface Suggestion {
  id: number
  name: string
  /** In Russian: why it is offered. */
  why: string
}

/** Share of common words below which nothing is offered. */
const LEAST = 0.5

const wordsOf = (text: string): string[] =>
  text
    .toLocaleLowerCase('ru')
    .replaceAll('ё', 'е')
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean)

/** Words without endings are the same: «первичный», «первичная». */
const isSame = (one: string, other: string): boolean => {
  const least = Math.min(one.length, other.length)
  // An initial replaces a name.
  if (least === 1) return one.charAt(0) === other.charAt(0)
  const stem = Math.max(3, least - 2)
  return one.slice(0, stem) === other.slice(0, stem) && Math.abs(one.length - other.length) <= 3
}

/** Common words of two names: 1 are the same, whatever the order. */
function likeness(one: readonly string[], other: readonly string[]): number {
  const rest = [...other]
  let common = 0
  for (const word of one) {
    const at = rest.findIndex((candidate) => isSame(word, candidate))
    if (at < 0) continue
    rest.splice(at, 1)
    common += 1
  }
  return (2 * common) / Math.max(1, one.length + other.length)
}

/**
 * The best of ours for a line of a seller: by a code that one alone has, by the same name, by common words. A doctor is
 * never offered by another surname.
 */
export function suggestionOf(
  { kind, name, code }: { kind: MatchKind; name: string; code: string | null },
  ours: readonly Candidate[],
): Suggestion | undefined {
  const coded = code ? ours.filter((one) => one.code?.toUpperCase() === code.trim().toUpperCase()) : []
  const [single] = coded
  if (single && coded.length === 1) return { id: single.id, name: single.name, why: 'тот же код 804н' }
  const words = wordsOf(name)
  const [surname = ''] = words
  const among = (coded.length > 1 ? coded : ours).filter(
    (one) => kind === 'service' || wordsOf(one.name)[0] === surname,
  )
  const found = among
    .map((one) => ({ one, like: likeness(words, wordsOf(one.name)) }))
    .toSorted((a, b) => b.like - a.like || a.one.id - b.one.id)
  const [best, next] = found
  if (!best || best.like < LEAST) return undefined
  // Two are equally alike: a person chooses.
  if (next && next.like === best.like) return undefined
  const why =
    best.like === 1 ? 'то же название' : coded.length > 1 ? 'тот же код, похожее название' : 'похожее название'
  return { id: best.one.id, name: best.one.name, why }
}

/** Lines of a pasted list: a name, or a name and a code in any order, parted by a tab or a semicolon. */
export function linesOf(text: string): { name: string; code: string | null }[] {
  const lines = new Map<string, { name: string; code: string | null }>()
  for (const line of text.split(/\r?\n/)) {
    const cells = line
      .split(/[\t;]/)
      .map((cell) => cell.trim())
      .filter(Boolean)
    const code = cells.find((cell) => CODE.test(cell)) ?? null
    const name = cells.find((cell) => !CODE.test(cell)) ?? code
    if (name) lines.set(name.toLocaleLowerCase('ru'), { name: name.slice(0, 256), code })
  }
  return [...lines.values()]
}

/** A code of order 804н: «B01.047.001», with Latin or Cyrillic first letter. */
const CODE = /^[ABАВ]\d{2}\.\d{2,3}(?:\.\d{2,3}){0,3}$/i
