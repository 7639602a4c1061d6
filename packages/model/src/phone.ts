import { numberSpelling } from './spelling.ts'

/** Digits of a phone number (spec §5: a group of three, three, and four to six). */
const MIN_DIGITS = 10
const MAX_DIGITS = 12

/**
 * E.164 of a number in any usual format: `8 (999) 123-45-67`, `9991234567`, `+7 999 123 45 67` → `+79991234567`.
 * @returns undefined when it is not a complete number
 */
export function phoneOf(written: string): string | undefined {
  const text = bare(written)
  if (!/^[\d\s()+.-]+$/.test(text)) return undefined
  const plus = text.startsWith('+')
  const all = text.replace(/\D/g, '')
  // «+7 8 916…», «7 8 916…», «+7 +7 916…», «+8 916…»: a doubled country code, or a misplaced trunk prefix 8.
  const isTwice = all.length === 12 && (plus ? /^7[78][3489]/ : /^[78][78][3489]/).test(all)
  const digits = isTwice ? `7${all.slice(2)}` : all
  if (plus && digits.length === 11 && (/^89/.test(digits) || /^\+8[\s(]/.test(text))) return `+7${digits.slice(1)}`
  if (digits.length < MIN_DIGITS || digits.length > MAX_DIGITS) return undefined
  if (digits.length === 10 && !plus) return `+7${digits}`
  if (digits.length === 11 && !plus && /^[78]/.test(digits)) return `+7${digits.slice(1)}`
  return `+${digits}`
}

/**
 * Separates a number from the words typed with it: «Иванова Анна 8 912 000-00-00».
 * @returns the number as typed, empty without one
 */
export function splitPhone(typed: string): { phone: string; words: string } {
  const phone = /(?:^|\s)(\+?\d[\d\s()-]{4,})(?=\s|$)/.exec(typed.trim())?.[1]?.trim() ?? ''
  return { phone, words: typed.replace(phone, ' ').replace(/\s+/g, ' ').trim() }
}

/** A number in a spreadsheet's notation, without loss of digits: `7.9161112233E+10`. */
const POWER = /^(\d)[.,](\d{8,11})E\+?(1[01])$/i

/** Words before a number that do not identify its owner. */
const LABEL =
  /^(?:телефон|тел|моб(?:ильный)?|сот(?:овый)?|раб(?:очий)?|дом(?:ашний)?|т|м|tel|callto|phone|mob)\s?[.:]{1,2}\s*/i

/**
 * Strips what spreadsheets, links and dialling add to a number: `79161112233.0`, `'+7916…`,
 * `tel:+7916…`, `00 7 916…`, `8 10 49…`.
 */
function bare(written: string): string {
  const text = numberSpelling(written)
    .replace(LABEL, '')
    .replace(/[\s;,.]+$/, '')
    .replace(/^(\+?\d{10,12})[.,]0+$/, '$1')
  const [, first = '', rest = '', power] = POWER.exec(text) ?? []
  if (power) return rest.length <= Number(power) ? first + rest.padEnd(Number(power), '0') : ''
  return text
    .replace(/^00[\s-]?(?=[1-9][\d\s()-]{9,})/, '+')
    .replace(/^8[\s-]?10[\s-]?(?=[1-9](?:[\s()-]*\d){9,}$)/, '+')
}

/** Digits of the longest possible number (E.164), and of the shortest local one. */
const LONGEST = 15
const LOCAL = 6

/**
 * A number as reported by a telephone exchange: E.164 if complete, else the digits as received: a local one of 6 or 7, a
 * foreign one of 13. @returns undefined when it is not an external number
 */
export function phoneFromExchange(written: string): string | undefined {
  const whole = phoneOf(written)
  if (whole) return whole
  const text = bare(written)
  const digits = text.replace(/\D/g, '')
  if (!/^[\d\s()+.-]+$/.test(text) || digits.length < LOCAL || digits.length > LONGEST) return undefined
  return digits.length > MAX_DIGITS ? `+${digits}` : digits
}

export interface PhonesRead {
  /** E.164, in order. */
  phones: string[]
  /** The rest of the text: an extension, a name. */
  note: string
}

/** The numbers in a cell, and the rest of its text: `8 (495) 111-22-33 доб. 5`, `8 916 111-22-33, 8 916 444-55-66 мама`. */
export function phonesIn(written: string): PhonesRead {
  const whole = phoneOf(written)
  if (whole) return { phones: [whole], note: '' }
  const phones: string[] = []
  const notes: string[] = []
  for (const part of numberSpelling(written).split(/[,;/|\n]+|\s+или\s+|\s+и\s+/iu)) {
    let left = part.trim()
    // «8 916… мама 8 916… папа»: several numbers, each with its text.
    while (left) {
      const [, before = '', most = '', rest = ''] = /^([^\d+(]*)(\+?[\d\s().-]*\d)(.*)$/su.exec(left) ?? []
      const [head, tail] = phoneOf(most) ? [most, rest] : firstOf(most, rest)
      const phone = phoneOf(head)
      if (!phone) {
        notes.push(left)
        break
      }
      if (!phones.includes(phone)) phones.push(phone)
      const whose = before.trim()
      if (whose && `${whose}:`.replace(LABEL, '') !== '') notes.push(whose)
      left = tail.trim()
    }
  }
  return { phones, note: notes.join(', ') }
}

/** The first of numbers written one after another without a separator, and what follows: «8 916 111-22-33 8 916 …». */
function firstOf(written: string, rest: string): [string, string] {
  const [, head, left] = /^(\+?[78]?[\s().-]*\d(?:[\s().-]*\d){9})[\s.-]*(?:(?<!\d)|(?=\())(\S.*)$/s.exec(written) ?? []
  return head === undefined ? [written, rest] : [head, (left ?? '') + rest]
}

/** Fewer digits match almost every number. */
const FEWEST_DIGITS = 3

/**
 * Search strings for stored phones and other numbers, in each interpretation: `8 (916) 111-22-33` → `+79161112233` (a phone)
 * and `89161112233` (a СНИЛС may begin so), `8 916` → `916`, `22-33` → `2233`.
 * @returns nothing when it is not a number, or too short
 */
export function soughtDigits(written: string): string[] {
  const text = numberSpelling(written)
  if (!/^[\d\s()+.-]+$/.test(text)) return []
  const digits = text.replace(/\D/g, '')
  if (digits.length < FEWEST_DIGITS) return []
  const phone = phoneOf(text)
  if (phone?.startsWith('+7')) return digits.length === 11 && !text.trim().startsWith('+') ? [phone, digits] : [phone]
  if (phone) return [digits]
  return [
    /^[78]/.test(digits) && digits.length > FEWEST_DIGITS && digits.length < MAX_DIGITS ? digits.slice(1) : digits,
  ]
}

const RUSSIAN_DIGITS = 11

/** A warning about a number that the format lets through: a Russian one of 10 or 12 digits is a slip. */
export function phoneDoubt(e164: string): string | undefined {
  const count = e164.length - 1
  if (!/^\+7\d+$/.test(e164) || count === RUSSIAN_DIGITS) return undefined
  return `В российском номере ${RUSSIAN_DIGITS} цифр, здесь ${count}: проверьте`
}

/** `+79991234567` → `+7 (999) 123-45-67`; other countries as stored. */
export function phoneText(e164: string | null | undefined): string {
  const parts = /^\+7(\d{3})(\d{3})(\d{2})(\d{2})$/.exec(e164 ?? '')
  return parts ? `+7 (${parts[1]}) ${parts[2]}-${parts[3]}-${parts[4]}` : (e164 ?? '')
}
