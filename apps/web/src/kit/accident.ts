import { type MouseEvent as ReactMouseEvent, useState } from 'react'

/** Milliseconds in which a button that has just come is not pressed where the pointer pressed something else. */
const SETTLE_MS = 1_000
/** Pixels that a hand moves between two presses at one place. */
const JITTER = 8

interface Guards {
  /** Takes something back: ignores a pointer that has just pressed the former button there. */
  isReverse: boolean
  /** Sends something: the second click of a double click comes before the button shows that it is busy. */
  isOnce: boolean
}

interface Press {
  /** Milliseconds since the button came, or began to mean something else. */
  age: number
  /** The pointer was pressed at this place before. */
  isThere: boolean
  /** `detail` of the click: 0 by the keyboard, 2 for the second one of a double click. */
  detail: number
}

/** True for an impatient press, or the second one of a double click, that meant the former button there. */
export const isAccident = ({ age, isThere, detail }: Press): boolean => detail > 0 && isThere && age < SETTLE_MS

interface Place {
  x: number
  y: number
}

/** Places of the last two presses of the pointer, the latest first. */
let presses: Place[] = []
/** The control of the last click; null: none. */
let clicked: Element | null = null
const CONTROLS = 'button, a, summary, [role="button"], [role="menuitem"], [role="tab"]'

/** The second click of a double click is not passed on to a control that has come under the pointer since the first one. */
function dropStray(event: MouseEvent): void {
  const control = event.target instanceof Element ? event.target.closest(CONTROLS) : null
  if (event.detail > 1 && control && control !== clicked) {
    event.preventDefault()
    event.stopPropagation()
  } else clicked = control
}

if (typeof document !== 'undefined') {
  const place = ({ clientX: x, clientY: y }: PointerEvent) => {
    presses = [{ x, y }, ...presses.slice(0, 1)]
  }
  document.addEventListener('pointerdown', place, { capture: true, passive: true })
  document.addEventListener('click', dropStray, { capture: true })
}

/**
 * Handlers that drop unintended presses of a button.
 * @param meaning what the button does: React keeps the element when a step is replaced by its reverse
 */
export function useAccident({ isReverse, isOnce }: Guards, meaning: string) {
  const [{ since, of }, set] = useState(() => ({ since: performance.now(), of: meaning }))
  if (of !== meaning) set({ since: performance.now(), of: meaning })
  if (!isReverse && !isOnce) return {}
  return {
    onClickCapture: (event: ReactMouseEvent) => {
      const { detail, clientX, clientY } = event
      const before = presses[1]
      const isThere = before !== undefined && Math.hypot(before.x - clientX, before.y - clientY) <= JITTER
      const isSecond = isOnce && detail > 1
      if (!isSecond && !(isReverse && isAccident({ age: performance.now() - since, isThere, detail }))) return
      event.preventDefault()
      event.stopPropagation()
    },
  }
}
