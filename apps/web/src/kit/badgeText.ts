/** Maximum number shown in a badge. */
const MOST = 99

/** «5», «99+». */
export const badgeText = (count: number): string => (count > MOST ? `${MOST}+` : String(count))
