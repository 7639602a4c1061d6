/** Hours for which a reason that somebody has given opens a sealed record to them: a working shift. */
export const OPENED_HOURS = 8

/** Letters of a reason: a dot is none. */
export const REASON = { min: 5, max: 300 } as const

/** Code of the refusal that asks for a reason. */
export const SEALED = 'sealed'
