import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { runs } from '../../testing/runs.ts'
import { followersOf } from './dependencies.ts'
import { derive, formulaError } from './derived.ts'
import { type TubeKind, tubesOf } from './preanalytics.ts'
import { readValue } from './reading.ts'
import { type ItemStatus, orderStatusOf, sampleSteps, wrongOrderStep, wrongSampleStep } from './states.ts'
import { readyAt } from './term.ts'
import { conversion, plainUnit, readCoefficient } from './units.ts'
import {
  ageInDays,
  deltaOf,
  dilution,
  flagOf,
  measured,
  type Norm,
  normFor,
  normText,
  numberText,
  phaseOf,
  valueWords,
  withDecimals,
} from './values.ts'
import { brokenRules, sigmaOf, zOf } from './westgard.ts'

const norm = (more: Partial<Norm> = {}): Norm => ({
  sex: null,
  ageFrom: null,
  ageTo: null,
  trimester: null,
  cyclePhase: null,
  low: null,
  high: null,
  criticalLow: null,
  criticalHigh: null,
  text: null,
  ...more,
})
const adult = { sex: 'female' as const, ageDays: 30 * 365, pregnancyWeeks: null, cyclePhase: null }

describe('tubes', () => {
  const YELLOW = 1
  const VIOLET = 2
  const kinds = new Map<number, TubeKind>([
    [YELLOW, { usable: 2, order: 4 }],
    [VIOLET, { usable: 2, order: 6 }],
  ])
  const line = (id: number, idContainer: number, volume: number) => ({
    ...{
      id,
      idLaboratory: 1,
      biomaterial: idContainer === YELLOW ? 'serum' : 'venous',
      idContainer,
      tempMode: 'cold',
      volume,
    },
  })

  it('gives two biochemistry tests and a blood count one yellow and one violet tube', () => {
    const tubes = tubesOf([line(1, VIOLET, 1), line(2, YELLOW, 0.5), line(3, YELLOW, 0.5)], kinds)
    expect(tubes.map(({ idContainer, lines }) => [idContainer, lines])).toEqual([
      [YELLOW, [2, 3]],
      [VIOLET, [1]],
    ])
  })

  it('takes another tube where the material of one does not suffice, and parts laboratories and temperatures', () => {
    const many = Array.from({ length: 11 }, (_, at) => line(at, YELLOW, 0.2))
    expect(tubesOf(many, kinds)).toHaveLength(2)
    expect(tubesOf([line(1, YELLOW, 1), { ...line(2, YELLOW, 1), idLaboratory: 2 }], kinds)).toHaveLength(2)
    expect(tubesOf([line(1, YELLOW, 1), { ...line(2, YELLOW, 1), tempMode: 'frozen' }], kinds)).toHaveLength(2)
  })

  it('fills no tube over its volume, parts only what is too large, and wastes no tube', () => {
    expect(tubesOf([line(1, YELLOW, 1.2), line(2, YELLOW, 1.2), line(3, YELLOW, 1.2)], kinds)).toHaveLength(3)
    const large = tubesOf([line(1, YELLOW, 5)], kinds)
    expect(large.map(({ volume, part }) => [volume, part])).toEqual([
      [2, 0],
      [2, 1],
      [1, 2],
    ])
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 700 }), { minLength: 1, maxLength: 40 }), (volumes) => {
        const tubes = tubesOf(
          volumes.map((volume, at) => line(at, YELLOW, volume / 100)),
          kinds,
        )
        const hundredths = tubes.map(({ volume }) => Math.round(volume * 100))
        for (const poured of hundredths) expect(poured).toBeLessThanOrEqual(200)
        expect(hundredths.reduce((sum, one) => sum + one, 0)).toBe(volumes.reduce((sum, one) => sum + one, 0))
        for (const [id, volume] of volumes.entries())
          expect(tubes.filter(({ lines }) => lines.includes(id))).toHaveLength(Math.max(1, Math.ceil(volume / 200)))
        // Of two shared tubes the material does not fit into one.
        const shared = tubes.filter(({ lines }) => lines.every((id) => (volumes[id] as number) <= 200))
        for (const [at, one] of shared.entries())
          for (const other of shared.slice(at + 1)) expect(one.volume + other.volume).toBeGreaterThan(2)
      }),
      { numRuns: runs(40, 2_000) },
    )
  })
})

describe('norms', () => {
  it('chooses by the age on the day of taking, by sex, pregnancy and cycle, the closest of those that fit', () => {
    const norms = [
      norm({ low: 120, high: 150 }),
      norm({ sex: 'female', low: 117, high: 155 }),
      norm({ ageFrom: 0, ageTo: 14 * 365 - 1, low: 110, high: 145 }),
      norm({ sex: 'female', trimester: 'second', low: 105, high: 140 }),
      norm({ sex: 'female', cyclePhase: 'luteal', low: 1, high: 2 }),
    ]
    expect(normFor(norms, adult)?.low).toBe(117)
    expect(normFor(norms, { ...adult, sex: 'male' })?.low).toBe(120)
    expect(normFor(norms, { ...adult, sex: 'male', ageDays: 3650 })?.low).toBe(110)
    expect(normFor(norms, { ...adult, pregnancyWeeks: 20 })?.low).toBe(105)
    expect(normFor(norms, { ...adult, cyclePhase: 'luteal' })?.low).toBe(1)
    expect(normFor([norm({ sex: 'male', low: 1 })], adult)).toBeUndefined()
    // The same child, on the day of sampling and on the day of printing.
    const born = '01.06.2012'
    const age = (day: string) => normFor(norms, { ...adult, sex: 'male', ageDays: ageInDays(born, day) })?.low
    expect(age('2026-05-20')).toBe(110)
    expect(age('2026-06-20')).toBe(120)
  })

  it('does not take a norm of children for whose age is not known', () => {
    const norms = [norm({ ageFrom: 0, ageTo: 364, low: 1 }), norm({ ageFrom: 365, low: 2 })]
    expect(normFor(norms, { ...adult, ageDays: undefined })?.low).toBe(2)
    expect(ageInDays('2027-01-01', '2026-01-01')).toBeUndefined()
  })

  it('reads values as devices write them, and compares nothing that is no number', () => {
    expect(measured('  5.5')).toEqual({ number: 5.5 })
    expect([valueWords('5.68'), valueWords('<0.5'), valueWords('**.*')]).toEqual(['5,68', '<0,5', '**.*'])
    expect(measured('<0,5')).toEqual({ number: 0.5, bound: '<' })
    for (const text of ['**.*', 'INVALID', 'NOT DETECTED', '1:20', '', '5.5.5', '5 5'])
      expect(measured(text), text).toBeUndefined()
    expect(dilution('1:160')).toBe(160)
    const between = norm({ low: 3, high: 5, criticalLow: 2, criticalHigh: 9 })
    const flag = (value: string) => flagOf('number', value, between)
    expect(['3', '5', '2.9', '5.1', '1.9', '9.1', '2', '9'].map(flag)).toEqual([
      'N',
      'N',
      'L',
      'H',
      'LL',
      'HH',
      'L',
      'H',
    ])
    expect(flag('***.**')).toBeNull()
    expect(flag('<2')).toBe('LL')
    expect(flag('<3')).toBe('L')
    // A value «<4» of a device may be anything below 4.
    expect(flag('<4')).toBeNull()
    expect(flag('>9')).toBe('HH')
    expect(flagOf('number', '<0.1', norm({ high: 5 }))).toBe('N')
    expect(flagOf('number', '4', undefined)).toBeNull()
  })

  it('judges words, choices and titres by the same function', () => {
    const choices = [
      { value: 'не обнаружено', normal: true },
      { value: 'обнаружено', normal: false },
    ]
    expect(flagOf('enum', 'Не обнаружено', undefined, choices)).toBe('N')
    expect(flagOf('enum', 'обнаружено', undefined, choices)).toBe('A')
    expect(flagOf('enum', 'что-то', undefined, choices)).toBeNull()
    expect(flagOf('text', 'Роста нет', norm({ text: 'роста нет' }))).toBe('N')
    expect(flagOf('titer', '1:160', norm({ text: '1:40' }))).toBe('A')
    expect(flagOf('titer', '1:20', norm({ high: 40 }))).toBe('N')
  })

  it('gives norms in words and differences in per cent', () => {
    expect(normText(norm({ low: 3.5, high: 5.1 }))).toBe('3,5–5,1')
    expect(normText(norm({ high: 5 }))).toBe('до 5')
    expect(normText(norm({ low: 60 }))).toBe('более 60')
    expect(deltaOf('6', '5')).toBe(20)
    expect(deltaOf('<6', '5')).toBeNull()
    expect(deltaOf('6', '0')).toBeNull()
    expect(deltaOf('6', null)).toBeNull()
    expect(withDecimals(1.005, 2)).toBe('1.01')
    expect(withDecimals(-2.345, 1)).toBe('-2.3')
  })
})

describe('states', () => {
  it('takes the least advanced line for the state of an order', () => {
    const of = (...items: ItemStatus[]) => orderStatusOf(items, false)
    expect(of('planned', 'taken')).toBe('placed')
    expect(of('taken', 'taken', 'cancelled')).toBe('taken')
    expect(of('taken', 'sent')).toBe('sent')
    expect(of('inWork', 'sent')).toBe('inWork')
    expect(of('done', 'inWork')).toBe('partial')
    expect(of('rejected', 'inWork')).toBe('rejected')
    expect(of('done', 'done')).toBe('done')
    expect(orderStatusOf(['done'], true)).toBe('issued')
    expect(of('cancelled')).toBe('cancelled')
  })

  it('cancels before the work begins, issues what is ready', () => {
    expect(wrongOrderStep('cancel', 'sent')).toBeUndefined()
    expect(wrongOrderStep('cancel', 'inWork')).toMatch(/не отменяют/)
    expect(wrongOrderStep('issue', 'inWork')).toMatch(/готовый/)
    expect(wrongSampleStep('receive', 'planned')).toBe('Проба ещё не взята')
    expect(wrongSampleStep('take', 'taken')).toMatch(/^Уже/)
    for (const { from, to } of Object.values(sampleSteps)) expect(from as readonly string[]).not.toContain(to)
  })
})

describe('terms, formulas, units', () => {
  it('counts working days from the hour until which material is taken', () => {
    const friday = Date.parse('2026-11-27T12:00:00+03:00')
    const late = Date.parse('2026-11-27T17:30:00+03:00')
    const of = (at: number, cito = false, isPartner = true) =>
      readyAt({ termDays: 2, cutoff: '16:00', isPartner }, at, 'Europe/Moscow', new Map(), cito)
    expect(of(friday)).toBe('2026-12-01T15:00:00.000Z')
    expect(of(late)).toBe('2026-12-02T15:00:00.000Z')
    expect(of(friday, true)).toBe('2026-11-30T15:00:00.000Z')
    expect(of(friday, true, false)).toBe('2026-11-27T11:00:00.000Z')
  })

  it('reckons derived analytes, and nothing while a part is missing or is a bound', () => {
    const values: Record<string, string> = { chol: '5.2', hdl: '1.3', tg: '1.1' }
    expect(derive('CHOL - HDL - TG / 2,2', 2, (code) => values[code])).toBe('3.40')
    expect(derive('CHOL - HDL - TG / 2,2', 2, (code) => (code === 'tg' ? '<0.5' : values[code]))).toBeUndefined()
    expect(derive('CHOL / HDL', 1, (code) => (code === 'hdl' ? '0' : '5'))).toBeUndefined()
    expect(formulaError('CHOL - XX', (code) => code === 'chol')).toMatch(/xx/)
    expect(formulaError('CHOL -', () => true)).toBeTruthy()
  })

  it('converts units of one base', () => {
    expect(readCoefficient('1/60')).toBeCloseTo(1 / 60)
    expect(readCoefficient('10^3')).toBe(1000)
    expect(readCoefficient('0,001')).toBe(0.001)
    for (const text of ['', 'a', '1/0', '-1', null]) expect(readCoefficient(text)).toBeUndefined()
    const unit = (name: string, base: string, factor: number) => ({ name, base, factor, ucum: null })
    expect(conversion(unit('мг/дл', 'г/л', 0.01), unit('мг/л', 'г/л', 0.001))).toBeCloseTo(10)
    expect(conversion(unit('мг/дл', 'г/л', 0.01), unit('ммоль/л', 'ммоль/л', 1))).toBeUndefined()
    expect(plainUnit(' 10*9/L ')).toBe(plainUnit('10⁹/l'))
    expect(plainUnit('µmol/L')).toBe(plainUnit('umol/l'))
    expect(plainUnit('mg/dL')).not.toBe(plainUnit('mg/L'))
  })
})

describe('rules of Westgard', () => {
  const last = (...z: number[]) => brokenRules(z, { mean: 0, sd: 1 })
  it('distinguishes a warning from a rejection', () => {
    expect(last(0.5)).toEqual([])
    expect(last(0.1, 2.1)).toEqual(['1-2s'])
    expect(last(0.1, -3.1)).toEqual(['1-3s'])
    expect(last(2.1, 2.4)).toEqual(['2-2s'])
    expect(last(-2.1, 2.1)).toEqual(['R-4s'])
    expect(last(1.1, 1.2, 1.3, 1.4)).toEqual(['4-1s'])
    expect(last(...Array.from({ length: 10 }, () => 0.3))).toEqual(['10x'])
    expect(last(...Array.from({ length: 9 }, () => 0.3))).toEqual([])
    expect(last(1.1, -1.2, 1.3, 1.4)).toEqual([])
  })

  it('takes a value exactly at a limit as within it, as integers do', () => {
    expect(brokenRules(['5.200'], { mean: 5, sd: 0.1 })).toEqual([])
    expect(brokenRules(['5.201'], { mean: 5, sd: 0.1 })).toEqual(['1-2s'])
    expect([zOf('5.2', { mean: '5.0000', sd: '0.1000' }), zOf(5, { mean: 5, sd: 0 })]).toEqual([2, null])
    // Limits and values are whole numbers of thousandths, near the limits.
    const near = fc.tuple(fc.integer({ min: -4, max: 4 }), fc.integer({ min: -1, max: 1 }))
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 99_999 }),
        fc.integer({ min: 1, max: 999 }),
        fc.array(near, { minLength: 1, maxLength: 12 }),
        (mean, sd, steps) => {
          const whole = steps.map(([times, off]) => times * sd + off)
          const text = (value: number) => (value / 1000).toFixed(3)
          const beyond = (count: number, limit: number) =>
            whole.length >= count &&
            (whole.slice(-count).every((one) => one > limit) || whole.slice(-count).every((one) => one < -limit))
          const [before = 0, now] = [whole.at(-2), whole.at(-1) as number]
          const wanted = [
            ...(Math.abs(now) > 3 * sd ? ['1-3s'] : []),
            ...(beyond(2, 2 * sd) ? ['2-2s'] : []),
            ...(whole.length > 1 && Math.abs(now - before) > 4 * sd && now * before < 0 ? ['R-4s'] : []),
            ...(beyond(4, sd) ? ['4-1s'] : []),
            ...(beyond(10, 0) ? ['10x'] : []),
          ]
          expect(
            brokenRules(
              whole.map((one) => text(mean + one)),
              { mean: text(mean), sd: text(sd) },
            ),
          ).toEqual(wanted.length === 0 && Math.abs(now) > 2 * sd ? ['1-2s'] : wanted)
        },
      ),
      { numRuns: runs(300, 20_000) },
    )
  })

  it('gives sigma of a method', () => {
    expect(sigmaOf({ tea: 10, mean: 100, sd: 2, observed: 102 })).toBe(4)
    expect(sigmaOf({ tea: null, mean: 100, sd: 2, observed: 102 })).toBeNull()
  })
})

describe('reading of values', () => {
  const choices = [
    { value: 'не обнаружено', normal: true },
    { value: 'обнаружено', normal: false },
  ]
  it('reads numbers of every notation in one, and keeps their bounds and digits', () => {
    const read: Record<string, string> = {
      '5.50': '5.50',
      ' 5,5 ': '5.5',
      '+5.5': '5.5',
      '−1.5': '-1.5',
      '.5': '0.5',
      '5.': '5',
      '007': '007',
      '1.2E+01': '12',
      '1,2e-3': '0.0012',
      '1.25*10^3': '1250',
      '<0,5': '<0.5',
      '< 0.5': '<0.5',
      '≤5': '<=5',
      '=>10': '>=10',
      '>1E2': '>100',
    }
    for (const [written, text] of Object.entries(read)) expect(numberText(written), written).toBe(text)
    for (const written of ['', '-', '-----', '**.*', 'E05', '1:20', '5 5', '1,234.5', '4-6', '5.5H', '1e999', '++'])
      expect(numberText(written), written).toBeUndefined()
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 10 ** 9 }), fc.integer({ min: -6, max: 6 }), (digits, power) => {
        const exact = power < 0 ? (digits / 10 ** -power).toFixed(-power) : String(digits * 10 ** power)
        expect(Number(numberText(`${digits}E${power}`))).toBe(Number(exact))
      }),
      { numRuns: runs(100, 10_000) },
    )
  })

  it('reads each text as exactly one kind, and puts the others aside', () => {
    const number = { type: 'number' as const, choices: null }
    expect(readValue(number, '<=5')).toEqual({ kind: 'number', value: '<=5', number: 5, bound: '<=' })
    expect(readValue(number, '-----')).toEqual({ kind: 'aside', why: 'form' })
    expect(readValue(number, ' ')).toEqual({ kind: 'aside', why: 'empty' })
    expect(readValue({ ...number, choices }, 'НЕ обнаружено')).toEqual({ kind: 'word', value: 'не обнаружено' })
    expect(readValue({ type: 'enum', choices }, 'NEG')).toEqual({ kind: 'aside', why: 'form' })
    const meanings = [
      { said: 'NEG', value: 'не обнаружено' },
      { said: '-----', value: null },
    ]
    expect(readValue({ type: 'enum', choices }, 'neg', meanings)).toEqual({ kind: 'word', value: 'не обнаружено' })
    expect(readValue(number, '-----', meanings)).toEqual({ kind: 'none', value: '-----' })
    expect(readValue({ type: 'titer', choices: null }, '1:160').kind).toBe('word')
    expect(readValue({ type: 'text', choices: null }, '***').kind).toBe('aside')
    expect(readValue({ type: 'text', choices: null }, 'Роста нет').kind).toBe('word')
  })

  it('flags a bound only where every number within it agrees', () => {
    const limits = norm({ low: 3, high: 5, criticalLow: 2, criticalHigh: 9 })
    const flag = (value: string) => flagOf('number', value, limits)
    expect(['<2', '<=2', '<3', '<=3', '>9', '>=9', '>5', '>=5', '>=5.1'].map(flag)).toEqual([
      'LL',
      'L',
      'L',
      null,
      'HH',
      'H',
      'H',
      null,
      'H',
    ])
    expect(flagOf('number', '<1', norm({ high: 5, criticalLow: 0.5 }))).toBeNull()
  })
})

describe('what follows from what', () => {
  it('is redone after all it takes', () => {
    expect(followersOf(['value'])).toEqual(['derived', 'flag', 'call', 'paper'])
    expect(followersOf(['patient'])).toEqual(['flag', 'call', 'paper'])
    expect(followersOf([])).toEqual([])
  })
  it('takes a norm of the analyser and the method before a general one, and of postmenopause', () => {
    const norms = [
      norm({ low: 1 }),
      norm({ low: 2, idDevice: 7 }),
      norm({ low: 3, method: 'ИФА' }),
      norm({ low: 4, cyclePhase: 'menopause' }),
    ]
    const low = (idDevice: number | null, method: string | null, patient = adult) =>
      normFor(norms, patient, { idDevice, method })?.low
    expect([low(null, null), low(7, null), low(8, 'ифа')]).toEqual([1, 2, 3])
    expect(normFor(norms, { ...adult, cyclePhase: phaseOf(null, true) })?.low).toBe(4)
  })
})
