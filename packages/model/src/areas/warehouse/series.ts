/** Series and terms as packs and papers have them. Pure. */
import { isDay } from '../../fields/date.ts'

const CYRILLIC = 'АВЕЗКМНОРСТУХЅІ'
const LATIN = 'ABE3KMHOPCTYXSI'

/**
 * A series by what people see: without spaces, in capitals, letters that look alike taken as one, and so `О` and `З` as
 * zero and three.
 */
export const seriesKey = (series: string): string =>
  Array.from(
    series
      .toUpperCase()
      .replace(/\s+/g, '')
      .replace(/[‐-―−]/g, '-'),
    (char) => {
      const at = CYRILLIC.indexOf(char)
      const letter = at < 0 ? char : (LATIN[at] as string)
      return letter === 'O' ? '0' : letter
    },
  ).join('')

const months = ['янв', 'фев', 'мар', 'апр', 'ма', 'июн', 'июл', 'авг', 'сен', 'окт', 'ноя', 'дек']
const two = (value: string | number): string => String(value).padStart(2, '0')
const yearOf = (year: string): string => (year.length === 2 ? `20${year}` : year)

/** The last day of a month; null for a month that is none. */
function endOf(year: string, month: number): string | null {
  if (month < 1 || month > 12) return null
  const last = new Date(Date.UTC(Number(year), month, 0)).getUTCDate()
  return `${year}-${two(month)}-${two(last)}`
}

/**
 * A term of validity as packs have it: `31.12.2027`, `2027-12-31`, `03.2027`, `03/27`, `2027-03`, `март 2027`. A month
 * means its last day (ГОСТ Р 51074).
 * @returns `YYYY-MM-DD`; null: unreadable
 */
export function readExpiry(text: string): string | null {
  const written2 = text
    .trim()
    .toLowerCase()
    .replace(/^(?:годен\s+)?до\s+/, '')
    .replace(/\s*г(?:\.|ода)?$/, '')
  const day = (y: string, m: string, d: string) => {
    const found = `${yearOf(y)}-${two(m)}-${two(d)}`
    return isDay(found) ? found : null
  }
  const written = /^(\d{1,2})[./-](\d{1,2})[./-](\d{4}|\d\d)(?:\s.*)?$/.exec(written2)
  if (written) return day(written[3] as string, written[2] as string, written[1] as string)
  const iso = /^(\d{4})[-./](\d{1,2})[-./](\d{1,2})(?:[t\s].*)?$/.exec(written2)
  if (iso) return day(iso[1] as string, iso[2] as string, iso[3] as string)
  const month = /^(\d{1,2})[./-](\d{4}|\d\d)$/.exec(written2)
  if (month) return endOf(yearOf(month[2] as string), Number(month[1]))
  const turned = /^(\d{4})[-./](\d{1,2})$/.exec(written2)
  if (turned) return endOf(turned[1] as string, Number(turned[2]))
  const named = /^([а-я]{3,8})\.?\s+(\d{4}|\d\d)$/.exec(written2)
  if (!named) return null
  const at = months.findIndex((one) => (named[1] as string).startsWith(one))
  return endOf(yearOf(named[2] as string), at + 1)
}
