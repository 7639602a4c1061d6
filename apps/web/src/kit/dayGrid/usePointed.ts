import { type RefObject, useRef } from 'react'
import { clockOf, minuteAt, stepAt } from './scale.ts'
import { boxOf, HEAD, isGround, itemAt, TIMES } from './sheet.ts'
import type { Viewport } from './useViewport.ts'

interface Pointer {
  clientX: number
  clientY: number
  target: EventTarget | null
}

/**
 * The free step under the pointer, and a hint with its time, updated without React on every move.
 * @param count the number of columns
 */
export function usePointed(
  sheet: RefObject<HTMLElement | null>,
  { scale, wide }: Viewport,
  count: number,
  isBookable: boolean,
) {
  const hint = useRef<HTMLDivElement>(null)
  const freeAt = ({ clientX, clientY, target }: Pointer): { column: number; minute: number } | undefined => {
    const box = sheet.current?.getBoundingClientRect()
    if (!box || itemAt(target) !== undefined || !isGround(target)) return undefined
    const column = Math.floor((clientX - box.left - TIMES) / wide)
    const minute = minuteAt(scale, clientY - box.top - HEAD)
    return column >= 0 && column < count && minute >= scale.from && minute < scale.to
      ? { column, minute: stepAt(scale, minute) }
      : undefined
  }
  const onPointer = (event: Pointer | undefined) => {
    const element = hint.current
    if (!element) return
    const at = event && freeAt(event)
    element.style.visibility = at && isBookable ? 'visible' : 'hidden'
    if (!at) return
    Object.assign(element.style, boxOf(scale, wide, { ...at, from: at.minute, to: at.minute + scale.step }))
    element.textContent = clockOf(at.minute)
  }
  return { hint, freeAt, onPointer }
}
