import { describe, expect, it } from 'vitest'
import { isSgtin, notFoundHint, readScan } from './gs1.ts'

const GS = '\u001d'
const CRYPTO = 'a'.repeat(43)
/** A code in the format of medicines: 85 characters. */
const MEDICINE = `010460714356059821FGXEAGA5A1GAH${GS}91EE06${GS}92${CRYPTO}=`
const SGTIN = '04607143560598FGXEAGA5A1GAH'

const read = (raw: string) => {
  const answer = readScan(raw)
  return 'fault' in answer ? answer.fault : (answer.code.sgtin ?? answer.code.gtin ?? answer.code.sscc)
}

describe('a code of a medicine in the spellings of scanners', () => {
  it.each([
    ['as it is', MEDICINE],
    [']d2', `]d2${MEDICINE}`],
    ['a leading GS', GS + MEDICINE],
    ['<GS>', MEDICINE.replaceAll(GS, '<GS>')],
    ['{GS}', MEDICINE.replaceAll(GS, '{GS}')],
    ['\\x1d', MEDICINE.replaceAll(GS, '\\x1d')],
    ['\\u001d', MEDICINE.replaceAll(GS, '\\u001d')],
    ['^]', MEDICINE.replaceAll(GS, '^]')],
    ['U+241D', MEDICINE.replaceAll(GS, '␝')],
    ['_x001D_', MEDICINE.replaceAll(GS, '_x001D_')],
    ['&#29;', MEDICINE.replaceAll(GS, '&#29;')],
    ['brackets', `(01)04607143560598(21)FGXEAGA5A1GAH(91)EE06(92)${CRYPTO}=`],
    ['GS lost', MEDICINE.replaceAll(GS, '')],
    ['CR LF', `${MEDICINE}\r\n`],
    ['cut at the tail', MEDICINE.slice(0, 60)],
  ])('%s', (_how, raw) => {
    expect(read(raw)).toBe(SGTIN)
  })

  it('Caps Lock is another serial, recognised only by the registry', () => {
    const swapped = [...MEDICINE].map((c) => (c === c.toLowerCase() ? c.toUpperCase() : c.toLowerCase())).join('')
    expect(read(swapped)).toBe('04607143560598fgxeaga5a1gah')
    expect(notFoundHint('fgxeaga5a1gah')).toContain('Caps Lock')
  })

  it.each([
    ['the Russian layout', '010460714356059821АПЧУФПФ5Ф1ПФР', 'русской раскладке'],
    ['two codes run together', MEDICINE + MEDICINE, 'два кода подряд'],
    ['two codes, GS lost', (MEDICINE + MEDICINE).replaceAll(GS, ''), 'два кода подряд'],
    ['a wrong check digit', MEDICINE.replace('0460714356059', '0460714356050'), 'контрольное число'],
    ['cut within the GTIN', '0104607143', 'обрезан'],
    ['nothing', '  ', 'пуст'],
    ['a word', 'HELLO', 'не код товара'],
  ])('refuses %s in words', (_how, raw, words) => {
    expect(read(raw)).toContain(words)
  })
})

it('reads codes of other goods, and does not take them for medicines', () => {
  const perfume = readScan(`010460780959133121e/Fw:xeo47NK2${GS}91F010${GS}92${CRYPTO}=`)
  expect(perfume).toEqual({ code: { kind: 'marked', gtin: '04607809591331', serial: 'e/Fw:xeo47NK2' } })
  expect(read('2000000058177')).toBe('02000000058177')
  expect(readScan(`011460043993762021NH9X1JF${GS}1012940183`)).toMatchObject({ code: { series: '12940183' } })
  expect(readScan(`0103041094787443215Qbag!${GS}93Zjqw${GS}3103000353`)).toMatchObject({ code: { serial: '5Qbag!' } })
  expect(readScan(`01046071435605981726120010AB12${GS}21FGXEAGA5A1GAH`)).toEqual({
    code: {
      kind: 'marked',
      gtin: '04607143560598',
      serial: 'FGXEAGA5A1GAH',
      sgtin: SGTIN,
      series: 'AB12',
      expiry: '2026-12-31',
    },
  })
  expect(read('146070264000000010')).toMatch(/^\d{18}$|контрольное/)
  expect(isSgtin(SGTIN)).toBe(true)
})
