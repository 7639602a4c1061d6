import * as clock from '#kit/clock.ts'

/** Today where the person is, `YYYY-MM-DD`. */
export const today = (): string => clock.today()
