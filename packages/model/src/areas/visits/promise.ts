/** The price at booking, and how it compares with the price list on the day of the visit (day.md §4, example 14). Pure, on both sides. */
import { formatDay, formatMoney } from '../../format.ts'

/** A line of a visit booked with a promised price: rubles per unit, days `YYYY-MM-DD` of the branch. */
export interface PromisedLine {
  price: number
  /** The price list at booking, and the last day of its validity. */
  promised: number
  until: string
  /** The price list on the day of the visit. */
  listed: number
  day: string
  /** Paid in full before the service. */
  prepaid: boolean
}

/** Price of a line: a prepaid one keeps its price; otherwise the lower of list and promise while the promise is valid, then the list. */
export function priceOfLine({ price, promised, until, listed, day, prepaid }: PromisedLine): number {
  if (prepaid) return price
  return day <= until ? Math.min(listed, promised) : listed
}

/** The quoted price that holds on the day of the visit; null: none does. */
export const fixedPriceOf = ({ price, promised, until, day, prepaid }: PromisedLine): number | null =>
  prepaid ? price : day <= until ? promised : null

/** Explains the price of a line; undefined: it equals the list, and no other price was promised. */
export function promiseWords(line: PromisedLine): string | undefined {
  const { price, promised, until, listed, day, prepaid } = line
  const wanted = priceOfLine({ ...line, prepaid: false })
  const list = `по прайс-листу на день визита ${formatMoney(listed)}`
  if (prepaid && price !== wanted) return `Оплачена заранее полностью, цена не меняется: ${list}`
  // The price is adjusted when the patient arrives.
  if (price !== wanted)
    return price < wanted
      ? `Названная при записи цена действует по ${formatDay(until)}: в день визита будет ${formatMoney(wanted)}`
      : `В день визита будет ${formatMoney(wanted)}: по прайс-листу стало дешевле`
  if (price < listed) return `Цена, названная при записи, действует по ${formatDay(until)}: ${list}`
  if (price < promised) return `По прайс-листу на день визита дешевле, чем при записи: было ${formatMoney(promised)}`
  if (price > promised) return `Цена при записи, ${formatMoney(promised)}, действовала по ${formatDay(until)}`
  return day > until
    ? `Названная при записи цена действует по ${formatDay(until)}: к визиту может измениться`
    : undefined
}
