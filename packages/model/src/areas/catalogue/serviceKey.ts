import { nameSpelling } from '../../spelling.ts'

/** «(осмотр, консультация)» of the ministry's names says nothing that tells services apart. */
const FILLER = /\(\s*(?:осмотр\s*[,и]?\s*)?(?:консультаци[яи])?\s*\)/g
/** A code of order 804н before a name, in Latin or Cyrillic letters. */
const CODE = /^[abdfавд]\d{2}(?:\.\d{2,3}){1,3}[\s.,:–-]*/

/** One spelling of a service's name: two services of one key are likely the same. Words in any order. */
export const serviceKey = (name: string): string =>
  nameSpelling(name)
    .toLocaleLowerCase('ru')
    .replaceAll('ё', 'е')
    .replace(CODE, '')
    .replace(FILLER, ' ')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
    .split(' ')
    .toSorted()
    .join(' ')
