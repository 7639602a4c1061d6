import classes from './DayGrid.module.css'
import type { Place } from './drag.ts'
import { perMinute, type Scale, type Span, topOf } from './scale.ts'

/** The sheet as it is drawn: its sizes in pixels, where a place lies on it, and what stands under a pointer. */

export const HEAD = 56
export const TIMES = 52
export const GAP = 2

export const heightOf = (scale: Scale, { from, to }: Span) => (Math.min(to, scale.to) - from) * perMinute(scale)

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

/** The thing that an event came from. */
export function itemAt(target: EventTarget | null): number | undefined {
  const element = (target as HTMLElement | null)?.closest<HTMLElement>('[data-item]')
  return element ? Number(element.dataset.item) : undefined
}

/** Time that nothing stands in; a hold is somebody's already. */
export const isGround = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  target.closest(`.${classes.column}`) !== null &&
  target.closest('[data-kind="hold"]') === null

/** Scrolls as little as shows the place under the head and beside the times. */
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
