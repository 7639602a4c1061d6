import type { Scale, Span } from './scale.ts'

/** Keyboard cursor: a step of a column, or the item there. */
export interface Cursor {
  /** Index of the column. */
  column: number
  minute: number
  item?: number
}

export interface WalkItem extends Span {
  id: number
  /** Index of its column. */
  column: number
}

export type WalkKey = 'ArrowUp' | 'ArrowDown' | 'ArrowLeft' | 'ArrowRight' | 'PageUp' | 'PageDown' | 'Home' | 'End'
const keys: readonly string[] = ['ArrowUp', 'ArrowDown', 'ArrowLeft', 'ArrowRight', 'PageUp', 'PageDown', 'Home', 'End']
export const isWalkKey = (key: string): key is WalkKey => keys.includes(key)

/**
 * Next position for a key: up and down over free steps and items, left and right over items side by side and then to the
 * next column, page keys to the next item of the column, Home and End to its ends. At an edge it stays.
 */
export function walked(
  now: Cursor,
  key: WalkKey,
  { scale, columns, items }: { scale: Scale; columns: number; items: readonly WalkItem[] },
): Cursor {
  const stopsOf = (column: number) =>
    stops(
      items.filter((item) => item.column === column),
      column,
      scale,
    )
  const own = stopsOf(now.column)
  const found = own.findIndex((stop) => (now.item === undefined ? stop.minute >= now.minute : stop.item === now.item))
  const at = found < 0 ? own.length - 1 : found
  switch (key) {
    case 'ArrowDown':
      return own[at + 1] ?? now
    case 'ArrowUp':
      return own[at - 1] ?? now
    case 'PageDown':
      return own.slice(at + (now.item === undefined ? 0 : 1)).find(({ item }) => item !== undefined) ?? now
    case 'PageUp':
      return own.slice(0, at).findLast(({ item }) => item !== undefined) ?? now
    case 'Home':
      return own[0] ?? now
    case 'End':
      return own.at(-1) ?? now
    default: {
      const way = key === 'ArrowLeft' ? -1 : 1
      const here = items.find(({ id }) => id === now.item)
      const beside = own.filter(({ item }) => here && items.some((one) => one.id === item && overlap(one, here)))
      const next = here && beside[beside.findIndex(({ item }) => item === here.id) + way]
      if (next) return { ...next, minute: now.minute }
      const column = now.column + way
      if (column < 0 || column >= columns) return now
      const there = stopsOf(column)
      const met = items.find((item) => item.column === column && item.from <= now.minute && item.to > now.minute)
      const stop = met ? { column, item: met.id } : there.findLast(({ minute }) => minute <= now.minute)
      return { ...(stop ?? there[0]), column, minute: now.minute }
    }
  }
}

/** Cursor stops of a column: each item, and each free step. */
function stops(items: readonly WalkItem[], column: number, { from, to, step }: Scale): Cursor[] {
  const minutes = new Set(items.map((item) => item.to))
  for (let minute = from; minute < to; minute += step) minutes.add(minute)
  const free = [...minutes].filter(
    (minute) => minute < to && !items.some((item) => item.from <= minute && item.to > minute),
  )
  const found: Cursor[] = [
    ...free.map((minute) => ({ column, minute })),
    ...items.map(({ id, from: minute }) => ({ column, minute, item: id })),
  ]
  return found.sort((a, b) => a.minute - b.minute || (a.item ?? 0) - (b.item ?? 0))
}

const overlap = (a: Span, b: Span): boolean => a.from < b.to && a.to > b.from
