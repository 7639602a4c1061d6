/** Public wording of the available quantity of a product. */

/** Up to this quantity the exact number is shown. */
const FEW = 5
/** Quantities are capped here: the exact stock is not public. */
export const MOST_SHOWN = FEW + 1

/** @param free whole units, at most MOST_SHOWN */
export const stockText = (free: number): string =>
  free > FEW ? 'В наличии' : free > 0 ? `Осталось ${free}` : 'Нет в наличии'

/** Summary over all branches: «Есть в 2 филиалах из 3». */
export function stockSummary(free: readonly number[]): string {
  const [only] = free
  if (only === undefined) return ''
  const there = free.filter((one) => one > 0).length
  if (there === 0 || free.length === 1) return stockText(only > 0 ? only : 0)
  if (there === free.length) return 'Есть во всех филиалах'
  return `Есть в ${there} ${there === 1 ? 'филиале' : 'филиалах'} из ${free.length}`
}
