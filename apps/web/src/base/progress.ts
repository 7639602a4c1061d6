/** Counts operations the user waits for; the thin bar at the top of the window shows it. */

let running = 0
const listeners = new Set<() => void>()

function change(by: number): void {
  running += by
  for (const listener of listeners) listener()
}

export const progress = {
  /** Starts an operation; the returned function ends it, once. */
  begin(): () => void {
    let open = true
    change(1)
    return () => {
      if (open) change(-1)
      open = false
    }
  },
  running: (): boolean => running > 0,
  subscribe(listener: () => void): () => void {
    listeners.add(listener)
    return () => listeners.delete(listener)
  },
}
