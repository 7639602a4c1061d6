/** Money as whole kopecks: exact, since no float is multiplied. Pure, on both sides. */

/** A priced line as it is on the wire: rubles for one. */
export interface LinePrice {
  quantity: number
  price: number | null
}

/** A decimal of at most `scale` digits as a whole number of its last digit. */
export const scaled = (value: number, scale: number): bigint => BigInt(value.toFixed(scale).replace('.', ''))

/** Kopecks of rubles. */
export const kopecks = (rubles: number): bigint => scaled(rubles, 2)

/** Rubles of kopecks, as the wire has them: exact up to 10^13. */
export const rubles = (of: bigint): number => Number(of) / 100

/** Kopecks of quantity × price, rounded half up as SQL does it. */
export const lineKopecks = ({ quantity, price }: LinePrice): bigint =>
  half(scaled(quantity, 3) * kopecks(price ?? 0), 1000n)

/** A quotient of numbers that are not negative, rounded half up. */
export const half = (value: bigint, by: bigint): bigint => (2n * value + by) / (2n * by)

/**
 * A sum shared out in proportion to weights, to the kopeck. What the rounding leaves goes to the largest of them, the
 * first of equals; no share is above its weight.
 * @param total at most the sum of the weights, none of them negative
 */
export function split(total: bigint, weights: readonly bigint[]): bigint[] {
  const whole = weights.reduce((sum, one) => sum + one, 0n)
  if (whole === 0n) return weights.map(() => 0n)
  const shares = weights.map((one) => (total * one) / whole)
  let left = total - shares.reduce((sum, one) => sum + one, 0n)
  const largest = weights
    .map((_, at) => at)
    .sort((a, b) => Number((weights[b] as bigint) - (weights[a] as bigint)) || a - b)
  for (const at of largest) {
    const room = (weights[at] as bigint) - (shares[at] as bigint)
    const more = left < room ? left : room
    shares[at] = (shares[at] as bigint) + more
    left -= more
  }
  return shares
}

/**
 * What of a line's sum is given back for `parts` of its `of` equal parts, after some have been before: so that any
 * refunds of the whole line sum up to it.
 * @param before parts that were given back earlier
 */
export const refundOf = (total: bigint, of: bigint, parts: bigint, before = 0n): bigint =>
  half(total * (before + parts), of) - half(total * before, of)
