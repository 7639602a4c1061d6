/** The price that was told when a visit was booked, and what the list says by its day (day.md §4, example 14). Pure, on both sides. */
import { formatDay, formatMoney } from '../../format.ts'

/** A line of a visit that was booked at a told price: rubles for one, days `YYYY-MM-DD` of the branch. */
export interface PromisedLine {
  price: number
  /** By the list of the day on which it was booked, and the last day that this holds for. */
  promised: number
  until: string
  /** By the list of the visit's day. */
  listed: number
  day: string
  /** All of it was paid before it was given. */
  prepaid: boolean
}

/** What a line costs: what is paid is as it was paid; else the lower of list and promise while this holds, then the list. */
export function priceOfLine({ price, promised, until, listed, day, prepaid }: PromisedLine): number {
  if (prepaid) return price
  return day <= until ? Math.min(listed, promised) : listed
}

/** Why a line costs what it does, or what it will; undefined: as the list says, and nobody has told another price. */
export function promiseWords(line: PromisedLine): string | undefined {
  const { price, promised, until, listed, day, prepaid } = line
  const wanted = priceOfLine({ ...line, prepaid: false })
  const list = `по прайс-листу на день визита ${formatMoney(listed)}`
  if (prepaid && price !== wanted) return `Оплачена заранее полностью, цена не меняется: ${list}`
  // It is brought to that when the patient comes.
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
