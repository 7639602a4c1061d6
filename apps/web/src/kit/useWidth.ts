import { type RefObject, useLayoutEffect, useState } from 'react'

/** The width of an element in pixels, as it changes; 0 before it is drawn. */
export function useWidth(ref: RefObject<HTMLElement | null>): number {
  const [width, setWidth] = useState(0)
  useLayoutEffect(() => {
    const element = ref.current
    if (!element) return
    const read = () => setWidth(Math.floor(element.getBoundingClientRect().width))
    read()
    const observer = new ResizeObserver(read)
    observer.observe(element)
    return () => observer.disconnect()
  }, [ref])
  return width
}
