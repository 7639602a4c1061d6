import { type UIEvent, useCallback, useLayoutEffect, useMemo, useRef, useState } from 'react'
import type { Place } from './drag.ts'
import { fitted, type Scale, shownColumns, topOf } from './scale.ts'
import { bringIntoSight, HEAD, TIMES } from './sheet.ts'

interface ViewportOptions {
  scale: Scale
  /** Number of columns. */
  count: number
  columnWidth: number
  whole: boolean | undefined
  start: number
}

export type Viewport = ReturnType<typeof useViewport>

/** The visible part of the sheet: its scroll position and size, the resulting scale, and the columns to render. */
export function useViewport({ scale: given, count, columnWidth, whole, start }: ViewportOptions) {
  const scroller = useRef<HTMLDivElement>(null)
  const [view, setView] = useState({ left: 0, width: 1_200, height: 640 })
  const scale = useMemo(
    () => (whole ? { ...given, fit: fitted(given, view.height - HEAD - 2) } : given),
    [whole, given, view.height],
  )
  /** Pixels of a column. */
  const wide = Math.max(columnWidth, Math.floor((view.width - TIMES) / Math.max(1, count)))
  const [first, last] = shownColumns(view.left, view.width - TIMES, wide, count)

  const measure = useCallback(() => {
    const element = scroller.current
    if (element) setView({ left: element.scrollLeft, width: element.clientWidth, height: element.clientHeight })
  }, [])
  useLayoutEffect(() => {
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(scroller.current as HTMLDivElement)
    return () => observer.disconnect()
  }, [measure])
  // biome-ignore lint/correctness/useExhaustiveDependencies: scrolled when another day is shown, not when it grows
  useLayoutEffect(() => {
    if (scroller.current) scroller.current.scrollTop = Math.max(0, topOf(scale, start) - 40)
  }, [start, scale.step])

  const onScroll = ({ currentTarget: { scrollLeft, clientWidth } }: UIEvent<HTMLElement>) => {
    const [nextFirst, nextLast] = shownColumns(scrollLeft, clientWidth - TIMES, wide, count)
    if (nextFirst !== first || nextLast !== last) measure()
  }
  const reveal = ({ column, from, to }: Place) =>
    bringIntoSight(scroller.current, column * wide, topOf(scale, from), topOf(scale, to), wide)

  return { scroller, scale, wide, first, last, measure, onScroll, reveal }
}
