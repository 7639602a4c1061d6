import { useEffect } from 'react'

const openers = new Set<() => void>()

/** Opens the notification centre from wherever its number is shown. */
export const openNotices = (): void => {
  for (const open of openers) open()
}

/** The bell offers its panel. */
export function useNoticesOpener(open: () => void): void {
  useEffect(() => {
    openers.add(open)
    return () => void openers.delete(open)
  }, [open])
}
