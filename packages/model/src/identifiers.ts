/**
 * Russian official identifiers of people, organizations, goods and services: parsing of any usual format, validation,
 * stored and displayed form. Pure; used by the field type `identifier` and its input.
 */
import { type Checked, ok, wrong } from './fields/field.ts'
import { numberSpelling } from './spelling.ts'

export interface Scheme {
  /** Its name in messages. */
  name: string
  /** Display format, `0` for a digit: the input formats typed text by it and shows it while empty. Absent: unformatted. */
  shape?: string
  /** JSON Schema pattern of the stored form. */
  pattern: string
  /** The stored form of input in any usual format, or the error, in Russian. */
  read(written: string): Checked<string>
  /** The displayed form of a stored value. */
  text(kept: string): string
  /** A valid value, different for different numbers. */
  sample(number: number): string
}

/** Names of numbers, written before them. */
const NAMES = /(?:снилс|инн|енп|полис|омс|паспорт|серия|номер|огрнип|огрн|бик|р\/с|сч[её]т)[\s.:№]*/giu
const digitsOf = (written: string): string =>
  numberSpelling(written)
    .replace(NAMES, '')
    .replace(/[;,]$/, '')
    .replace(/[\s\-.()№/]|(?<=\d\s*)N(?=\s*\d)/g, '')
/** Zeros, or one digit repeated: typed when the number is unknown. */
const isPlaceholder = (kept: string): boolean => /^(\d)\1{5,}$/.test(kept)
const sum = (digits: string, weights: readonly number[]): number =>
  weights.reduce((total, weight, at) => total + weight * Number(digits[at]), 0)
const padded = (number: number, length: number): string => String(number).padStart(length, '0').slice(-length)

/** A number of one of the lengths, with a rule for its check digits. */
function digits(
  name: string,
  lengths: readonly number[],
  own: { shape?: string; fits?: (kept: string) => boolean; sample: (number: number) => string },
): Scheme {
  const { shape, fits = () => true, sample } = own
  const wanted = lengths.join(' или ')
  return {
    name,
    shape,
    pattern: `^(${lengths.map((length) => `\\d{${length}}`).join('|')})$`,
    read(written) {
      const all = digitsOf(written)
      // A spreadsheet's number: `11223344595.0`.
      const [, whole = all] = /^(.*\d)[.,]0+;?$/.exec(written.trim()) ?? []
      const kept = lengths.includes(digitsOf(whole).length) ? digitsOf(whole) : all
      if (!/^\d+$/.test(kept)) return wrong(`${name} состоит из цифр`)
      if (!lengths.includes(kept.length)) return wrong(`${name}: нужно ${wanted} цифр, введено ${kept.length}`)
      if (isPlaceholder(kept)) return wrong(`${name}: это не номер, а одна и та же цифра`)
      return fits(kept) ? ok(kept) : wrong(`${name}: контрольное число не сходится, проверьте цифры`)
    },
    text: (kept) => (shape && shape.replace(/\D/g, '').length === kept.length ? laid(shape, kept) : kept),
    sample,
  }
}

/** Formats digits by a display format; the unfilled rest is omitted. */
export function laid(shape: string, kept: string): string {
  let at = 0
  let text = ''
  for (const sign of shape) {
    if (at >= kept.length) break
    text += sign === '0' ? kept[at++] : sign
  }
  return text
}

/** Converts similar Cyrillic letters to Latin: codes are typed in either layout. */
const latin = (written: string): string =>
  numberSpelling(written)
    .toUpperCase()
    .replace(/[АВЕКМНОРСТУХ]/g, (letter) => 'ABEKMHOPCTYX'['АВЕКМНОРСТУХ'.indexOf(letter)] as string)

function code(name: string, pattern: RegExp, like: string, sample: (number: number) => string): Scheme {
  return {
    name,
    pattern: pattern.source,
    read(written) {
      const kept = latin(written).replace(/\s/g, '').replace(/,/g, '.')
      return pattern.test(kept) ? ok(kept) : wrong(`${name} пишется как ${like}`)
    },
    text: (kept) => kept,
    sample,
  }
}

/** Check number of СНИЛС over the first nine digits (ПФР, приказ of the form АДВ-1; numbers up to 001-001-998 have none). */
function snilsCheck(nine: string): string {
  const rest = sum(nine, [9, 8, 7, 6, 5, 4, 3, 2, 1]) % 101
  return padded(rest === 100 ? 0 : rest, 2)
}

/** Check digit mod 10 with doubling of every second digit from the right (Luhn, ISO/IEC 7812-1). */
function luhn(body: string): string {
  let total = 0
  for (let at = 0; at < body.length; at++) {
    const doubled = Number(body[body.length - 1 - at]) * (at % 2 === 0 ? 2 : 1)
    total += doubled > 9 ? doubled - 9 : doubled
  }
  return String((10 - (total % 10)) % 10)
}

/** Check digit mod 10 with weights 3, 1 from the right (GS1 General Specifications, 7.9). */
function gs1(body: string): string {
  let total = 0
  for (let at = 0; at < body.length; at++) total += Number(body[body.length - 1 - at]) * (at % 2 === 0 ? 3 : 1)
  return String((10 - (total % 10)) % 10)
}

const INN = [3, 7, 2, 4, 10, 3, 5, 9, 4, 6, 8] as const
const innDigit = (body: string): string => String((sum(body, INN.slice(11 - body.length)) % 11) % 10)
const innFits = (kept: string): boolean =>
  kept.length === 10
    ? kept.endsWith(innDigit(kept.slice(0, 9)))
    : kept.slice(10) === innDigit(kept.slice(0, 10)) + innDigit(kept.slice(0, 11))
const innOf = (body: string): string => {
  const first = body + innDigit(body)
  return body.length === 9 ? first : first + innDigit(first)
}

/** Last digit of the remainder: ОГРН by 11, ОГРНИП by 13. */
const ogrnDigit = (body: string): string => String((BigInt(body) % BigInt(body.length - 1)) % 10n)

export const schemes = {
  snils: digits('СНИЛС', [11], {
    shape: '000-000-000 00',
    fits: (kept) => Number(kept.slice(0, 9)) <= 1_001_998 || kept.slice(9) === snilsCheck(kept.slice(0, 9)),
    sample: (n) => padded(112_233_445 + n, 9) + snilsCheck(padded(112_233_445 + n, 9)),
  }),
  enp: digits('Полис ОМС', [16], {
    shape: '0000 0000 0000 0000',
    fits: (kept) => kept.endsWith(luhn(kept.slice(0, 15))),
    sample: (n) => {
      const body = `77579108480${padded(n, 4)}`
      return body + luhn(body)
    },
  }),
  inn: digits('ИНН', [10, 12], { fits: innFits, sample: (n) => innOf(`7707${padded(n, 5)}`) }),
  innPerson: digits('ИНН', [12], {
    shape: '0000 000000 00',
    fits: innFits,
    sample: (n) => innOf(`5001${padded(n, 6)}`),
  }),
  kpp: code('КПП', /^\d{4}[0-9A-Z]{2}\d{3}$/, '770101001', (n) => `7701${padded(n, 5)}`),
  ogrn: digits('ОГРН', [13, 15], {
    fits: (kept) => kept.endsWith(ogrnDigit(kept.slice(0, -1))),
    sample: (n) => `10277${padded(n, 7)}` + ogrnDigit(`10277${padded(n, 7)}`),
  }),
  bik: digits('БИК', [9], { sample: (n) => `044${padded(n, 6)}` }),
  account: digits('Счёт', [20], {
    shape: '00000 000 0 0000 0000000',
    sample: (n) => `4070281093800${padded(n, 7)}`,
  }),
  passport: digits('Паспорт', [10], { shape: '00 00 000000', sample: (n) => `4504${padded(n, 6)}` }),
  departmentCode: digits('Код подразделения', [6], { shape: '000-000', sample: (n) => `770${padded(n, 3)}` }),
  icd10: code('Код МКБ-10', /^[A-Z]\d{2}(\.\d{1,2})?$/, 'J06.9', (n) => `J${padded(n, 2)}.9`),
  medicalService: code(
    'Код услуги',
    /^[AB]\d{2}\.\d{2,3}\.\d{3}(\.\d{3})?$/,
    'A26.08.027.008',
    (n) => `A26.08.${padded(n, 3)}`,
  ),
  oid: code('OID', /^\d+(\.\d+){3,}$/, '1.2.643.5.1.13.13.12.2.77.7974', (n) => `1.2.643.5.1.13.13.12.2.77.${n}`),
  mdlpPlace: digits('Место деятельности МДЛП', [14], { sample: (n) => padded(100_931 + n, 14) }),
  gtin: {
    ...digits('GTIN', [14], {
      fits: (kept) => kept.endsWith(gs1(kept.slice(0, 13))),
      sample: (n) => `0460702${padded(n, 6)}` + gs1(`0460702${padded(n, 6)}`),
    }),
    // Shorter codes of a package (EAN-8, UPC, EAN-13) are the same number with leading zeros.
    read(written: string): Checked<string> {
      const kept = digitsOf(written)
      if (!/^\d+$/.test(kept)) return wrong('GTIN состоит из цифр')
      if (![8, 12, 13, 14].includes(kept.length))
        return wrong(`GTIN: нужно 8, 12, 13 или 14 цифр, введено ${kept.length}`)
      const whole = kept.padStart(14, '0')
      return whole.endsWith(gs1(whole.slice(0, 13)))
        ? ok(whole)
        : wrong('GTIN: контрольное число не сходится, проверьте цифры')
    },
  },
  sscc: digits('SSCC', [18], {
    fits: (kept) => kept.endsWith(gs1(kept.slice(0, 17))),
    sample: (n) => `146070264${padded(n, 8)}` + gs1(`146070264${padded(n, 8)}`),
  }),
} as const satisfies Record<string, Scheme>

export type SchemeName = keyof typeof schemes

/** Displayed form of a stored identifier: `11223344595` → `112-233-445 95`. */
export const identifierText = (scheme: SchemeName, kept: string | null | undefined): string =>
  kept ? schemes[scheme].text(kept) : ''

/**
 * Whether the account belongs to the bank (the check key of Положение ЦБ № 383-П): weights 7, 1, 3 over the last three
 * digits of БИК and the account, or, for a correspondent account, over `0`, digits 5 and 6 of БИК and the account.
 */
export function accountFits(bik: string, account: string): boolean {
  const [own, correspondent] = [bik.slice(-3), `0${bik.slice(4, 6)}`].map((prefix) => {
    const all = prefix + account
    return [...all].reduce((total, digit, at) => total + ((Number(digit) * [7, 1, 3][at % 3]!) % 10), 0) % 10 === 0
  })
  return account.startsWith('301') ? correspondent === true : own === true
}

/** Birthday and sex encoded in a policy number (ЕНП); undefined when it has no valid date. */
export function enpPerson(enp: string): { birthday: string; gender: 'male' | 'female' } | undefined {
  const digits = [...enp.slice(2, 10)].map((digit) => 9 - Number(digit)).join('')
  const [month, day] = [Number(digits.slice(0, 2)), Number(digits.slice(6, 8))]
  const year = Number([...digits.slice(2, 6)].reverse().join(''))
  const age = year <= 1950 ? 20 : year <= 2000 ? 40 : 0
  const [m, d] = [month - age, day > 50 ? day - 50 : day]
  const date = new Date(Date.UTC(year, m - 1, d))
  if (date.getUTCFullYear() !== year || date.getUTCMonth() !== m - 1 || date.getUTCDate() !== d) return undefined
  return { birthday: `${padded(d, 2)}.${padded(m, 2)}.${padded(year, 4)}`, gender: day > 50 ? 'male' : 'female' }
}
