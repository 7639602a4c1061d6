import * as clock from '#kit/clock.ts'

/** Today in the user's time zone, `YYYY-MM-DD`. */
export const today = (): string => clock.today()
