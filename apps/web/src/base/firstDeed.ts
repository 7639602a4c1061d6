import { useEffect } from 'react'

const deeds = ['pointermove', 'pointerdown', 'keydown'] as const

/**
 * Loads code with the user's first movement or key on the page: after the page stands, and before what it is for is
 * opened.
 * @param load a constant function; its failure is that of the place where the code is shown
 */
export function useFirstDeed(load: () => Promise<unknown>): void {
  useEffect(() => {
    const ahead = () => {
      stop()
      load().catch(() => {})
    }
    const stop = () => {
      for (const deed of deeds) removeEventListener(deed, ahead)
    }
    for (const deed of deeds) addEventListener(deed, ahead)
    return stop
  }, [load])
}
