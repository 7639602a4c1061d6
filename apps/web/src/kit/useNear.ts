import { useEffect, useRef, useState } from 'react'
import { scrollerOf } from './scrollerOf.ts'

/** Pixels below and above what is in sight. */
const MARGIN = '600px 0px'

/** Whether the element has come near to what is in sight: what is costly to draw waits for that, and stays. */
export function useNear<T extends HTMLElement>() {
  const ref = useRef<T>(null)
  const [near, setNear] = useState(false)
  useEffect(() => {
    const element = ref.current
    if (!element || near) return
    const watch = new IntersectionObserver((entries) => entries.some((one) => one.isIntersecting) && setNear(true), {
      root: scrollerOf(element),
      rootMargin: MARGIN,
    })
    watch.observe(element)
    return () => watch.disconnect()
  }, [near])
  return [ref, near] as const
}
