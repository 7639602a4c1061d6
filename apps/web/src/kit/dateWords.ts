import { parseDate, parseTime } from '@ordinator/model/format'
import { plusDays } from '@ordinator/model/zone'

/** Dates in words: «завтра», «пт 15:00», «через неделю», «5.12», «25 ноября». Pure: `today` is a parameter. */

const named: Record<string, number> = { позавчера: -2, вчера: -1, сегодня: 0, завтра: 1, послезавтра: 2 }
/** From Sunday, as in Date. */
const weekdays = [
  /^вс$|^воскресенье$/,
  /^пн$|^понедельник$/,
  /^вт$|^вторник$/,
  /^ср$|^сред[ау]$/,
  /^чт$|^четверг$/,
  /^пт$|^пятниц[ау]$/,
  /^сб$|^суббот[ау]$/,
]
const months = ['янв', 'фев', 'мар', 'апр', 'ма', 'июн', 'июл', 'авг', 'сен', 'окт', 'ноя', 'дек']
const numbers: Record<string, number> = {
  один: 1,
  одну: 1,
  два: 2,
  две: 2,
  три: 3,
  четыре: 4,
  пять: 5,
  шесть: 6,
  семь: 7,
}
const MOST_AHEAD = 1_000

const utc = (day: string) => new Date(`${day}T00:00:00Z`)
const dayOf = (date: Date) => date.toISOString().slice(0, 10)

/** A day so many months later; in a shorter month its last day. */
function monthsLater(day: string, count: number): string {
  const date = utc(day)
  const wanted = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + count + 1, 0))
  return dayOf(
    new Date(
      Math.min(wanted.getTime(), Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + count, date.getUTCDate())),
    ),
  )
}

/** The nearest date of a day without a year. */
function nearest(day: number, month: number, today: string): string | null {
  const year = Number(today.slice(0, 4))
  const apart = (one: string) => Math.abs(utc(one).getTime() - utc(today).getTime())
  const found = [year - 1, year, year + 1].flatMap((one) => parseDate(`${day}.${month}.${one}`) ?? [])
  return found.sort((a, b) => apart(a) - apart(b))[0] ?? null
}

const readers: readonly ((
  words: readonly string[],
  today: string,
) => { day: string | null; taken: number } | undefined)[] = [
  ([first = ''], today) => {
    const days = Object.hasOwn(named, first) ? named[first] : undefined
    return days === undefined ? undefined : { day: plusDays(today, days), taken: 1 }
  },
  (words, today) => {
    const at = words[0] === 'в' || words[0] === 'во' ? 1 : 0
    const weekday = weekdays.findIndex((one) => one.test(words[at] ?? ''))
    if (weekday < 0) return undefined
    // On a Friday, «пятница» is the next one.
    const ahead = (weekday - utc(today).getUTCDay() + 7) % 7 || 7
    return { day: plusDays(today, ahead), taken: at + 1 }
  },
  (words, today) => {
    if (words[0] !== 'через') return undefined
    const given = numbers[words[1] ?? ''] ?? (/^\d{1,3}$/.test(words[1] ?? '') ? Number(words[1]) : undefined)
    const count = given ?? 1
    const unit = words[given === undefined ? 1 : 2] ?? ''
    const taken = given === undefined ? 2 : 3
    if (count > MOST_AHEAD) return { day: null, taken }
    if (/^(день|дня|дней)$/.test(unit)) return { day: plusDays(today, count), taken }
    if (/^недел[юиь]$/.test(unit)) return { day: plusDays(today, count * 7), taken }
    if (/^месяц(а|ев)?$/.test(unit)) return { day: monthsLater(today, count), taken }
    if (/^(год|года|лет)$/.test(unit)) return { day: monthsLater(today, count * 12), taken }
    return undefined
  },
  ([first = '', second = '', third = ''], today) => {
    const month = months.findIndex((start) => second.startsWith(start)) + 1
    if (!/^\d{1,2}$/.test(first) || month === 0) return undefined
    if (/^\d{4}$/.test(third)) return { day: parseDate(`${first}.${month}.${third}`), taken: 3 }
    return { day: nearest(Number(first), month, today), taken: 2 }
  },
  ([first = ''], today) => {
    const whole = parseDate(first)
    if (whole) return { day: whole, taken: 1 }
    const [, day, month, year] = /^(\d{1,2})\.(\d{1,2})(?:\.(\d{2}))?\.?$/.exec(first) ?? []
    if (!day || !month) return undefined
    return { day: year ? parseDate(`${day}.${month}.20${year}`) : nearest(Number(day), Number(month), today), taken: 1 }
  },
]

export interface ReadMoment {
  /** 'YYYY-MM-DD' */
  day: string
  /** 'HH:mm', if given. */
  time?: string
}

/** Day and time of a text, or null. A time alone is today. */
export function readWords(text: string, today: string): ReadMoment | null {
  const words = text
    .trim()
    .toLowerCase()
    .replaceAll('ё', 'е')
    .split(/[\s,]+/)
    .filter(Boolean)
  if (words.length === 0) return null
  const found = readers.map((read) => read(words, today)).find((one) => one !== undefined)
  if (found && !found.day) return null
  const rest = words.slice(found?.taken ?? 0)
  if (rest[0] === 'в' || rest[0] === 'к') rest.shift()
  if (rest.length === 0) return found?.day ? { day: found.day } : null
  // A number alone is not a time: it may be the beginning of a date.
  const time = rest.length === 1 && (found || rest[0]?.includes(':')) ? parseTime(rest[0] as string) : null
  return time ? { day: found?.day ?? today, time } : null
}
