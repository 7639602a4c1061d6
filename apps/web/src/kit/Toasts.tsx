import { Notifications, useNotifications } from '@mantine/notifications'
import { useEffect } from 'react'

/** Where toasts stand: most at the bottom, those of regulations at the top (spec §8). */
const SIDES = ['bottom', 'top'] as const
/** Buttons of the next action: those filled with the colour of the house. */
const NEXT = '.mantine-Button-root:is(:not([data-variant]), [data-variant="filled"]):not(:disabled)'
const GAP = 12
const LOOK_EVERY_MS = 150
/** How often a stack that has moved may meet another button on its way up. */
const MOST_STEPS = 5

/** The place of toasts: on the right, and beyond whatever next action they would cover there. */
export function Toasts() {
  const standing = useNotifications().notifications.length
  useEffect(() => {
    if (standing === 0) return
    makeRoom()
    const timer = setInterval(makeRoom, LOOK_EVERY_MS)
    return () => clearInterval(timer)
  }, [standing])
  return <Notifications position="bottom-right" limit={4} zIndex={1000} />
}

function makeRoom(): void {
  for (const side of SIDES) {
    const stack = document.querySelector<HTMLElement>(`.mantine-Notifications-root[data-position="${side}-right"]`)
    if (!stack?.hasChildNodes()) continue
    const { left, right, height } = stack.getBoundingClientRect()
    const covered = [...document.querySelectorAll(NEXT)]
      .filter((button) => button.closest('.mantine-Notifications-root') === null)
      .map((button) => button.getBoundingClientRect())
      .filter((button) => button.width > 0 && button.right > left && button.left < right)
      .map(({ top, bottom }) =>
        side === 'top' ? { from: top, to: bottom } : { from: innerHeight - bottom, to: innerHeight - top },
      )
    const away = placeBeyond(covered, height, innerHeight)
    stack.style[side] = away === undefined ? '' : `${away}px`
  }
}

/**
 * How far from its side of the window a stack has to stand so that it covers none of these.
 * @param buttons px from that side
 * @returns undefined: it covers nothing where it stands, or there is no room for it anywhere
 */
export function placeBeyond(
  buttons: readonly { from: number; to: number }[],
  height: number,
  window: number,
): number | undefined {
  let at = GAP
  for (let step = 0; step < MOST_STEPS; step++) {
    const met = buttons.filter(({ from, to }) => from < at + height && to > at)
    if (met.length === 0) return at === GAP ? undefined : at
    at = Math.max(...met.map(({ to }) => to)) + GAP
    if (at + height > window) return undefined
  }
  return undefined
}
