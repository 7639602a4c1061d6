import { useEffect, useRef, useState } from 'react'
import { scrollerOf } from './scrollerOf.ts'

/** Margin below and above the viewport. */
const MARGIN = '600px 0px'

/** True once the element has come near the viewport: expensive content is rendered from then on. */
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
