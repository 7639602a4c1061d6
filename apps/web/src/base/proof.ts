/** What is grave is opened by the password again; whoever asked for it waits, and asks anew. */

let answer: ((proven: boolean) => void) | undefined
let asking: Promise<boolean> | undefined
const listeners = new Set<() => void>()
const tell = () => {
  for (const listener of listeners) listener()
}

/** Asks for the password; false: the person has thought better of it. Many that ask at once share one question. */
export function askProof(): Promise<boolean> {
  asking ??= new Promise<boolean>((resolve) => {
    answer = resolve
    tell()
  }).finally(() => {
    asking = answer = undefined
    tell()
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
