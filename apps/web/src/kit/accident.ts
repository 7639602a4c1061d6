import { type MouseEvent, useRef, useState } from 'react'

/** Milliseconds in which a button that has just come is pressed only by a pointer that was moved to it. */
const SETTLE_MS = 1_000

interface Press {
  /** Milliseconds since the button came. */
  age: number
  /** The pointer was moved over the button since. */
  isMoved: boolean
  /** `detail` of the click: 0 by the keyboard. */
  detail: number
}

/** True for the second press of a double click, or an impatient one, that meant the button which stood there before. */
export const isAccident = ({ age, isMoved, detail }: Press): boolean => detail > 0 && !isMoved && age < SETTLE_MS

/** For a button that takes something back: a pointer that pressed what stood there before does not press it. */
export function useAccident(isGuarded: boolean) {
  const [since] = useState(() => performance.now())
  const moved = useRef(false)
  if (!isGuarded) return {}
  return {
    onPointerMove: () => {
      moved.current = true
    },
    onClickCapture: (event: MouseEvent) => {
      if (!isAccident({ age: performance.now() - since, isMoved: moved.current, detail: event.detail })) return
      event.preventDefault()
      event.stopPropagation()
    },
  }
}
