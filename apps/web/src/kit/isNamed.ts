/** Compares tag names case-insensitively. */
export const isNamed =
  (name: string) =>
  (one: { name: string }): boolean =>
    one.name.toLowerCase() === name.toLowerCase()
