const openers = new Set<() => void>()

/** Opens the product tour from any place. */
export const openTour = (): void => {
  for (const open of openers) open()
}

/** Registers the shell's tour. @returns unregisters it */
export function onTour(open: () => void): () => void {
  openers.add(open)
  return () => void openers.delete(open)
}
