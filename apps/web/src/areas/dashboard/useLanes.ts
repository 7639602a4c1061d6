import { type RefObject, useLayoutEffect } from 'react'
import { packed } from './lanes.ts'
import type { Width } from './layout.ts'

/** Gap between blocks and grid step, in pixels: as in `DashboardPage.module.css`. */
const [GAP, STEP] = [16, 4]
const round = (height: number) => Math.ceil(height / STEP) * STEP

/**
 * Lays out the children of a grid by their measured heights, again on each change of size. In one column, and until the
 * first measurement, CSS does it alone.
 * @param key changes with the children and their widths
 */
export function useLanes(ref: RefObject<HTMLElement | null>, key: string): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: the children are others when the key is another
  useLayoutEffect(() => {
    const grid = ref.current
    if (!grid) return
    const children = [...grid.children].filter((child) => child instanceof HTMLElement)
    const lay = () => {
      for (const { style } of children) style.minHeight = ''
      // A hidden grid cannot be measured.
      const isLaid = grid.clientWidth > 0 && getComputedStyle(grid).gridTemplateColumns.split(' ').length > 1
      const spots = isLaid
        ? packed(
            children.map((child) => ({
              width: Number(child.dataset.width) as Width,
              // Room kept for a block whose data are on their way.
              height: round(Math.max(child.offsetHeight, Number(child.dataset.kept ?? 0))),
            })),
            GAP,
          )
        : []
      grid.toggleAttribute('data-laid', isLaid)
      for (const [at, { style, dataset }] of children.entries()) {
        const spot = spots[at]
        style.gridColumn = spot ? `${spot.lane + 1} / span ${dataset.width}` : ''
        style.gridRow = spot ? `${spot.top / STEP + 1} / span ${(spot.height + GAP) / STEP}` : ''
        style.minHeight = spot ? `${spot.height}px` : ''
      }
    }
    lay()
    const observer = new ResizeObserver(lay)
    for (const child of [grid, ...children]) observer.observe(child)
    return () => observer.disconnect()
  }, [ref, key])
}
