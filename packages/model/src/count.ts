/** A count goes up to here, and then says that there are more, unless an exact one is asked for. */
export const maxCount = 10_000
