import classes from './DayGrid.module.css'
import type { Place } from './drag.ts'
import type { GridMark } from './grid.ts'
import { perMinute, type Scale, type Span, topOf } from './scale.ts'

/** Geometry of the rendered sheet: sizes in pixels, positions, and hit testing. */

export const HEAD = 56
export const TIMES = 52
export const GAP = 2
/** Pixels of a mark, and of the side of a column reserved for marks. */
export const MARK = 24

export const heightOf = (scale: Scale, { from, to }: Span) => (Math.min(to, scale.to) - from) * perMinute(scale)

/** Groups overlapping marks; marks outside the shown time are placed at the edge. */
export function heapsOf(marks: readonly GridMark[], scale: Scale): { top: number; heap: GridMark[] }[] {
  const heaps: { top: number; heap: GridMark[] }[] = []
  const bottom = topOf(scale, scale.to) - MARK
  for (const mark of [...marks].sort((a, b) => a.minute - b.minute || a.id - b.id)) {
    const top = Math.max(0, Math.min(bottom, topOf(scale, mark.minute) - MARK / 2))
    const last = heaps.at(-1)
    if (last && top < last.top + MARK) last.heap.push(mark)
    else heaps.push({ top, heap: [mark] })
  }
  return heaps
}

export const boxOf = (
  scale: Scale,
  wide: number,
  { column, from, to }: Place,
): Record<'left' | 'top' | 'width' | 'height', string> => ({
  left: `${TIMES + column * wide + 2}px`,
  top: `${topOf(scale, from)}px`,
  width: `${wide - 6}px`,
  height: `${heightOf(scale, { from, to })}px`,
})

/** The item that an event belongs to. */
export function itemAt(target: EventTarget | null): number | undefined {
  const element = (target as HTMLElement | null)?.closest<HTMLElement>('[data-item]')
  return element ? Number(element.dataset.item) : undefined
}

/** True for empty time; holds and marks are not. */
export const isGround = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  target.closest(`.${classes.column}`) !== null &&
  target.closest('[data-kind="hold"], [data-mark]') === null

/** Scrolls as little as needed to show the place below the head and beside the times. */
export function bringIntoSight(
  element: HTMLElement | null,
  left: number,
  top: number,
  bottom: number,
  width: number,
): void {
  if (!element) return
  const { scrollLeft, scrollTop, clientWidth, clientHeight } = element
  const [roomX, roomY] = [clientWidth - TIMES, clientHeight - HEAD]
  if (left < scrollLeft) element.scrollLeft = left
  else if (left + width > scrollLeft + roomX) element.scrollLeft = left + width - roomX
  if (top < scrollTop + GAP) element.scrollTop = Math.max(0, top - 8)
  else if (bottom > scrollTop + roomY) element.scrollTop = Math.min(top - 8, bottom - roomY + 8)
}
