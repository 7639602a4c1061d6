import type { Span } from './scale.ts'

/** Index of the lane, and the number of lanes side by side. */
export interface Lane {
  lane: number
  lanes: number
}

/**
 * Overlapping items of a column are placed side by side: each takes the first free lane, and items connected by overlaps
 * share the width equally.
 */
export function lanesOf<T extends Span & { id: number }>(items: readonly T[]): Map<number, Lane> {
  const found = new Map<number, Lane>()
  let group: T[] = []
  let ends: number[] = []
  const close = () => {
    for (const { id } of group) (found.get(id) as Lane).lanes = ends.length
    group = []
    ends = []
  }
  for (const item of [...items].sort((a, b) => a.from - b.from || b.to - a.to || a.id - b.id)) {
    if (item.from >= Math.max(...ends)) close()
    const free = ends.findIndex((end) => end <= item.from)
    const lane = free < 0 ? ends.length : free
    ends[lane] = item.to
    group.push(item)
    found.set(item.id, { lane, lanes: 1 })
  }
  close()
  return found
}
