import type { FieldError } from '../../check.ts'
import { entity, type Row } from '../../entity.ts'
import { boolean } from '../../fields/boolean.ts'
import { choice } from '../../fields/choice.ts'
import { dateTime } from '../../fields/dateTime.ts'
import { json } from '../../fields/json.ts'
import { text } from '../../fields/text.ts'

export const resets = { never: 'Никогда', year: 'Каждый год', month: 'Каждый месяц', day: 'Каждый день' } as const
export type Reset = keyof typeof resets

/** Largest allowed next number. */
export const MAX_NUMBER = 999_999_999_999

/** Placeholders of a mask. */
export const maskParts = {
  '{ФИЛ}': 'код филиала',
  '{YYYY}': 'год',
  '{YY}': 'год, две цифры',
  '{MM}': 'месяц',
  '{DD}': 'день',
  '{00000}': 'номер, не короче стольких цифр',
} as const

/** A counter: next number of a branch and a period. */
export interface Counter {
  idFilial: number | null
  /** '' or the prefix of a day for the period: `2026`, `2026-11`, `2026-11-22`. */
  period: string
  next: number
}

const access = { view: 'mainSettings', create: 'mainSettings', update: 'mainSettings', delete: 'mainSettings' } as const

/** Numbering of a kind of documents: unique, without gaps. */
export const Sequence = entity('sequences', {
  label: ['Нумерация', 'нумерации', 'нумераций'],
  gender: 'f',
  registry: {
    columns: ['name', 'code', 'mask', 'reset', 'perFilial'],
    form: ['name', 'code', 'mask', 'reset', 'perFilial'],
    empty: { title: 'Нумераций пока нет', text: 'Нумерация задаёт, какие номера получают договоры, чеки, карты' },
  },
  fields: {
    name: text({ label: 'Название', required: true, max: 128, search: true }),
    code: text({
      label: 'Код',
      help: 'По нему нумерацию находит программа: contract',
      required: true,
      max: 32,
      unique: true,
      fixed: true,
      search: true,
      rule: (value) =>
        /^[a-z][a-z\d-]*$/.test(value) ? undefined : 'Код пишется строчными латинскими буквами, цифрами и дефисом',
    }),
    mask: text({
      label: 'Маска',
      help: 'Например {ФИЛ}-{YYYY}-{00000}',
      required: true,
      max: 64,
      rule: maskError,
    }),
    reset: choice(resets, { label: 'Начинать заново', default: 'year' }),
    perFilial: boolean({ label: 'В каждом филиале свой счёт', default: false }),
    /** Next numbers by branch and period; those not listed begin with 1. */
    counters: json<Counter[]>()({ label: 'Счётчики', computed: true, required: true }),
    dateCreate: dateTime({ label: 'Создана', auto: 'created' }),
    dateChange: dateTime({ label: 'Изменена', auto: 'changed' }),
  },
  access,
  title: 'name',
  sort: 'name,id',
  soft: true,
})

const PART = /\{([^{}]*)\}/g
const NUMBER = /^0{1,12}$/
const partsOf = (mask: string): string[] => [...mask.matchAll(PART)].map(([, part]) => part as string)

/** Error of a mask alone, in Russian. */
export function maskError(mask: string): string | undefined {
  if (/[{}]/.test(mask.replace(PART, ''))) return 'Скобки { и } должны стоять парами'
  const parts = partsOf(mask)
  const strange = parts.find((part) => !NUMBER.test(part) && !Object.hasOwn(maskParts, `{${part}}`))
  if (strange !== undefined) return `Неизвестная часть {${strange}}: можно ${Object.keys(maskParts).join(', ')}`
  const numbers = parts.filter((part) => NUMBER.test(part)).length
  if (numbers === 0) return 'В маске нет номера: добавьте {00000}, нулей столько, сколько цифр'
  return numbers > 1 ? 'Номер {00000} должен стоять в маске один раз' : undefined
}

/** Errors of a mask that would repeat numbers, by field. */
export function sequenceErrors({
  mask = '',
  reset,
  perFilial,
}: Partial<Pick<Row<typeof Sequence>, 'mask' | 'reset' | 'perFilial'>>): FieldError[] {
  const parts = new Set(partsOf(mask))
  const year = parts.has('YYYY') || parts.has('YY')
  const lacking = (part: string, why: string): FieldError[] => [
    { field: 'mask', message: `Номера повторятся: ${why}, а в маске нет ${part}` },
  ]
  if (perFilial && !parts.has('ФИЛ')) return lacking('{ФИЛ}', 'в каждом филиале свой счёт')
  if (reset !== 'never' && reset !== undefined && !year)
    return lacking('{YYYY}', `счёт начинается заново ${resets[reset].toLowerCase()}`)
  if ((reset === 'month' || reset === 'day') && !parts.has('MM'))
    return lacking('{MM}', `счёт начинается заново ${resets[reset].toLowerCase()}`)
  if (reset === 'day' && !parts.has('DD')) return lacking('{DD}', 'счёт начинается заново каждый день')
  return []
}

/** Period of a day YYYY-MM-DD for a counter. */
export const periodOf = (reset: Reset, day: string): string =>
  day.slice(0, { never: 0, year: 4, month: 7, day: 10 }[reset])

/** True when numbers of the mask contain the branch. */
export const namesFilial = (mask: string): boolean => partsOf(mask).includes('ФИЛ')

/** Number formatted by the mask. */
export function numberText(
  mask: string,
  { filial, day, number }: { filial: string; day: string; number: number },
): string {
  const [year = '', month = '', date = ''] = day.split('-')
  const known: Record<string, string> = { ФИЛ: filial, YYYY: year, YY: year.slice(2), MM: month, DD: date }
  return mask.replace(PART, (whole, part: string) =>
    NUMBER.test(part) ? String(number).padStart(part.length, '0') : (known[part] ?? whole),
  )
}
