import { type CSSProperties, type RefObject, useEffect, useState } from 'react'
import { stored, write } from '#base/stored.ts'

const KEY = 'ordinator:blocks'
/** Late changes of size, as of a font, belong to the layout that is kept. */
const QUIET_MS = 1_000

type Heights = Readonly<Record<string, number>>

/**
 * Heights of the dashboard's parts the last time: until a part has its data, its room is kept, so that nothing below it
 * shifts.
 * @param frame has the parts, each with `data-part`
 * @param settled all parts have their data
 * @returns attributes of a part by its key
 */
export function useKeptHeights(frame: RefObject<HTMLElement | null>, settled: boolean) {
  const [heights] = useState(() => (stored(KEY) ?? {}) as Heights)
  useEffect(() => {
    if (!settled) return
    const timer = setTimeout(() => {
      const parts = [...(frame.current?.querySelectorAll<HTMLElement>('[data-part]') ?? [])]
      write(KEY, Object.fromEntries(parts.map((part) => [part.dataset.part, part.offsetHeight])))
    }, QUIET_MS)
    return () => clearTimeout(timer)
  }, [frame, settled])
  return (key: string) => {
    const height = heights[key]
    return {
      'data-part': key,
      ...(!settled && height ? { 'data-kept': height, style: { '--kept': `${height}px` } as CSSProperties } : {}),
    }
  }
}
