/** Packs blocks of one, two or three thirds of the width without holes below shorter neighbours. */
import type { Width } from './layout.ts'

export interface Box {
  width: Width
  /** 0: empty and hidden. */
  height: number
}

export interface Spot {
  /** From 0. */
  lane: number
  top: number
  /** At least the box's `height`: stretched to the next box below. */
  height: number
}

const LANES = 3

/**
 * Places each box as high as possible with the least waste above; boxes with space below are stretched.
 * @param gap pixels between boxes
 * @returns undefined for a box without a height
 */
export function packed(boxes: readonly Box[], gap: number): (Spot | undefined)[] {
  const ends: number[] = Array(LANES).fill(0)
  /** Last box of each lane. */
  const last: ({ spot: Spot; width: Width } | undefined)[] = Array(LANES).fill(undefined)
  return boxes.map(({ width, height }) => {
    if (height === 0) return undefined
    const choices = Array.from({ length: LANES - width + 1 }, (_, lane) => {
      const above = ends.slice(lane, lane + width)
      const top = Math.max(...above)
      return { lane, top, cost: top + above.reduce((waste, end) => waste + top - end, 0) }
    })
    const { lane, top } = choices.reduce((best, one) => (one.cost < best.cost ? one : best))
    // Boxes directly above only the new one are stretched to it.
    for (const above of new Set(last.slice(lane, lane + width))) {
      if (!above) continue
      const free = last.filter((one, at) => one === above && at >= lane && at < lane + width).length
      if (free === above.width) above.spot.height = top - gap - above.spot.top
    }
    const spot: Spot = { lane, top, height }
    const placed = { spot, width }
    for (let at = lane; at < lane + width; at++) {
      ends[at] = top + height + gap
      last[at] = placed
    }
    return spot
  })
}
