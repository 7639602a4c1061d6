import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { accountFits, enpPerson, identifierText, type SchemeName, schemes } from './identifiers.ts'

const kept = (scheme: SchemeName, written: string) => {
  const read = schemes[scheme].read(written)
  return read.ok ? read.value : undefined
}

describe('identifiers', () => {
  it.each<[SchemeName, string, string]>([
    ['snils', '112-233-445 95', '11223344595'],
    ['snils', '112 233 445 95', '11223344595'],
    ['snils', '11223344595', '11223344595'],
    ['snils', '100-028-889 00', '10002888900'],
    ['snils', '100-028-987 00', '10002898700'],
    ['snils', '102-889-999 00', '10288999900'],
    // Up to 001-001-998 there is no check number.
    ['snils', '001-001-998 77', '00100199877'],
    ['enp', '7757 9108 4800 0014', '7757910848000014'],
    ['enp', '5088489776000027', '5088489776000027'],
    ['inn', '7707083893', '7707083893'],
    ['inn', '500100732259', '500100732259'],
    ['innPerson', '5001 007322 59', '500100732259'],
    ['kpp', '770701001', '770701001'],
    ['kpp', '7707АВ001', '7707AB001'],
    ['ogrn', '1027700132195', '1027700132195'],
    ['ogrn', '304500116000157', '304500116000157'],
    ['bik', '044525225', '044525225'],
    ['account', '40702 810 9 3800 0000001', '40702810938000000001'],
    ['passport', '45 04 123456', '4504123456'],
    ['passport', '45 04 № 123456', '4504123456'],
    ['departmentCode', '770-001', '770001'],
    ['icd10', 'j06.9', 'J06.9'],
    ['icd10', 'К21', 'K21'],
    ['icd10', 'С50,1', 'C50.1'],
    ['medicalService', 'А26.08.027.008', 'A26.08.027.008'],
    ['gtin', '04607026450312', '04607026450312'],
    ['gtin', '4607026450312', '04607026450312'],
    ['sscc', '146070264500000012', '146070264500000012'],
  ])('%s %s', (scheme, written, expected) => expect(kept(scheme, written)).toBe(expected))

  it.each<[SchemeName, string, string]>([
    ['snils', '112-233-445 96', 'СНИЛС: контрольное число не сходится, проверьте цифры'],
    ['snils', '112-233-445', 'СНИЛС: нужно 11 цифр, введено 9'],
    ['snils', 'нет', 'СНИЛС состоит из цифр'],
    ['enp', '7757910848000015', 'Полис ОМС: контрольное число не сходится, проверьте цифры'],
    ['inn', '7707083894', 'ИНН: контрольное число не сходится, проверьте цифры'],
    ['inn', '77070838', 'ИНН: нужно 10 или 12 цифр, введено 8'],
    ['innPerson', '7707083893', 'ИНН: нужно 12 цифр, введено 10'],
    ['kpp', '77010', 'КПП пишется как 770101001'],
    ['ogrn', '1027700132196', 'ОГРН: контрольное число не сходится, проверьте цифры'],
    ['icd10', '06.9', 'Код МКБ-10 пишется как J06.9'],
    ['medicalService', 'C26.08.027', 'Код услуги пишется как A26.08.027.008'],
    ['gtin', '04607026450313', 'GTIN: контрольное число не сходится, проверьте цифры'],
    ['sscc', '146070264500000013', 'SSCC: контрольное число не сходится, проверьте цифры'],
  ])('%s %s: %s', (scheme, written, message) => expect(schemes[scheme].read(written)).toEqual({ ok: false, message }))

  it('are shown as people read them, and read back from that', () => {
    expect(identifierText('snils', '11223344595')).toBe('112-233-445 95')
    expect(identifierText('passport', '4504123456')).toBe('45 04 123456')
    expect(identifierText('account', '40702810938000000001')).toBe('40702 810 9 3800 0000001')
    expect(identifierText('inn', '7707083893')).toBe('7707083893')
    for (const [name, scheme] of Object.entries(schemes))
      for (const number of [0, 1, 7, 99]) {
        const sample = scheme.sample(number)
        expect([name, scheme.read(scheme.text(sample))]).toEqual([name, { ok: true, value: sample }])
        expect(sample).toMatch(new RegExp(scheme.pattern))
      }
  })

  it('notice one wrong digit wherever there is a check number', () => {
    const checked = ['snils', 'enp', 'gtin', 'sscc'] as const
    fc.assert(
      fc.property(
        fc.constantFrom(...checked),
        fc.nat(9999),
        fc.nat(17),
        fc.integer({ min: 1, max: 9 }),
        (s, n, at, by) => {
          const sample = schemes[s].sample(n)
          const place = at % sample.length
          const broken = sample.slice(0, place) + ((Number(sample[place]) + by) % 10) + sample.slice(place + 1)
          // A remainder of 100 and one of 0 share the check number of СНИЛС.
          if (s === 'snils' && sample.endsWith('00')) return
          expect(schemes[s].read(broken).ok).toBe(false)
        },
      ),
    )
  })

  it('an account is one of its bank', () => {
    expect(accountFits('044525225', '40702810938000000001')).toBe(true)
    expect(accountFits('044525225', '40702810938000000002')).toBe(false)
    expect(accountFits('044525225', '30101810400000000225')).toBe(true)
  })

  it('a policy number contains birthday and sex', () => {
    expect(enpPerson('7757910848000014')).toEqual({ birthday: '01.02.1980', gender: 'male' })
    expect(enpPerson('5088489776000027')).toEqual({ birthday: '23.11.2015', gender: 'female' })
    expect(enpPerson('7799999999000000')).toBeUndefined()
  })
})
