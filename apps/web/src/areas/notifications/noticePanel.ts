import { useEffect } from 'react'

const openers = new Set<() => void>()

/** Opens the notification centre. */
export const openNotices = (): void => {
  for (const open of openers) open()
}

/** Registers the bell's panel. */
export function useNoticesOpener(open: () => void): void {
  useEffect(() => {
    openers.add(open)
    return () => void openers.delete(open)
  }, [open])
}
