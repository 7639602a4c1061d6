/** Hours for which a user's reason opens a sealed record to them: a working shift. */
export const OPENED_HOURS = 8

/** Length of a reason: a single dot is not enough. */
export const REASON = { min: 5, max: 300 } as const

/** Error code of a refusal that requires a reason. */
export const SEALED = 'sealed'
