import type { Span } from './scale.ts'

/** Which of how many lanes side by side. */
export interface Lane {
  lane: number
  lanes: number
}

/**
 * Things of one column that overlap stand side by side: each takes the first lane that is free, and those that hang
 * together by overlaps share the width alike.
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
