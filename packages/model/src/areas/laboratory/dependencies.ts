/**
 * What follows from what in a laboratory, in one place: whoever changes a fact has its followers redone by
 * `settleValue`, which every writer of a value calls. Pure.
 */

/** Facts that people, devices and other areas change. */
export const facts = ['value', 'norm', 'patient', 'tube'] as const
export type Fact = (typeof facts)[number]

/** What is computed, each after everything it takes. */
const takes = {
  /** Counted by a formula: a new value of its own. */
  derived: ['value', 'tube'],
  /** The norm and the side of it; of a published value a question to its approver. */
  flag: ['value', 'norm', 'patient', 'tube', 'derived'],
  /** A call about a critical value, and who is rung. */
  call: ['value', 'tube', 'derived', 'flag'],
  /** The order's state and printed form: a form in the patient's hands is issued again. */
  paper: ['value', 'derived', 'flag'],
} as const satisfies Record<string, readonly string[]>
export type Follower = keyof typeof takes

/** What must be redone after these facts, each after what it takes. */
export function followersOf(changed: readonly Fact[]): Follower[] {
  const moved = new Set<string>(changed)
  const found: Follower[] = []
  for (const [follower, from] of Object.entries(takes) as [Follower, readonly string[]][])
    if (from.some((one) => moved.has(one))) {
      moved.add(follower)
      found.push(follower)
    }
  return found
}
