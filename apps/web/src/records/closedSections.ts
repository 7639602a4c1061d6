/** Keys of the groups that a person has folded. */
export function readClosed(stored: unknown): { keys: string[] } {
  const keys = (stored as { keys?: unknown } | null)?.keys
  return { keys: Array.isArray(keys) ? keys.filter((key) => typeof key === 'string') : [] }
}
