/** Re-entry of the password for critical actions; the refused call waits and is repeated. */

let answer: ((proven: boolean) => void) | undefined
let asking: Promise<boolean> | undefined
const listeners = new Set<() => void>()
const notifyAll = () => {
  for (const listener of listeners) listener()
}

/** Asks for the password; false: cancelled. Concurrent calls share one dialog. */
export function askProof(): Promise<boolean> {
  asking ??= new Promise<boolean>((resolve) => {
    answer = resolve
    notifyAll()
  }).finally(() => {
    asking = answer = undefined
    notifyAll()
  })
  return asking
}

export const proofState = {
  get: () => answer,
  subscribe(listener: () => void): () => void {
    listeners.add(listener)
    return () => listeners.delete(listener)
  },
}
