/** Counting stops here and reports that there are more, unless an exact count is requested. */
export const maxCount = 10_000
