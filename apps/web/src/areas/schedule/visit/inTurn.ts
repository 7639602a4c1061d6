const last = new Map<number | string, Promise<unknown>>()

/** Runs what is asked for one visit, or group, after what was asked for it before, however quickly the keys follow each other. */
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
