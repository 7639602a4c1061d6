/** Formats of a value in a template: `{{ Сумма | деньги прописью }}`. */
import { formatDate, formatDateTime, formatMoney, formatMonth, formatNumber, formatTime } from '../../format.ts'
import { ageText } from '../customers/age.ts'
import { moneyWords, numberWords } from './numberWords.ts'

/** A value as text, and as stored. */
export interface Shown {
  shown: string
  raw?: string | number | boolean | null
  /** URL of a picture shown instead of the text. */
  picture?: string
  /** URL of a picture shown above the text. */
  drawing?: string
}

export interface SayContext {
  timeZone: string
  /** YYYY-MM-DD in the same time zone. */
  today: string
}

interface Format {
  /** Example output, for the list of formats. */
  example: string
  say(value: Shown, context: SayContext): string
}

/** Codes that a value can be rendered as. */
export const codeKinds = { qr: 'QR-код', code128: 'штрихкод Code 128', ean13: 'штрихкод EAN-13' } as const
export type CodeKind = keyof typeof codeKinds

export interface FormatUse {
  name: string
  /** Quoted argument. */
  text?: string
}

const months = 'января февраля марта апреля мая июня июля августа сентября октября ноября декабря'.split(' ')

/** DD.MM.YYYY to '«23» ноября 2026 г.'. */
function dayWords(day: string): string {
  const [date, month, year] = day.split('.')
  return year ? `«${date}» ${months[Number(month) - 1] ?? ''} ${year} г.` : day
}

const numberOf = ({ raw, shown }: Shown): number => {
  const value =
    typeof raw === 'number'
      ? raw
      : Number(
          String(raw ?? shown)
            .replace(/[\s\u00a0]/g, '')
            .replace(',', '.'),
        )
  return Number.isFinite(value) ? value : Number.NaN
}

/** Day of a value, or its text if it is none. */
const day = (value: Shown, { timeZone }: SayContext): string =>
  (typeof value.raw === 'string' && formatDate(value.raw, timeZone)) || value.shown

const ofNumber =
  (say: (value: number) => string) =>
  (value: Shown): string => {
    const number = numberOf(value)
    return Number.isNaN(number) ? value.shown : say(number)
  }

export const formats: Readonly<Record<string, Format>> = {
  дата: { example: '23.11.2026', say: day },
  'дата словами': { example: '«23» ноября 2026 г.', say: (value, context) => dayWords(day(value, context)) },
  месяц: {
    example: 'ноябрь 2026 г.',
    say: ({ raw, shown }) => (/^\d{4}-\d\d/.test(String(raw)) ? formatMonth(String(raw).slice(0, 7)) : shown),
  },
  год: { example: '2026', say: (value, context) => day(value, context).split('.')[2] ?? value.shown },
  время: {
    example: '14:05',
    say: (value, { timeZone }) => (typeof value.raw === 'string' && formatTime(value.raw, timeZone)) || value.shown,
  },
  'дата и время': {
    example: '23.11.2026 14:05',
    say: (value, { timeZone }) => (typeof value.raw === 'string' && formatDateTime(value.raw, timeZone)) || value.shown,
  },
  возраст: { example: '41 год', say: ({ raw, shown }, { today }) => ageText(String(raw ?? shown), today) },
  деньги: { example: '1 234,50 ₽', say: ofNumber((value) => formatMoney(value)) },
  'деньги прописью': { example: 'Одна тысяча двести рублей 50 копеек', say: ofNumber(moneyWords) },
  число: { example: '1 234', say: ofNumber((value) => formatNumber(value)) },
  прописью: { example: 'двадцать один', say: ofNumber(numberWords) },
  кратко: { example: 'Иванова А. П.', say: ({ shown }) => shortName(shown) },
  заглавными: { example: 'ИВАНОВА', say: ({ shown }) => shown.toLocaleUpperCase('ru') },
  строчными: { example: 'женский', say: ({ shown }) => shown.toLocaleLowerCase('ru') },
  черта: { example: '________________, если пусто', say: ({ shown: format }) => format || '________________' },
}

/** «Иванова Анна Петровна» → «Иванова А. П.» */
function shortName(fio: string): string {
  const [surname = '', ...names] = fio.split(/[\s\u00a0]+/).filter(Boolean)
  return [surname, ...names.slice(0, 2).map((name) => `${[...name][0]?.toLocaleUpperCase('ru')}.`)].join(' ')
}

/** @returns the error in Russian */
export function readFormat(format: string): FormatUse | string {
  const name = format.trim().toLowerCase()
  const [, otherwise] = /^или ["«“](.*)["»”]$/u.exec(format.trim()) ?? []
  if (otherwise !== undefined) return { name: 'или', text: otherwise }
  if (Object.hasOwn(formats, name) || Object.hasOwn(codeKinds, name)) return { name }
  const known = [...Object.keys(formats), 'или "…"', ...Object.keys(codeKinds)]
  return `неизвестный формат «${name.slice(0, 40)}»: можно ${known.join(', ')}`
}

/** Applies the formats to a value, in order. */
export function applyFormats(
  value: Shown,
  uses: readonly FormatUse[],
  context: SayContext,
): { text: string; code?: CodeKind } {
  let { shown, raw } = value
  let code: CodeKind | undefined
  for (const { name, text } of uses) {
    if (Object.hasOwn(codeKinds, name)) code = name as CodeKind
    else if (name === 'или') shown ||= text ?? ''
    else if (shown !== '' || name === 'черта') {
      shown = formats[name]?.say({ shown, ...(raw !== undefined && { raw }) }, context) ?? shown
      // Further formats work on the formatted text.
      raw = shown
    }
  }
  return { text: shown, ...(code && { code }) }
}
