/** Numbers and sums in Russian words, for papers. */
import { plural } from '../../format.ts'
import { kopecks } from '../../money.ts'

const ones =
  ' один два три четыре пять шесть семь восемь девять десять одиннадцать двенадцать тринадцать четырнадцать пятнадцать шестнадцать семнадцать восемнадцать девятнадцать'.split(
    ' ',
  )
const tens = '  двадцать тридцать сорок пятьдесят шестьдесят семьдесят восемьдесят девяносто'.split(' ')
const hundreds = ' сто двести триста четыреста пятьсот шестьсот семьсот восемьсот девятьсот'.split(' ')
const scales: readonly (readonly [string, string, string])[] = [
  ['', '', ''],
  ['тысяча', 'тысячи', 'тысяч'],
  ['миллион', 'миллиона', 'миллионов'],
  ['миллиард', 'миллиарда', 'миллиардов'],
  ['триллион', 'триллиона', 'триллионов'],
]
const MOST = 1e15

/** @param feminine gender of the counted noun: «одна», «две» */
function threeDigits(value: number, feminine: boolean): string[] {
  const rest = value % 100
  const words = [hundreds[Math.floor(value / 100)]]
  if (rest >= 20) words.push(tens[Math.floor(rest / 10)])
  const one = rest < 20 ? rest : rest % 10
  words.push(feminine && one === 1 ? 'одна' : feminine && one === 2 ? 'две' : ones[one])
  return words.filter((word): word is string => word !== undefined && word !== '')
}

/** Whole number in words: 'двадцать один'; digits for fractions and from 10^15 on. */
export function numberWords(value: number, feminine = false): string {
  if (!Number.isInteger(value) || Math.abs(value) >= MOST) return String(value).replace('.', ',')
  if (value === 0) return 'ноль'
  const words: string[] = []
  let left = Math.abs(value)
  for (let scale = 0; left > 0; scale++) {
    const part = left % 1000
    left = Math.floor(left / 1000)
    if (part === 0) continue
    const name = scale > 0 ? [plural(part, scales[scale] as (typeof scales)[number])] : []
    words.unshift(...threeDigits(part, scale === 1 || (scale === 0 && feminine)), ...name)
  }
  return `${value < 0 ? 'минус ' : ''}${words.join(' ')}`
}

/** Rubles in words: 'Одна тысяча двести рублей 50 копеек'. */
export function moneyWords(rubles: number): string {
  if (Math.abs(rubles) >= MOST / 100) return String(rubles)
  const all = kopecks(Math.abs(rubles))
  const [whole, rest] = [Number(all / 100n), Number(all % 100n)]
  const words = `${rubles < 0 ? 'минус ' : ''}${numberWords(whole)} ${plural(whole, ['рубль', 'рубля', 'рублей'])}`
  const change = `${String(rest).padStart(2, '0')} ${plural(rest, ['копейка', 'копейки', 'копеек'])}`
  return `${words.charAt(0).toUpperCase()}${words.slice(1)} ${change}`
}
