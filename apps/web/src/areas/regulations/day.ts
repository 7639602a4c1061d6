/** Today where the person is, `YYYY-MM-DD`. */
export const today = (): string => new Date().toLocaleDateString('sv-SE')
