import type { Command } from './commands.ts'
import { stored, write } from './stored.ts'

const KEY = 'ordinator:commands'

/** Usage counts of palette commands in this browser; cleared at the sign-out. */
function uses(): Record<string, number> {
  const kept = stored(KEY)
  return typeof kept === 'object' && kept !== null ? (kept as Record<string, number>) : {}
}

export function noteUse({ id }: Command): void {
  const known = uses()
  write(KEY, { ...known, [id]: (known[id] ?? 0) + 1 })
}

export const isUsed = ({ id }: Command): boolean => (uses()[id] ?? 0) > 0

/** Keeps the groups, and sorts each by use; of unused commands the rare ones come last. */
export function byUse(commands: readonly Command[]): Command[] {
  const known = uses()
  const times = ({ id }: Command) => known[id] ?? 0
  return [...Map.groupBy(commands, ({ group }) => group).values()].flatMap((group) =>
    group.toSorted((a, b) => times(b) - times(a) || Number(a.rare ?? false) - Number(b.rare ?? false)),
  )
}
