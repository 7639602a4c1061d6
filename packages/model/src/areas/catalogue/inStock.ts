/** What visitors and patients are told of how much of a product is free. */

/** Up to so many the number is told: who reads it should hurry. */
const FEW = 5
/** What is free counts no further: how much the clinic has in stock is its own matter. */
export const MOST_TOLD = FEW + 1

/** @param free whole units, at most MOST_TOLD */
export const stockText = (free: number): string =>
  free > FEW ? 'В наличии' : free > 0 ? `Осталось ${free}` : 'Нет в наличии'

/** Of all branches at once: «Есть в 2 филиалах из 3». */
export function stockSummary(free: readonly number[]): string {
  const [only] = free
  if (only === undefined) return ''
  const there = free.filter((one) => one > 0).length
  if (there === 0 || free.length === 1) return stockText(only > 0 ? only : 0)
  if (there === free.length) return 'Есть во всех филиалах'
  return `Есть в ${there} ${there === 1 ? 'филиале' : 'филиалах'} из ${free.length}`
}
