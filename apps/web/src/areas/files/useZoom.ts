import { type PointerEvent, type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react'

/** Maximum zoom. */
export const ZOOM_MAX = 8
const STEP = 2

/** Zoom of the picture in the scrollable `stage`; reset by another `id`. */
export function useZoom(stage: RefObject<HTMLElement | null>, id: number) {
  const [state, setState] = useState({ id, scale: 1, fit: 0 })
  const scale = state.id === id ? state.scale : 1
  const fit = state.id === id ? state.fit : 0
  const width = scale > 1 ? fit * scale : undefined
  const picture = () => stage.current?.querySelector('img')
  /** Centre of the visible part, 0 to 1 in both directions. */
  const middle = useRef({ x: 0.5, y: 0.5 })
  const drag = useRef<{ x: number; y: number }>(undefined)

  const setZoom = (next: number) => {
    const element = stage.current
    const shown = picture()
    if (!element || !shown) return
    if (scale > 1)
      middle.current = {
        x: (element.scrollLeft + element.clientWidth / 2) / element.scrollWidth,
        y: (element.scrollTop + element.clientHeight / 2) / element.scrollHeight,
      }
    setState({ id, scale: Math.min(ZOOM_MAX, Math.max(1, next)), fit: fit || shown.clientWidth })
  }

  useLayoutEffect(() => {
    const element = stage.current
    if (!element || !width) return
    element.scrollLeft = middle.current.x * element.scrollWidth - element.clientWidth / 2
    element.scrollTop = middle.current.y * element.scrollHeight - element.clientHeight / 2
  }, [stage, width])

  // Prevents the browser's own zoom by Ctrl and the wheel.
  const latest = useRef(setZoom)
  latest.current = setZoom
  const now = useRef(scale)
  now.current = scale
  useEffect(() => {
    const element = stage.current
    const wheel = (event: WheelEvent) => {
      if (!event.ctrlKey) return
      event.preventDefault()
      latest.current(event.deltaY < 0 ? now.current * STEP : now.current / STEP)
    }
    element?.addEventListener('wheel', wheel, { passive: false })
    return () => element?.removeEventListener('wheel', wheel)
  }, [stage])

  return {
    scale,
    /** Pixels; undefined: fits the screen. */
    width,
    closer: () => setZoom(scale * STEP),
    away: () => setZoom(scale / STEP),
    whole: () => setZoom(1),
    /** Props of the stage: double click zooms, dragging and arrow keys scroll. */
    props: {
      tabIndex: scale > 1 ? 0 : undefined,
      onDoubleClick: () => setZoom(scale > 1 ? 1 : STEP),
      onPointerDown: (event: PointerEvent<HTMLElement>) => {
        if (scale === 1 || event.pointerType !== 'mouse' || event.button !== 0) return
        drag.current = { x: event.clientX, y: event.clientY }
        event.currentTarget.setPointerCapture(event.pointerId)
      },
      onPointerMove: (event: PointerEvent<HTMLElement>) => {
        if (!drag.current) return
        event.currentTarget.scrollLeft -= event.clientX - drag.current.x
        event.currentTarget.scrollTop -= event.clientY - drag.current.y
        drag.current = { x: event.clientX, y: event.clientY }
      },
      onPointerUp: () => void (drag.current = undefined),
      onPointerCancel: () => void (drag.current = undefined),
    },
  }
}
