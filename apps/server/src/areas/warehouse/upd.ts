/**
 * УПД, the seller's title: 5.01 (order of ФНС ММВ-7-15/820), 5.02 and 5.03 (ЕД-7-26/970). The version is the attribute
 * ВерсФорм; elements that moved between versions are read from either place.
 */

import type { paperVat } from '@ordinator/model/areas/warehouse/document'
import { readScan } from '@ordinator/model/areas/warehouse/gs1'
import { readExpiry } from '@ordinator/model/areas/warehouse/series'
import { okeiName } from '@ordinator/model/areas/warehouse/units'
import { isDay } from '@ordinator/model/fields/date'
import { all, one, valueAt } from '#platform/xml/tree.ts'
import type { XmlNode } from '#platform/xml/xml.ts'

export interface UpdLine {
  name: string
  article: string | null
  gtin: string | null
  /** A decimal with at most 3 digits after the point. */
  qty: string
  /** Name of the unit. */
  unit: string | null
  /** Rubles as decimals: the unit price without tax, and the line total with tax. */
  price: string | null
  sum: string | null
  vatCode: keyof typeof paperVat | null
  series: string | null
  expiry: string | null
  /** Codes of packs with the 27 characters of МДЛП; others are in the remarks. */
  sgtins: string[]
}

export interface Upd {
  number: string | null
  /** `YYYY-MM-DD` */
  date: string | null
  inn: string | null
  lines: UpdLine[]
  /** Rubles of the whole paper with tax, if given. */
  total: string | null
  /** Skipped content, as messages. */
  remarks: string[]
}

const KNOWN = new Set(['5.01', '5.02', '5.03'])

/** @throws Error with a message if it is not a seller's УПД */
export function readUpd(root: XmlNode): Upd {
  const version = valueAt(root, '@ВерсФорм')
  if (root.name !== 'Файл' || !version) throw new Error('Это не УПД: нужен файл XML из ЭДО')
  if (!KNOWN.has(version)) throw new Error(`УПД версии ${version} не читается: нужны 5.01, 5.02 или 5.03`)
  const table = one(root, 'Документ/ТаблСчФакт')
  if (!table) throw new Error('Это титул покупателя или документ без товаров: загрузите титул продавца')
  const head = one(root, 'Документ/СвСчФакт')
  const textAt = (path: string) => (head ? (valueAt(head, path) ?? null) : null)
  const remarks: string[] = []
  return {
    number: textAt('@НомерДок') ?? textAt('@НомерСчФ'),
    date: dayOf(textAt('@ДатаДок') ?? textAt('@ДатаСчФ')),
    inn: textAt('СвПрод/ИдСв/СвЮЛУч/@ИННЮЛ') ?? textAt('СвПрод/ИдСв/СвИП/@ИННФЛ'),
    lines: all(table, 'СведТов').flatMap((node) => lineOf(node, remarks) ?? []),
    total: decimalOf(valueAt(table, 'ВсегоОпл/@СтТовУчНалВсего'), 2),
    remarks,
  }
}

function lineOf(node: XmlNode, remarks: string[]): UpdLine | undefined {
  const no = valueAt(node, '@НомСтр') ?? '?'
  const at = (path: string) => valueAt(node, path)
  const more = (name: string) => at(`@${name}`) ?? at(`ДопСведТов/@${name}`) ?? null
  const name = at('@НаимТов')
  const qty = decimalOf(at('@КолТов'), 3)
  if (!name) return void remarks.push(`Строка ${no}: нет названия товара`)
  if (qty === null || Number(qty) <= 0)
    return void remarks.push(`Строка ${no}, «${name}»: количество не больше нуля, пропущена`)
  const codes = all(node, 'ДопСведТов/НомСредИдентТов')
  const packs = codes.flatMap((one) => [...all(one, 'КИЗ'), ...all(one, 'НомУпак')]).map((one) => one.text.trim())
  const sgtins: string[] = []
  for (const pack of packs) {
    // A code in XML has no GS, and may be only GTIN and serial.
    const read = /^\d{14}[a-zA-Z0-9]{13}$/.test(pack) ? { code: { sgtin: pack } } : readScan(pack)
    if ('code' in read && read.code.sgtin) sgtins.push(read.code.sgtin)
    else remarks.push(`Строка ${no}, «${name}»: код «${pack.slice(0, 40)}» не похож на код лекарства`)
  }
  for (const box of codes.flatMap((one) => valueAt(one, '@ИдентТрансУпак') ?? []))
    remarks.push(`Строка ${no}, «${name}»: короб ${box}, его содержимое придёт из МДЛП`)
  const marked = [...new Set(sgtins)]
  if (marked.length > 0 && marked.length !== Number(qty)) {
    remarks.push(`Строка ${no}, «${name}»: кодов ${marked.length}, а количество ${qty}; коды не взяты`)
    marked.length = 0
  }
  const vat = vatOf(at('@НалСт'))
  if (vat === undefined)
    remarks.push(`Строка ${no}, «${name}»: ставка НДС «${at('@НалСт')}» не читается, укажите её сами`)
  const term = more('СрокГодн') ?? noted(node, /срок.{0,3}год|годен/i)
  const expiry = term === null ? null : readExpiry(term)
  if (term !== null && expiry === null)
    remarks.push(`Строка ${no}, «${name}»: срок годности «${term.slice(0, 40)}» не читается, укажите его сами`)
  return {
    name,
    article: more('АртикулТов') ?? more('КодТов'),
    gtin: more('ГТИН'),
    qty,
    unit: okeiName(at('@ОКЕИ_Тов')) ?? more('НаимЕдИзм'),
    price: decimalOf(at('@ЦенаТов'), 2),
    sum: decimalOf(at('@СтТовУчНал'), 2),
    vatCode: vat ?? null,
    series: more('СерияТов') ?? noted(node, /^сери/i),
    expiry,
    sgtins: marked,
  }
}

/** Rounds half up at the scale, as text: money is never a float. */
export function decimalOf(text: string | undefined | null, scale: number): string | null {
  const [, sign = '', whole, part = ''] = /^\s*([+-]?)(\d{1,12})(?:[.,](\d*))?\s*$/.exec(text ?? '') ?? []
  if (whole === undefined) return null
  const digits = (part + '0'.repeat(scale + 1)).slice(0, scale + 1)
  const up = Number(digits.at(-1)) >= 5 ? 1n : 0n
  const value = (BigInt(whole + digits.slice(0, scale)) + up).toString().padStart(scale + 1, '0')
  return `${sign === '-' ? '-' : ''}${value.slice(0, value.length - scale)}.${value.slice(value.length - scale)}`
}

/** НалСт is text: «20%», «10/110», «без НДС». Undefined: a rate that is not known. */
export function vatOf(text: string | undefined | null): UpdLine['vatCode'] | undefined {
  const vatText = (text ?? '').trim().toLowerCase()
  if (vatText === '' || vatText === '-') return null
  if (vatText.includes('без') || vatText.includes('не облаг')) return 'none'
  const [, rate = ''] = /^(\d+)(?:[.,]0+)?\s*(?:%|\/\s*1\d\d|$)/.exec(vatText) ?? []
  return rates.has(rate) ? (rate as UpdLine['vatCode']) : undefined
}
const rates: ReadonlySet<string> = new Set(['0', '5', '7', '10', '18', '20', '22'])

/** A remark of the line (ИнфПолФХЖ2) whose name fits. */
const noted = (node: XmlNode, name: RegExp): string | null => {
  const found = [...all(node, 'ИнфПолФХЖ2'), ...all(node, 'ДопСведТов/ИнфПолФХЖ2')].find((one) =>
    name.test(valueAt(one, '@Идентиф') ?? ''),
  )
  return (found && valueAt(found, '@Значен')?.trim()) || null
}

/** DD.MM.YYYY or YYYY-MM-DD. */
export function dayOf(text: string | null | undefined): string | null {
  const [, d, m, y] = /^(\d\d?)\.(\d\d?)\.(\d{4})/.exec(text?.trim() ?? '') ?? []
  const day = y && m && d ? `${y}-${m.padStart(2, '0')}-${d.padStart(2, '0')}` : (text?.trim().slice(0, 10) ?? '')
  return isDay(day) ? day : null
}
