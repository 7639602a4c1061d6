const openers = new Set<() => void>()

/** Opens the first acquaintance with the product from wherever it is offered. */
export const openTour = (): void => {
  for (const open of openers) open()
}

/** The shell shows it. @returns what takes the offer back */
export function onTour(open: () => void): () => void {
  openers.add(open)
  return () => void openers.delete(open)
}
