const last = new Map<number | string, Promise<unknown>>()

/** Runs actions on the same visit or group in sequence, however fast the keys are pressed. */
export function inTurn<T>(of: number | string, run: () => Promise<T>): Promise<T> {
  const before = last.get(of) ?? Promise.resolve()
  const next = before.catch(() => undefined).then(run)
  last.set(of, next)
  const forget = () => {
    if (last.get(of) === next) last.delete(of)
  }
  next.then(forget, forget)
  return next
}
