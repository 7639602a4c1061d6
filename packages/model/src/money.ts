/** Money in whole kopecks: exact, without float arithmetic. Pure, on both sides. */

/** A priced line in wire format: rubles per unit. */
export interface LinePrice {
  quantity: number
  price: number | null
}

/** A decimal of at most `scale` digits as an integer in units of its last digit. */
export const scaled = (value: number, scale: number): bigint => BigInt(value.toFixed(scale).replace('.', ''))

/** Converts rubles to kopecks. */
export const kopecks = (rubles: number): bigint => scaled(rubles, 2)

/** Converts kopecks to rubles in wire format: exact up to 10^13. */
export const rubles = (of: bigint): number => Number(of) / 100

/** Kopecks of quantity × price, rounded half up as in SQL. */
export const lineKopecks = ({ quantity, price }: LinePrice): bigint =>
  half(scaled(quantity, 3) * kopecks(price ?? 0), 1000n)

/** A quotient of non-negative numbers, rounded half up. */
export const half = (value: bigint, by: bigint): bigint => (2n * value + by) / (2n * by)

/**
 * Splits a sum in proportion to weights, to the kopeck. The rounding remainder goes to the largest weight, the first of
 * equal ones; no share exceeds its weight.
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
 * The part of a line's sum to refund for `parts` of its `of` equal parts, after earlier refunds: any refunds of the whole
 * line add up to its sum.
 * @param before parts refunded earlier
 */
export const refundOf = (total: bigint, of: bigint, parts: bigint, before = 0n): bigint =>
  half(total * (before + parts), of) - half(total * before, of)
