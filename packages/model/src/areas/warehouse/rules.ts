/** Rules of stock, pure. Quantities are in thousandths where they are added up, so that nothing is lost. */
import { plusDays } from '../../zone.ts'

/** A quantity as a whole number of thousandths. */
export const thousandths = (qty: number): number => Math.round(qty * 1000)
export const ofThousandths = (whole: number): number => whole / 1000

export interface BatchOnHand {
  idBatch: number
  /** Free: on hand less what is reserved for others. */
  free: number
  /** `YYYY-MM-DD`; null: it does not expire. */
  expiry: string | null
  /** Of a quarantine or a recall. */
  blocked: boolean
  /** The order of receipts. */
  received: number
}

export interface Picked {
  picks: { idBatch: number; qty: number }[]
  /** What is missing; 0: nothing. */
  lack: number
}

/** Whether a batch may be given out on a day: not blocked, and good for `margin` days more. */
export const mayGive = (
  { expiry, blocked }: Pick<BatchOnHand, 'expiry' | 'blocked'>,
  day: string,
  margin: number,
): boolean => !blocked && (expiry === null || expiry >= plusDays(day, margin))

/**
 * First expired, first out: by the end of the shelf life, then by receipt (screens.md § 9). What has no end goes last.
 * @param need quantity @param day `YYYY-MM-DD` of the document @param margin days before the end on which it is kept back
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

/** What to order: up to the maximum, once there is less than the minimum (screens.md § 9). */
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

/** Days that the stock lasts at the mean daily use of the last 30 days; null: nothing is used. */
export const daysOfStock = (stock: number, usedIn30: number): number | null =>
  usedIn30 > 0 ? Math.floor((stock * 30) / usedIn30) : null

/** Kopecks of `qty` pieces at a price in rubles, rounded half up. */
export function sumOf(qty: number, price: number): number {
  const kopecks = BigInt(Math.round(price * 100))
  const whole = (BigInt(thousandths(qty)) * kopecks * 2n + 1000n) / 2000n
  return Number(whole) / 100
}
