/** A badge counts no further. */
const MOST = 99

/** «5», «99+». */
export const badgeText = (count: number): string => (count > MOST ? `${MOST}+` : String(count))
