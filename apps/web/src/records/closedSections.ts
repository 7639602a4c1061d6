/** Keys of the groups that the user has collapsed. */
export function readClosed(stored: unknown): { keys: string[] } {
  const keys = (stored as { keys?: unknown } | null)?.keys
  return { keys: Array.isArray(keys) ? keys.filter((key) => typeof key === 'string') : [] }
}
