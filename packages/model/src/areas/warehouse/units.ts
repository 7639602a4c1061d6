/** Units of suppliers' documents: by ОКЕИ and by the names that papers use. Pure. */
import { ofThousandths, thousandths } from './rules.ts'

/** Codes of ОКЕИ (ОК 015-94) and spellings, by one name of the unit. */
const units: Readonly<Record<string, readonly string[]>> = {
  шт: ['796', '642', '657', 'штука', 'штуки', 'штук', 'ед', 'единица', 'изделие'],
  'тыс шт': ['798', 'тысяча штук'],
  упак: ['778', '728', 'уп', 'упаковка', 'упаковки', 'упаковок', 'пач', 'пачка', 'пачки', 'кор', 'коробка', 'коробки'],
  набор: ['704', 'наб', 'набора', 'наборов'],
  компл: ['839', 'комплект', 'комплекта', 'комплектов', 'к-т'],
  пара: ['715', 'пар', 'пары'],
  рул: ['736', 'рулон', 'рулона', 'рулонов'],
  лист: ['625', 'листа', 'листов'],
  фл: ['872', 'флак', 'флакон', 'флакона', 'флаконов'],
  амп: ['870', 'ампула', 'ампулы', 'ампул'],
  бут: ['868', 'бутылка', 'бутылки', 'бутылок'],
  ящ: ['812', 'ящик', 'ящика', 'ящиков'],
  л: ['112', 'литр', 'литра', 'литров', 'дм3'],
  мл: ['111', 'миллилитр', 'см3'],
  кг: ['166', 'килограмм'],
  г: ['163', 'гр', 'грамм'],
  м: ['006', 'метр', 'метра', 'метров', 'пог м'],
}
const known = new Map(
  Object.entries(units).flatMap(([name, others]) => [name, ...others].map((one): [string, string] => [one, name])),
)

/** One name of a unit, however it is spelled; null: none is given. */
export function unitKey(unit: string | null | undefined): string | null {
  const key = (unit ?? '')
    .toLowerCase()
    .replace(/[.\s]+/g, ' ')
    .trim()
  return key === '' ? null : (known.get(key) ?? key)
}

/** Name of the unit of a code of ОКЕИ; undefined: a code that is not known here. */
export const okeiName = (code: string | undefined): string | undefined =>
  code !== undefined && /^\d{3}$/.test(code) ? known.get(code) : undefined

/** How a good is counted in the stock. */
export interface CountedIn {
  unit: string | null
  packUnit: string | null
  packRatio: number | null
}

/** How many stock units one unit of the paper is; null: they do not fit. Without a unit on the paper or the card: 1. */
export function unitFactor(paper: string | null | undefined, { unit, packUnit, packRatio }: CountedIn): number | null {
  const from = unitKey(paper)
  const own = unitKey(unit)
  if (from === null || from === own) return 1
  const pack = unitKey(packUnit) ?? 'упак'
  if (from === pack && packRatio !== null && packRatio > 0) return packRatio
  if (own === null) return from === 'упак' ? null : 1
  if (from === 'тыс шт' && own === 'шт') return 1000
  return null
}

/** A quantity of the paper in stock units, or null. Exact to thousandths. */
export function stockQty(qty: number, paper: string | null | undefined, good: CountedIn): number | null {
  const factor = unitFactor(paper, good)
  return factor === null ? null : ofThousandths(Math.round((thousandths(qty) * thousandths(factor)) / 1000))
}
