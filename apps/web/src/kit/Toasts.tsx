import '@mantine/core/styles/Notification.layer.css'
import '@mantine/notifications/styles.layer.css'
import { Notifications, notifications, notificationsStore, useNotifications } from '@mantine/notifications'
import { useEffect } from 'react'

/** Positions of toasts: most at the bottom, those of regulations at the top (spec §8). */
const SIDES = ['bottom', 'top'] as const
/** Buttons of the next action: those filled with the accent colour, also while they wait for the text to be typed. */
const NEXT = '.mantine-Button-root:is(:not([data-variant]), [data-variant="filled"])'
const GAP = 12
const LOOK_EVERY_MS = 150
/** How often a moved stack may hit another button on its way up. */
const MOST_STEPS = 5

/** The place of toasts: on the right, moved away from a next-action button they would cover. */
export default function Toasts() {
  const standing = useNotifications().notifications.length
  useEffect(() => {
    if (standing === 0) return
    makeRoom()
    const timer = setInterval(makeRoom, LOOK_EVERY_MS)
    return () => clearInterval(timer)
  }, [standing])
  return <Notifications position="bottom-right" limit={4} zIndex={1000} />
}

/** Mantine's store of toasts; `keep` lets a toast stand until it is closed. */
export const stack = {
  show: (toast: Parameters<typeof notifications.show>[0]) => void notifications.show(toast),
  hide: (id: string) => void notifications.hide(id),
  keep(id: string): void {
    const standing = notificationsStore.getState().notifications.find((one) => one.id === id)
    if (standing) notifications.update({ ...standing, id, autoClose: false })
  },
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
 * Distance from the edge of the window at which a stack covers none of these buttons.
 * @param buttons px from that edge
 * @returns undefined: it covers nothing at its default place, or there is no room anywhere
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
