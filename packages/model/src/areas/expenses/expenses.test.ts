import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isIncoming, matchExpense, readStatement, statementSum } from './statement.ts'
import { monthsLater, repeatDay, routeOf, vatWithin } from './states.ts'

const document = (more: Record<string, string>) =>
  Object.entries({
    Номер: '15',
    Дата: '05.11.2026',
    Сумма: '120000.00',
    ПлательщикСчет: '40702810938000000001',
    ПлательщикИНН: '7707083893',
    ПолучательСчет: '40702810000000000002',
    ПолучательИНН: '7728168971',
    Получатель1: 'ООО «Аренда»',
    ДатаСписано: '06.11.2026',
    НазначениеПлатежа: 'Оплата по счёту А-77 за аренду',
    ...more,
  })
    .map(([key, value]) => `${key}=${value}`)
    .join('\r\n')
const file = (...documents: string[]) =>
  [
    '1CClientBankExchange',
    'ВерсияФормата=1.03',
    'Кодировка=Windows',
    'ДатаНачала=01.11.2026',
    'ДатаКонца=30.11.2026',
    'РасчСчет=40702810938000000001',
    'СекцияРасчСчет',
    'НачальныйОстаток=500000.00',
    'РасчСчет=40702810938000000001',
    'КонечныйОстаток=380000.00',
    'КонецРасчСчет',
    ...documents.flatMap((one) => ['СекцияДокумент=Платежное поручение', one, 'КонецДокумента']),
    'КонецФайла',
  ].join('\r\n')

describe('a statement of the bank', () => {
  it('gives its account, its sums and its operations', () => {
    const read = readStatement(file(document({}), document({ Сумма: 'x' })))
    expect(read).toMatchObject({
      account: '40702810938000000001',
      from: '2026-11-01',
      opening: 500_000_00,
      closing: 380_000_00,
      problems: ['Строка 24, документ 15: не читается сумма «x»'],
    })
    expect(read.documents).toEqual([
      expect.objectContaining({
        day: '2026-11-06',
        kopecks: 120_000_00,
        payee: 'ООО «Аренда»',
        payeeInn: '7728168971',
      }),
    ])
    expect(isIncoming(read.documents[0] as never, read.account)).toBe(false)
  })
  it('reports that balances do not follow from the operations', () => {
    expect(readStatement(file(document({ Сумма: '100000.00' }))).problems).toEqual([
      expect.stringMatching(/^Остатки не сходятся на 20\s000/),
    ])
  })
  it('is refused where it is something else', () => {
    expect(() => readStatement('Дата;Сумма')).toThrow(/не выписка/)
  })
  it.each([
    ['120000.00', 120_000_00],
    ['0,5', 50],
    ['7', 700],
    ['', undefined],
    ['1e3', undefined],
  ])('reads the sum «%s»', (text, kopecks) => expect(statementSum(text)).toBe(kopecks))

  const paid = { kopecks: 100, payeeInn: '7728168971', purpose: 'Счёт А-77', day: '2026-11-06' }
  const payable = { id: 1, kopecks: 100, inn: null, number: null, day: '2026-11-01' }
  it.each([
    ['the same contractor', [{ ...payable, inn: '7728168971' }], 1],
    ['the number of the document', [{ ...payable, number: 'А-77' }], 1],
    [
      'the nearest day',
      [
        { ...payable, inn: '7728168971' },
        { ...payable, id: 2, inn: '7728168971', day: '2026-11-05' },
      ],
      2,
    ],
    ['another sum', [{ ...payable, kopecks: 101, inn: '7728168971' }], undefined],
    ['another contractor', [{ ...payable, inn: '1' }], undefined],
  ])('is matched by %s', (_, expenses, id) => expect(matchExpense(paid, expenses)).toBe(id))
})

describe('a route', () => {
  const step = (id: number, idUser: number, fromSum: number, more = {}) => ({
    ...{ id, idUser, fromSum, order: id },
    idFilial: null,
    idArticle: null,
    ...more,
  })
  it('asks those whose limit is reached, each once, in order', () => {
    const steps = [
      step(1, 10, 0),
      step(2, 20, 50_000),
      step(3, 10, 100_000),
      step(4, 30, 0, { idFilial: 2 }),
      step(5, 40, 0, { idArticle: 9 }),
    ]
    expect(routeOf(steps, { sum: 10_000, idFilial: 1, articles: [5] })).toEqual([10])
    expect(routeOf(steps, { sum: 100_000, idFilial: 2, articles: [5, 9] })).toEqual([10, 20, 30, 40])
  })
})

it('repeats on the same day, or on the last of a shorter month', () => {
  expect([1, 2, 3].map((n) => repeatDay('2026-01-31', 'month', n))).toEqual(['2026-02-28', '2026-03-31', '2026-04-30'])
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 60 }), (n) => {
      expect(monthsLater(monthsLater('2026-05-01', n), -n)).toBe('2026-05-01')
    }),
  )
})

it('takes the VAT that is within a sum', () => {
  expect(vatWithin(122_00, 22)).toBe(22_00)
  expect(vatWithin(100_00, 10)).toBe(9_09)
  expect(vatWithin(100_00, 0)).toBe(0)
})
