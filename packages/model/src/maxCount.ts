/** Records that a list counts one by one; beyond them it says only that there are more, unless `count=exact` is asked. */
export const maxCount = 10_000
