/** Tags of one name are one tag, however it is written. */
export const isNamed =
  (name: string) =>
  (one: { name: string }): boolean =>
    one.name.toLowerCase() === name.toLowerCase()
