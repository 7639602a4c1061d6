import { useEffect, useState } from 'react'
import { itemAt } from './sheet.ts'

const HINT_MS = 450

/** The item hovered for a moment, or focused. */
export function useHint(sheet: { current: HTMLElement | null }): { at?: { id: number; rect: DOMRect } } {
  const [at, setAt] = useState<{ id: number; rect: DOMRect }>()
  useEffect(() => {
    const element = sheet.current as HTMLElement
    let timer: ReturnType<typeof setTimeout> | undefined
    let over: number | undefined
    const begin = (target: EventTarget | null, wait: number) => {
      const id = itemAt(target)
      if (id === over) return
      end()
      over = id
      const thing = (target as HTMLElement).closest<HTMLElement>('[data-item]')
      if (id !== undefined && thing)
        timer = setTimeout(() => thing.isConnected && setAt({ id, rect: thing.getBoundingClientRect() }), wait)
    }
    const end = () => {
      clearTimeout(timer)
      over = undefined
      setAt(undefined)
    }
    const point = (event: PointerEvent) => event.pointerType === 'mouse' && begin(event.target, HINT_MS)
    const focus = (event: FocusEvent) =>
      (event.target as HTMLElement).matches(':focus-visible') && begin(event.target, HINT_MS)
    const on = { pointerover: point, pointerleave: end, pointerdown: end, focusin: focus, focusout: end, keydown: end }
    for (const [name, run] of Object.entries(on)) element.addEventListener(name, run as EventListener)
    const scroller = element.parentElement
    scroller?.addEventListener('scroll', end, { passive: true })
    return () => {
      clearTimeout(timer)
      for (const [name, run] of Object.entries(on)) element.removeEventListener(name, run as EventListener)
      scroller?.removeEventListener('scroll', end)
    }
  }, [sheet])
  return { at }
}
