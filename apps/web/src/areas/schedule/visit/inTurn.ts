const last = new Map<number, Promise<unknown>>()

/** Runs what is asked for one visit after what was asked for it before, however quickly the keys follow each other. */
export function inTurn<T>(idVisit: number, run: () => Promise<T>): Promise<T> {
  const before = last.get(idVisit) ?? Promise.resolve()
  const next = before.catch(() => undefined).then(run)
  last.set(idVisit, next)
  const forget = () => {
    if (last.get(idVisit) === next) last.delete(idVisit)
  }
  next.then(forget, forget)
  return next
}
