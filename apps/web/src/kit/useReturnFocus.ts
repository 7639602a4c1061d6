import { useEffect, useState } from 'react'

/** For a dialog that is taken away rather than closed: gives the focus back to what had it before. */
export function useReturnFocus(enabled = true): void {
  const [before] = useState(focused)
  useEffect(() => {
    if (!enabled) return
    return () => {
      // After the dialog's own trap has let go.
      setTimeout(() => {
        if (before instanceof HTMLElement && before.isConnected && focusIsNowhere()) before.focus()
      })
    }
  }, [before, enabled])
}

/** Nothing has the focus; or a dialog has taken it as a whole, for want of anything better. */
export function focusIsNowhere(): boolean {
  const active = document.activeElement
  return !active || active === document.body || active.matches('[role="dialog"]')
}

/** A line of a menu goes with its menu: the button that has opened it stays. */
function focused(): Element | null {
  const menu = document.activeElement?.closest('[role="menu"]')?.getAttribute('aria-labelledby')
  return (menu && document.getElementById(menu)) || document.activeElement
}
