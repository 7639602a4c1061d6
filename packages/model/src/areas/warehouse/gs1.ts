/**
 * Parses scanner codes: GS1 DataMatrix in its usual encodings, EAN-13, SSCC (GS1 General Specifications, 3.2; codes of
 * medicines: ПП № 1556 of 14.12.2018).
 */
import { schemes } from '../../identifiers.ts'

/** Spellings of the group separator (FNC1). */
const GS = '\u001d'
const SPELLINGS = /<GS>|\{GS\}|\\x1d|\\u001d|\^\]|␝|_x001d_|&#29;|&#x1d;|\u00e8/gi
/** AIM symbology identifiers before the data: DataMatrix, GS1-128, QR. */
const SYMBOLOGY = /^\](?:d2|d1|C1|Q3|Q1|e0|E0)/
/** Application identifiers with data of fixed length; data of all others end at GS or at the end of the code. */
const FIXED: Readonly<Record<string, number>> = {
  '00': 18,
  '01': 14,
  '02': 14,
  '11': 6,
  '12': 6,
  '13': 6,
  '15': 6,
  '16': 6,
  '17': 6,
  '20': 2,
}
const VARIABLE = [
  '10',
  '21',
  '22',
  '30',
  '37',
  '240',
  '241',
  '91',
  '92',
  '93',
  '94',
  '95',
  '96',
  '97',
  '98',
  '99',
  '8005',
  '7003',
]
/** Serial of a medicine in МДЛП (XSD 1.37, sgtin): narrower than GS1 allows. */
const SERIAL = /^[a-zA-Z0-9]{13}$/
const MAX_CODE = 512

export interface ScannedCode {
  /** `marked`: 01 and 21; `box`: SSCC; `good`: only GTIN, as EAN-13. */
  kind: 'marked' | 'box' | 'good'
  gtin?: string
  serial?: string
  /** GTIN and serial of a medicine, 27 characters. */
  sgtin?: string
  sscc?: string
  series?: string
  /** `YYYY-MM-DD` */
  expiry?: string
}

export type ScanAnswer = { code: ScannedCode } | { fault: string }

export const isSgtin = (text: string): boolean => /^\d{14}[a-zA-Z0-9]{13}$/.test(text)

/** @returns the code, or the error in Russian */
export function readScan(raw: string): ScanAnswer {
  const written = raw.trim().replace(/^\u001d+/, '')
  if (written === '') return { fault: 'Код пуст' }
  if (written.length > MAX_CODE) return { fault: 'Код слишком длинный: похоже, отсканировано сразу несколько' }
  if (/[а-яё]/i.test(written))
    return { fault: 'Код прочитан в русской раскладке: переключите клавиатуру на английскую и отсканируйте ещё раз' }
  const text = written
    .replace(SYMBOLOGY, '')
    .replace(SPELLINGS, GS)
    .replace(/^\u001d+/, '')
  if (/^\d{8}$|^\d{12,14}$/.test(text)) return byDigits(text)
  if (/^\d{18}$/.test(text)) return box(text)
  const parts = text.startsWith('(') ? bracketed(text) : elements(text)
  return parts ? codeOf(parts) : { fault: 'Это не код товара: ожидается GS1 DataMatrix, EAN-13 или SSCC' }
}

function byDigits(text: string): ScanAnswer {
  const read = schemes.gtin.read(text)
  return read.ok ? { code: { kind: 'good', gtin: read.value } } : { fault: read.message }
}

function box(sscc: string): ScanAnswer {
  const read = schemes.sscc.read(sscc)
  return read.ok ? { code: { kind: 'box', sscc } } : { fault: read.message }
}

type Parts = Map<string, string>

function bracketed(text: string): Parts {
  return new Map([...text.matchAll(/\((\d{2,4})\)([^(]*)/g)].map(([, ai = '', value = '']) => [ai, value]))
}

function elements(text: string): Parts | undefined {
  const parts: Parts = new Map()
  let rest = text
  while (rest !== '') {
    const ai =
      Object.keys(FIXED).find((one) => rest.startsWith(one)) ??
      weight(rest) ??
      VARIABLE.find((one) => rest.startsWith(one))
    if (!ai) return parts.size > 0 ? parts : undefined
    const data = rest.slice(ai.length)
    const length = FIXED[ai] ?? (/^3\d{3}$/.test(ai) ? 6 : undefined)
    const end = length ?? (data.indexOf(GS) === -1 ? data.length : data.indexOf(GS))
    if (!parts.has(ai)) parts.set(ai, data.slice(0, end))
    else if (ai === '01') parts.set('again', data.slice(0, end))
    rest = data.slice(end).replace(/^\u001d+/, '')
  }
  return parts
}

/** Weights and measures, 310n to 369n. */
const weight = (rest: string): string | undefined => /^3[1-6]\d\d/.exec(rest)?.[0]

function codeOf(parts: Parts): ScanAnswer {
  const sscc = parts.get('00')
  if (sscc !== undefined) return box(sscc)
  const written = parts.get('01')
  if (written === undefined) return { fault: 'В коде нет GTIN' }
  if (written.length < 14) return { fault: 'Код обрезан: отсканируйте ещё раз' }
  const gtin = schemes.gtin.read(written)
  if (!gtin.ok) return { fault: gtin.message }
  const serial = serialOf(parts)
  if (typeof serial === 'object') return serial
  const code: ScannedCode = { kind: serial === undefined ? 'good' : 'marked', gtin: gtin.value }
  if (serial !== undefined) {
    code.serial = serial
    if (SERIAL.test(serial)) code.sgtin = gtin.value + serial
  }
  const series = parts.get('10')
  if (series) code.series = series
  const expiry = dayOf(parts.get('17'))
  if (expiry) code.expiry = expiry
  return { code }
}

/** The serial; without a GS, the first 13 characters, as in medicines. */
function serialOf(parts: Parts): string | undefined | { fault: string } {
  const serial = parts.get('21')
  if (serial === undefined) return undefined
  if (parts.has('again') || /01\d{14}21.{13}/.test((parts.get('92') ?? '') + (parts.get('93') ?? '')))
    return { fault: 'Отсканировано два кода подряд: сканируйте по одному' }
  if (serial.length <= 20) return serial
  if (/^[a-zA-Z0-9]{13}91.{4}92/.test(serial)) {
    if (/01\d{14}21/.test(serial.slice(13))) return { fault: 'Отсканировано два кода подряд: сканируйте по одному' }
    return serial.slice(0, 13)
  }
  return { fault: 'Сканер не передаёт разделитель GS: включите его в настройках сканера' }
}

/** AI 17, YYMMDD; day 00 is the last of the month. */
function dayOf(text: string | undefined): string | undefined {
  const [, yy, mm, dd] = /^(\d\d)(\d\d)(\d\d)$/.exec(text ?? '') ?? []
  if (!yy || !mm || !dd || Number(mm) < 1 || Number(mm) > 12) return undefined
  const day = dd === '00' ? new Date(Date.UTC(2000 + Number(yy), Number(mm), 0)).getUTCDate() : Number(dd)
  return `20${yy}-${mm}-${String(day).padStart(2, '0')}`
}

/** Hint for an unknown serial: Caps Lock changes its letters but not the GTIN. */
export function notFoundHint(serial: string): string {
  return /[a-z]/.test(serial) && !/[A-Z]/.test(serial)
    ? 'Код не найден. Все буквы строчные: возможно, при сканировании был включён Caps Lock'
    : 'Код не найден. Проверьте, выключен ли Caps Lock, и отсканируйте ещё раз'
}
