import type { SortPlace } from '#kit/useSortable.ts'

/** The list with one row moved next to another. */
export function placed<R extends { id: number }>(rows: readonly R[], id: number, place: SortPlace): R[] {
  const row = rows.find((one) => one.id === id)
  const rest = rows.filter((one) => one.id !== id)
  if (!row) return [...rows]
  if (place.at) return place.at === 'first' ? [row, ...rest] : [...rest, row]
  const to = rest.findIndex((one) => one.id === (place.before ?? place.after))
  if (to < 0) return [...rows]
  return rest.toSpliced(place.before === undefined ? to + 1 : to, 0, row)
}
