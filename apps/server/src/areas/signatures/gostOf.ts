import { type Gost, openGost } from '#platform/gost.ts'
import type { AppContext } from '#records/context.ts'

const known = new WeakMap<object, Gost>()

/** The ГОСТ engine of this server. */
export function gostOf(app: Pick<AppContext, 'scratch'>): Gost {
  const there = known.get(app)
  if (there) return there
  const made = openGost(app.scratch)
  known.set(app, made)
  return made
}
