import { draggable, dropTargetForElements } from '@atlaskit/pragmatic-drag-and-drop/element/adapter'
import { type RefObject, useEffect, useRef } from 'react'

const KIND = 'calendar'

const idOf = ({ kind, id }: Record<string | symbol, unknown>): number | undefined =>
  kind === KIND && typeof id === 'number' ? id : undefined

/**
 * Makes an element draggable into the calendar.
 * @param own an item of the calendar itself; else it is received as a new one
 */
export function useCalendarDrag(ref: RefObject<HTMLElement | null>, id: number, enabled: boolean, own = false): void {
  useEffect(() => {
    if (!ref.current || !enabled) return
    return draggable({ element: ref.current, getInitialData: () => ({ kind: KIND, id, own }) })
  }, [ref, id, enabled, own])
}

/** Where an element was dropped, in pixels of the window. */
interface Dropped {
  id: number
  own: boolean
  x: number
  y: number
}

/** An area that takes dragged elements; marked by `data-over` while one is above it. */
export function useCalendarDrop(ref: RefObject<HTMLElement | null>, onDrop: (dropped: Dropped) => void): void {
  const latest = useRef(onDrop)
  latest.current = onDrop
  useEffect(() => {
    const element = ref.current
    if (!element) return
    const mark = (over: boolean) => element.toggleAttribute('data-over', over)
    return dropTargetForElements({
      element,
      canDrop: ({ source }) => idOf(source.data) !== undefined,
      onDragEnter: () => mark(true),
      onDragLeave: () => mark(false),
      onDrop: ({ source, location }) => {
        mark(false)
        const id = idOf(source.data)
        const { clientX: x, clientY: y } = location.current.input
        if (id !== undefined) latest.current({ id, own: source.data.own === true, x, y })
      },
    })
  }, [ref])
}
