/** @param moment ISO @returns the same moment with the offset of the zone: `2026-11-26T09:30:00+04:00` */
export function inZone(moment: string, timeZone: string): string {
  const at = new Date(moment)
  const wall = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' })
    .format(at)
    .replace(' ', 'T')
  const minutes = Math.round((Date.parse(`${wall}Z`) - at.getTime()) / 60_000)
  const [sign, size] = [minutes < 0 ? '-' : '+', Math.abs(minutes)]
  const two = (number: number) => String(number).padStart(2, '0')
  return `${wall}${sign}${two(Math.floor(size / 60))}:${two(size % 60)}`
}
