import { useEffect, useRef } from 'react'
import { type DragMode, dragged, type Place, samePlace } from './drag.ts'
import { minuteAt, type Scale } from './scale.ts'
import { HEAD, itemAt, TIMES } from './sheet.ts'

const DRAG_FROM = 4
const EDGE_SCROLL = 36
const SCROLL_STEP = 14

interface DragOptions {
  scroller: { current: HTMLElement | null }
  sheet: { current: HTMLElement | null }
  scale: Scale
  wide: number
  count: number
  /** Position of the item; undefined: it cannot be moved. */
  grabbed: (id: number) => Place | undefined
  onGhost: (id: number, place: Place | undefined) => void
  onDrop: (id: number, place: Place) => void
}

/** Moving and resizing by pointer: the ghost moves in steps, the edge of the window scrolls, Escape cancels. */
export function useDrag(options: DragOptions) {
  const latest = useRef(options)
  latest.current = options
  const moved = useRef(false)
  const stop = useRef<() => void>(undefined)
  useEffect(() => () => stop.current?.(), [])

  const onPointerDown = (down: React.PointerEvent) => {
    const id = itemAt(down.target)
    moved.current = false
    // A finger scrolls; on touch screens a visit is moved by its menu.
    if (id === undefined || down.button !== 0 || down.pointerType === 'touch') return
    const at = latest.current.grabbed(id)
    if (!at) return
    const mode: DragMode = (down.target as HTMLElement).closest('[data-edge]') ? 'end' : 'move'
    const pointed = ({ clientX, clientY }: { clientX: number; clientY: number }) => {
      const { sheet, scale, wide, count } = latest.current
      const box = (sheet.current as HTMLElement).getBoundingClientRect()
      const column = Math.floor((clientX - box.left - TIMES) / wide)
      return {
        column: Math.min(count - 1, Math.max(0, column)),
        minute: minuteAt(scale, clientY - box.top - HEAD),
      }
    }
    const grab = pointed(down).minute - at.from
    let place: Place | undefined
    let pointer = { clientX: down.clientX, clientY: down.clientY }
    let frame = 0
    const follow = () => {
      const { column, minute } = pointed(pointer)
      const next = dragged({ mode, at, grab }, column, minute, latest.current.scale)
      if (place && samePlace(place, next)) return
      place = next
      latest.current.onGhost(id, next)
    }
    const scroll = () => {
      frame = requestAnimationFrame(scroll)
      const element = latest.current.scroller.current
      if (!element || !moved.current) return
      const box = element.getBoundingClientRect()
      const { clientX: x, clientY: y } = pointer
      const dx = x > box.right - EDGE_SCROLL ? SCROLL_STEP : x < box.left + TIMES + EDGE_SCROLL ? -SCROLL_STEP : 0
      const dy = y > box.bottom - EDGE_SCROLL ? SCROLL_STEP : y < box.top + HEAD + EDGE_SCROLL ? -SCROLL_STEP : 0
      if (dx === 0 && dy === 0) return
      element.scrollBy(dx, dy)
      follow()
    }
    const move = (event: PointerEvent) => {
      pointer = event
      const far = Math.hypot(event.clientX - down.clientX, event.clientY - down.clientY) >= DRAG_FROM
      if (!moved.current && !far) return
      moved.current = true
      follow()
    }
    const end = (drop: boolean) => {
      stop.current?.()
      if (!moved.current) return
      if (drop && place) latest.current.onDrop(id, place)
      else latest.current.onGhost(id, undefined)
    }
    const up = () => end(true)
    const cancel = () => end(false)
    const key = (event: globalThis.KeyboardEvent) => {
      if (event.key !== 'Escape' || !moved.current) return
      event.preventDefault()
      event.stopPropagation()
      end(false)
    }
    stop.current = () => {
      cancelAnimationFrame(frame)
      window.removeEventListener('pointermove', move)
      window.removeEventListener('pointerup', up)
      window.removeEventListener('pointercancel', cancel)
      window.removeEventListener('keydown', key, true)
      stop.current = undefined
    }
    window.addEventListener('pointermove', move)
    window.addEventListener('pointerup', up)
    window.addEventListener('pointercancel', cancel)
    window.addEventListener('keydown', key, true)
    frame = requestAnimationFrame(scroll)
  }
  /** True when the press that has just ended was a drag: ignore its click. */
  const hasDragged = () => moved.current
  return { onPointerDown, hasDragged }
}
