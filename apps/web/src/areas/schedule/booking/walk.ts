import type { KeyboardEvent } from 'react'

/** Arrow keys move between times. */
export function walk(event: KeyboardEvent<HTMLElement>): void {
  const way = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key]
  if (way === undefined) return
  const times = [...event.currentTarget.querySelectorAll<HTMLElement>('[data-time]')]
  const next = times[times.indexOf(event.target as HTMLElement) + way]
  if (!next) return
  event.preventDefault()
  next.focus()
}
