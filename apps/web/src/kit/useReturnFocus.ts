import { useEffect, useState } from 'react'

/** For a dialog that is unmounted rather than closed: restores the previous focus. */
export function useReturnFocus(enabled = true): void {
  const [before] = useState(focused)
  useEffect(() => {
    if (!enabled) return
    return () => {
      // After the dialog's focus trap has been released.
      setTimeout(() => {
        if (before instanceof HTMLElement && before.isConnected && focusIsNowhere()) before.focus()
      })
    }
  }, [before, enabled])
}

/** True when nothing has the focus, or only a dialog as a whole. */
export function focusIsNowhere(): boolean {
  const active = document.activeElement
  return !active || active === document.body || active.matches('[role="dialog"]')
}

/** A menu item disappears with its menu: use the button that opened it. */
function focused(): Element | null {
  const menu = document.activeElement?.closest('[role="menu"]')?.getAttribute('aria-labelledby')
  return (menu && document.getElementById(menu)) || document.activeElement
}
