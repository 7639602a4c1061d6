/** Rules of stock. Pure. Sums use thousandths, to stay exact. */
import { plusDays } from '../../zone.ts'

/** Quantity in thousandths. */
export const thousandths = (qty: number): number => Math.round(qty * 1000)
export const ofThousandths = (whole: number): number => whole / 1000

export interface BatchOnHand {
  idBatch: number
  /** On hand minus reserved for others. */
  free: number
  /** `YYYY-MM-DD`; null: no expiry. */
  expiry: string | null
  /** In quarantine or recalled. */
  blocked: boolean
  /** Order of receipt. */
  received: number
}

export interface Picked {
  picks: { idBatch: number; qty: number }[]
  /** Missing quantity; 0: none. */
  lack: number
}

/** True when a batch may be issued on a day: not blocked, and valid for `margin` more days. */
export const mayGive = (
  { expiry, blocked }: Pick<BatchOnHand, 'expiry' | 'blocked'>,
  day: string,
  margin: number,
): boolean => !blocked && (expiry === null || expiry >= plusDays(day, margin))

/**
 * First expired, first out: by expiry, then by receipt (screens.md § 9). Batches without expiry come last.
 * @param need quantity @param day `YYYY-MM-DD` of the document @param margin days before expiry from which a batch is
 * held back
 */
export function pickFefo(batches: readonly BatchOnHand[], need: number, day: string, margin = 0): Picked {
  const order = batches
    .filter((batch) => batch.free > 0 && mayGive(batch, day, margin))
    .toSorted(
      (a, b) =>
        (a.expiry ?? '9999').localeCompare(b.expiry ?? '9999') || a.received - b.received || a.idBatch - b.idBatch,
    )
  let left = thousandths(need)
  const picks: Picked['picks'] = []
  for (const { idBatch, free } of order) {
    if (left <= 0) break
    const taken = Math.min(left, thousandths(free))
    picks.push({ idBatch, qty: ofThousandths(taken) })
    left -= taken
  }
  return { picks, lack: ofThousandths(left) }
}

/** Quantity to order: up to the maximum, once the stock is below the minimum (screens.md § 9). */
export function orderOf({
  stock,
  inTransit,
  min,
  max,
}: {
  stock: number
  inTransit: number
  min: number | null
  max: number | null
}): number {
  if (min === null || stock >= min) return 0
  return Math.max(0, ofThousandths(thousandths(max ?? min) - thousandths(stock) - thousandths(inTransit)))
}

/** Days of stock at the mean daily use of the last 30 days; null: no use. */
export const daysOfStock = (stock: number, usedIn30: number): number | null =>
  usedIn30 > 0 ? Math.floor((stock * 30) / usedIn30) : null

/** Kopecks of `qty` units at a price in rubles, rounded half up. */
export function sumOf(qty: number, price: number): number {
  const kopecks = BigInt(Math.round(price * 100))
  const whole = (BigInt(thousandths(qty)) * kopecks * 2n + 1000n) / 2000n
  return Number(whole) / 100
}
