import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { documentNumber } from './areas/customers/documents.ts'
import { email } from './fields/email.ts'
import { phone } from './fields/phone.ts'
import { text } from './fields/text.ts'
import { type SchemeName, schemes } from './identifiers.ts'
import { phoneDoubt, phonesIn } from './phone.ts'
import {
  mistakesOf,
  nameParts,
  nameSpelling,
  plainSpelling,
  sentSpelling,
  soughtSpelling,
  wordStem,
} from './spelling.ts'

/** Letters, separators and combining marks. */
const sign = fc.constantFrom(..."аЙи\u0306\u0301e\u0001\u001a\u00ad\u200d\u200b\u202e\ufeff👨👩-–— \u00a0\t\n’'ʼ.1")

describe('text', () => {
  it.each([
    ['И\u0438\u0306осиф'.replace('И', ''), 'йосиф'],
    ['\ufeffАнна\u200b', 'Анна'],
    ['Анна\u202e\u2066', 'Анна'],
    ['\u001a', ''],
    ['а\u200dб', 'аб'],
    ['👨\u200d👩\u200d👧', '👨\u200d👩\u200d👧'],
    ['строка\nвторая\tтретья', 'строка\nвторая\tтретья'],
  ])('%j', (written, expected) => expect(plainSpelling(written)).toBe(expected))
  it('of usual letters and signs is the same beside others: the short way changes nothing that the long one would', () => {
    const signs = Array.from({ length: 0x3000 }, (_, code) => String.fromCharCode(code))
    expect(signs.filter((one) => plainSpelling(one) === one && plainSpelling(`あ ${one}`) !== `あ ${one}`)).toEqual([])
  })
  it('of a field is kept in one spelling, and nothing but marks is no text', () => {
    const name = text({ label: 'Имя', required: true, spelling: 'name' })
    expect(name.check('\u0438\u0306од')).toEqual({ ok: true, value: 'йод' })
    expect(name.check('Салтыков \u2013 Щедрин')).toEqual({ ok: true, value: 'Салтыков-Щедрин' })
    expect(name.check('\u001a')).toMatchObject({ ok: false })
    expect(text({ label: 'а' }).check('а – б')).toEqual({ ok: true, value: 'а – б' })
  })
  it('of a body is in one spelling at any depth, as itself or escaped; separators of scanned codes stay', () => {
    const body = { name: '\u0438\u0306од\u200b', list: [{ note: 'а\ufeffб' }], code: '01\u001d21', n: 5, none: null }
    const spelled = { name: 'йод', list: [{ note: 'аб' }], code: '01\u001d21', n: 5, none: null }
    const json = JSON.stringify(body)
    const escaped = json.replace(/[^\x20-\x7e]/g, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`)
    for (const sent of [json, escaped]) expect(sentSpelling(JSON.parse(sent), sent)).toEqual(spelled)
    const plain = { name: 'Анна' }
    expect(sentSpelling(plain, JSON.stringify(plain))).toBe(plain)
  })
  it('is the same when it is spelled again', () => {
    fc.assert(
      fc.property(fc.array(sign, { maxLength: 12 }), (signs) => {
        const written = signs.join('')
        expect(plainSpelling(plainSpelling(written))).toBe(plainSpelling(written))
        expect(nameSpelling(nameSpelling(written))).toBe(nameSpelling(written))
      }),
      { numRuns: 200 },
    )
  })
})

describe('names', () => {
  it.each([
    ['Салтыков - Щедрин Иван Петрович', ['Салтыков-Щедрин', 'Иван', 'Петрович']],
    ['Салтыков–Щедрин Иван', ['Салтыков-Щедрин', 'Иван', '']],
    ['Мамедов Рустам Эльдар оглы', ['Мамедов', 'Рустам', 'Эльдар оглы']],
    ['- Иванов Пётр -', ['Иванов', 'Пётр', '']],
    ['О’Коннор  Шейн', ["О'Коннор", 'Шейн', '']],
    ['Иванов, Иван Петрович', ['Иванов', 'Иван', 'Петрович']],
    ['Иванов,Иван', ['Иванов', 'Иван', '']],
    ['Иванов И.П.', ['Иванов', 'И.', 'П.']],
    ['Иванова (Петрова) Анна Львовна', ['Иванова (Петрова)', 'Анна', 'Львовна']],
    ['Де ла Крус Мария', ['Де ла Крус', 'Мария', '']],
    ['van der Berg Jan', ['van der Berg', 'Jan', '']],
    ['«Иванов» Иван', ['Иванов', 'Иван', '']],
    ['Ким', ['Ким', '', '']],
  ])('%s', (fio, [surname, name, middleName]) => expect(nameParts(fio)).toEqual({ surname, name, middleName }))
})

describe('what is sought', () => {
  it.each([
    ['Вахрушев А.Г.', 'Вахрушев А Г'],
    ['Вахрушев А. Г.', 'Вахрушев А Г'],
    ['Вахрушев 3.1.1980', 'Вахрушев 03.01.1980'],
    ['А.Г. Вахрушев', 'А Г Вахрушев'],
    ['Вахрушев А.Г., 03.01.80 г.р.', 'Вахрушев А Г 03.01.1980'],
    ['Вахрушев 3/1/1980', 'Вахрушев 03.01.1980'],
    ['Вахрушев 1980-01-03', 'Вахрушев 03.01.1980'],
    ['03.01.80', '03.01.1980'],
    ['3.1.15', '03.01.2015'],
    ['Салтыков – Щедрин', 'Салтыков Щедрин'],
    ['Салтыков-Щедрин', 'Салтыков Щедрин'],
    ['Вахрушев АГ', 'Вахрушев А Г'],
    ['Вахрушев 3 января 1980', 'Вахрушев 03.01.1980'],
    ['Вахрушев А.Г., 1980 г.р.', 'Вахрушев А Г 1980'],
    ['ИВАНОВ ЛИ', 'ИВАНОВ ЛИ'],
    ['А-100', 'А-100'],
    ['Д’Артаньян', "Д'Артаньян"],
    ['8 916 111-22-33', '8 916 111-22-33'],
    ['192.168.0.1', '192.168.0.1'],
  ])('%s', (typed, expected) => expect(soughtSpelling(typed, 2026)).toBe(expected))
})

describe('phones', () => {
  const read = phone({ label: 'Телефон' }).check
  it.each([
    ['79161112233.0', '+79161112233'],
    ['9161112233.0', '+79161112233'],
    ['+7 8 916 111 22 33', '+79161112233'],
    ['+8 916 111 22 33', '+79161112233'],
    ['8\u2011916\u2011111\u201122\u201133', '+79161112233'],
    ['\u202a+7\u00a0916\u00a0111\u2009-22-33\u202c', '+79161112233'],
    ['+81 90 1234 5678', '+819012345678'],
    ['+84 912 345 678', '+84912345678'],
    ['8 (999) 123-45-67', '+79991234567'],
    ['7 8 916 111 22 33', '+79161112233'],
    ['+7+79161112233', '+79161112233'],
    ['7,9161112233E+10', '+79161112233'],
    ["'+79161112233", '+79161112233'],
    ['tel:+7-916-111-22-33', '+79161112233'],
    ['00 7 916 111-22-33', '+79161112233'],
    ['8 10 49 30 1234567', '+49301234567'],
    ['８９１６１１１２２３３', '+79161112233'],
    ['+886 912 345 678', '+886912345678'],
    ['+79161112233;', '+79161112233'],
    ['тел. 8 916 111 22 33', '+79161112233'],
    ['Моб.: 8 916 111 22 33', '+79161112233'],
    ['="79161112233"', '+79161112233'],
    ['79161112233,0', '+79161112233'],
  ])('%j', (written, expected) => expect(read(written)).toEqual({ ok: true, value: expected }))
  it.each([
    ['8 (495) 111-22-33 доб. 5', ['+74951112233'], 'доб. 5'],
    ['8 916 111-22-33, 8 916 444-55-66', ['+79161112233', '+79164445566'], ''],
    ['8 916 111-22-33 / 8 916 444-55-66 мама', ['+79161112233', '+79164445566'], 'мама'],
    ['тел. 8 916 111-22-33', ['+79161112233'], ''],
    ['89161112233 или 89164445566', ['+79161112233', '+79164445566'], ''],
    ['89161112233 мама 89164445566 папа', ['+79161112233', '+79164445566'], 'мама, папа'],
    ['7,91611E+10', [], '7, 91611E+10'],
    ['11-22-33', [], '11-22-33'],
    ['нет', [], 'нет'],
    ['89161112233 89164445566', ['+79161112233', '+79164445566'], ''],
    ['8 916 111-22-33 - 8 916 444-55-66', ['+79161112233', '+79164445566'], ''],
    ['+7(916)111-22-33 +7(916)444-55-66', ['+79161112233', '+79164445566'], ''],
    ['8(495)111-22-33(104)', ['+74951112233'], '(104)'],
    ['8 (495) 111-22-33 #104', ['+74951112233'], '#104'],
    ['WhatsApp: 89161112233', ['+79161112233'], 'WhatsApp:'],
    ['+7 701 123 45 67 / +49 1512 3456789', ['+77011234567'], '+49 1512 3456789'],
  ])('in one cell: %s', (written, phones, note) => expect(phonesIn(written)).toEqual({ phones, note }))
})

it('a Russian number of 10 or 12 digits is reported, any other is not', () => {
  expect(phoneDoubt('+791611122330')).toBe('В российском номере 11 цифр, здесь 12: проверьте')
  expect(phoneDoubt('+7916111223')).toContain('здесь 10')
  for (const phone of ['+79161112233', '+375291234567', '+4930123456', '']) expect(phoneDoubt(phone)).toBeUndefined()
})

describe('e-mail', () => {
  const read = email({ label: 'Почта' }).check
  it.each([
    'a@b.ru;',
    'mailto:a@b.ru',
    'MAILTO:a@b.ru?subject=x',
    'a@b.ru.',
    '\u200ba@b.ru\ufeff',
    '<a@b.ru>',
    ' a@b.ru, ',
    'Иван Петров <a@b.ru>',
    'e-mail: a@b.ru',
    'почта a@b.ru',
    '(a@b.ru)',
    'a\uff20b.ru',
    'a@b.ru/',
  ])('%j', (written) => expect(read(written)).toEqual({ ok: true, value: 'a@b.ru' }))
  it.each(['a@b', 'a@b.ru; c@d.ru', 'a b@c.ru'])('refuses %j', (written) =>
    expect(read(written)).toMatchObject({ ok: false }),
  )
})

describe('identifiers', () => {
  it('are read with hyphens and spaces of every kind', () => {
    expect(schemes.snils.read('112\u2011233\u2011445\u00a095')).toEqual({ ok: true, value: '11223344595' })
  })
  it.each<[SchemeName, string, string]>([
    ['snils', '11223344595.0', '11223344595'],
    ['snils', '="112-233-445 95"', '11223344595'],
    ['snils', 'СНИЛС: 112-233-445 95;', '11223344595'],
    ['snils', '112.233.445.95', '11223344595'],
    ['enp', 'ЕНП 7757910848000014.0', '7757910848000014'],
    ['innPerson', "'500100732259", '500100732259'],
    ['inn', 'ИНН 7707083893', '7707083893'],
    ['passport', 'серия 4504 номер 123456', '4504123456'],
    ['passport', '4504/123456', '4504123456'],
    ['departmentCode', '770001.0', '770001'],
  ])('%s of other programs: %s', (scheme, written, value) =>
    expect(schemes[scheme].read(written)).toEqual({ ok: true, value }),
  )
  it.each<[SchemeName, string]>([
    ['snils', '1,12233E+10'],
    ['enp', '7,75791E+15'],
    ['passport', '4504 123456 выдан'],
  ])('%s refuses what has lost digits or has other words: %s', (scheme, written) =>
    expect(schemes[scheme].read(written).ok).toBe(false),
  )
  it.each(['000-000-000 00', '111 111 111 11', '00000000000'])('СНИЛС %s is none', (written) =>
    expect(schemes.snils.read(written)).toMatchObject({ ok: false }),
  )
  it('placeholders are no policy, no ИНН and no passport', () => {
    expect(schemes.enp.read('0000000000000000').ok).toBe(false)
    expect(schemes.innPerson.read('000000000000').ok).toBe(false)
    for (const written of ['0000 000000', '1111111111']) expect(documentNumber('passport', written).ok).toBe(false)
    expect(documentNumber('other', '000000').ok).toBe(false)
  })
  it('Roman numbers are typed by letters that look so', () => {
    expect(documentNumber('birthCertificate', 'll-МЮ 123456')).toEqual({ ok: true, value: 'II-МЮ 123456' })
    expect(documentNumber('birthCertificate', 'II\u2011МЮ № 123456')).toEqual({ ok: true, value: 'II-МЮ 123456' })
    for (const written of ['Ⅱ-МЮ 123456', '2-МЮ 123456', '|I-МЮ 123456', 'П-МЮ-123456', 'II-MЮ 123456'])
      expect(documentNumber('birthCertificate', written)).toEqual({ ok: true, value: 'II-МЮ 123456' })
    expect(documentNumber('birthCertificate', 'III\u2011EP\u2011123456')).toEqual({ ok: true, value: 'III-ЕР 123456' })
    expect(documentNumber('foreignPassport', '75-1234567')).toEqual({ ok: true, value: '75 1234567' })
  })
})

it('a word is found with any case ending, and with one mistake in a long word', () => {
  for (const word of ['первичный', 'первичного', 'первичному', 'первичными', 'первичная'])
    expect(wordStem(word)).toBe('первичн')
  for (const word of ['Иванов', 'Черных', 'УЗИ', 'дом']) expect(word.startsWith(wordStem(word))).toBe(true)
  expect(wordStem('Иванов')).toBe('Иванов')
  const fits = (typed: string, meant: string) =>
    mistakesOf(typed).some(([before, after]) =>
      new RegExp(before && after ? `${before}.{0,2}${after}` : before + after).test(meant),
    )
  for (const typed of ['невролок', 'нервролог', 'невролг', 'неврлоог', 'гевролог'])
    expect([typed, fits(typed, 'невролог')]).toEqual([typed, true])
  expect(fits('хирургия', 'невролог')).toBe(false)
  expect(mistakesOf('узи')).toEqual([])
  expect(mistakesOf('N22-33')).toEqual([])
})
