import { useVirtualizer } from '@tanstack/react-virtual'
import type { RefObject } from 'react'
import type { AnyRow } from '../fields/ui.ts'

const ROW_HEIGHT = 40
const OVERSCAN = 12
/** Above this many rows only visible ones are rendered. */
const VIRTUAL_FROM = 100

/** The rendered rows of a table, and the heights of those before and after. */
export function useShownRows(rows: AnyRow[], frame: RefObject<HTMLDivElement | null>) {
  const virtual = rows.length > VIRTUAL_FROM
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => frame.current,
    estimateSize: () => ROW_HEIGHT,
    overscan: OVERSCAN,
    scrollPaddingStart: ROW_HEIGHT,
    enabled: virtual,
  })
  const items = virtual ? virtualizer.getVirtualItems() : undefined
  const first = items?.[0]?.index ?? 0
  const shown = items ? rows.slice(first, (items.at(-1)?.index ?? -1) + 1) : rows
  const before = first * ROW_HEIGHT
  const after = virtual ? (rows.length - first - shown.length) * ROW_HEIGHT : 0
  const scrollTo = (index: number) => {
    if (virtual) virtualizer.scrollToIndex(index)
  }
  return { virtual, first, shown, before, after, scrollTo }
}
