import { useEffect, useState } from 'react'

/** For a dialog that is taken away rather than closed: gives the focus back to what had it before. */
export function useReturnFocus(): void {
  const [before] = useState(() => document.activeElement)
  useEffect(
    () => () => {
      // After the dialog's own trap has let go.
      setTimeout(() => {
        if (before instanceof HTMLElement && before.isConnected && document.activeElement === document.body)
          before.focus()
      })
    },
    [before],
  )
}
