import { type Checked, ok, wrong } from '../../fields/field.ts'
import { enpPerson, schemes } from '../../identifiers.ts'
import { numberSpelling } from '../../spelling.ts'

export const documentTypes = {
  passport: 'Паспорт РФ',
  birthCertificate: 'Свидетельство о рождении',
  foreignPassport: 'Загранпаспорт РФ',
  alien: 'Паспорт иностранного гражданина',
  residence: 'Вид на жительство',
  other: 'Другой документ',
} as const
export type DocumentType = keyof typeof documentTypes

/** Normalizes the series and number of a document by its kind, from any usual spelling; @returns the stored form or an error. */
export function documentNumber(type: DocumentType, written: string): Checked<string> {
  // A small Latin L is typed instead of the Roman numeral I.
  const spelled = numberSpelling(written).replaceAll('l', 'I')
  const text = spelled
    .toUpperCase()
    .replace(/\s+/g, ' ')
    .replace(/№ ?/g, '')
    .replace(/[.,]0+$/, '')
  if (text === '') return ok('')
  if (/^(\d)\1{4,}$/.test(text.replace(/\s/g, ''))) return wrong('Это не номер документа, а одна и та же цифра')
  if (type === 'passport') {
    const read = schemes.passport.read(text)
    return read.ok ? ok(schemes.passport.text(read.value)) : read
  }
  if (type === 'foreignPassport') {
    const digits = text.replace(/\D/g, '')
    return /^[\d -]+$/.test(text) && digits.length === 9
      ? ok(`${digits.slice(0, 2)} ${digits.slice(2)}`)
      : wrong('Загранпаспорт: серия из 2 цифр и номер из 7')
  }
  if (type === 'birthCertificate') {
    const parts = /^([IVXLC]+)[- ]?([А-ЯЁ]{2})[- ]*(\d{6})$/.exec(
      text
        .replace(/^([2-9]|П|Ш)(?=[- ])/, (number) => ROMANS[number] ?? number)
        .replace(/^[1ХУЛСІ|IVXLC]+/, (roman) => romanOf(roman))
        .replace(
          /(?<=^[IVXLC]+[- ]?)[ABEKMHOPCTXY]{2}(?=[- ]*\d)|(?<=[А-ЯЁ])[ABEKMHOPCTXY](?=[- ]*\d)|(?<=[- ])[ABEKMHOPCTXY](?=[А-ЯЁ])/g,
          (latin) => [...latin].map((letter) => 'АВЕКМНОРСТХУ'['ABEKMHOPCTXY'.indexOf(letter)]).join(''),
        ),
    )
    return parts
      ? ok(`${parts[1]}-${parts[2]} ${parts[3]}`)
      : wrong('Свидетельство о рождении пишется как II-ЕР 123456')
  }
  return ok(written.trim().replace(/\s+/g, ' '))
}

/** Roman numerals are also typed with Cyrillic letters. */
const romanOf = (typed: string): string =>
  [...typed]
    .map((letter) => ({ '1': 'I', '|': 'I', Х: 'X', У: 'V', Л: 'L', С: 'C', І: 'I' })[letter] ?? letter)
    .join('')

/** Roman numerals of series that are typed as one sign. */
const ROMANS: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    ['II', 'III', 'IV', 'V', 'VI', 'VII', 'VIII', 'IX'].map((roman, at) => [String(at + 2), roman]),
  ),
  П: 'II',
  Ш: 'III',
}

/** Number of a policy by its kind: the stored form, or the error. */
export function policyNumber(type: string, written: string): Checked<string> {
  if (type === 'oms') return schemes.enp.read(written)
  if (type === 'omsTemporary') {
    const digits = written.replace(/\D/g, '')
    return digits.length === 9 ? ok(digits) : wrong('Временное свидетельство: нужно 9 цифр')
  }
  return ok(written.trim())
}

/** Differences between a policy and the holder's card: warnings that the user may ignore. */
export function policyDoubts(
  number: string,
  holder: { birthday?: string | null; gender?: string | null },
): string | undefined {
  const encoded = schemes.enp.read(number).ok ? enpPerson(number.replace(/\D/g, '')) : undefined
  if (!encoded) return undefined
  if (holder.birthday && holder.birthday !== encoded.birthday)
    return `В номере полиса дата рождения ${encoded.birthday}, в карте ${holder.birthday}`
  if (holder.gender && holder.gender !== 'none' && holder.gender !== encoded.gender)
    return `В номере полиса ${encoded.gender === 'male' ? 'мужской' : 'женский'} пол, в карте другой`
  return undefined
}
