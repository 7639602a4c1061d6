import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { runs } from '../../testing/runs.ts'
import { plusDays } from '../../zone.ts'
import { type Around, type Cared, faultsOf } from './faults.ts'
import {
  daysOf,
  dueOf,
  type Leave,
  type Limits,
  mseDay,
  needsChairman,
  nextStart,
  numberText,
  type Period,
  sentDiagnosis,
  stateToSend,
  stepRefusal,
} from './rules.ts'

const limits: Limits = {
  doctorDays: 15,
  feldsherDays: 10,
  feldsherPosts: ['фельдшер', 'зубной врач'],
  chairmanDays: 15,
  mseMonths: 10,
  mseLongMonths: 12,
}
const period = (dateFrom: string, dateTo: string, more: Partial<Period> = {}): Period => ({
  ...{ dateFrom, dateTo, idDoctor: 1, idChairman: null, post: 'Врач-терапевт' },
  ...more,
})
const leave: Leave = {
  ...{ reason: '01', daysBefore: 0, employer: 'ООО «Ромашка»', workType: 'main', isPrimary: true, prevLnCode: null },
  ...{ diagnosis: 'J06.9', isPregnancy12w: false, birthPlanned: null, hospitalFrom: null, hospitalTo: null },
  ...{ breachCode: null, breachDate: null, mseSent: null, mseRegistered: null, mseDone: null, mseGroup: null },
  ...{ resultCode: null, resultDate: null, workFrom: null },
}
const around: Around = {
  limits,
  patient: { snils: '11223344595', birthday: '1985-04-01', gender: 'female' },
  doctors: new Map([
    [1, { fio: 'Иванов', hasSnils: true }],
    [2, { fio: 'Петрова', hasSnils: true }],
    [3, { fio: 'Сидоров', hasSnils: false }],
  ]),
  others: [],
  previous: null,
}
const child: Cared = {
  ...{ fio: 'Петя', birthday: '2020-01-01', relation: '38', reason: '09', dateFrom: null, dateTo: null },
}
const wrong = (of: Partial<Leave>, periods: Period[], more: Partial<Around> = {}, cared: Cared[] = []) =>
  faultsOf({ ...leave, ...of }, periods, cared, { ...around, ...more })
const errors = (...asked: Parameters<typeof wrong>) =>
  wrong(...asked)
    .filter(({ level }) => level === 'error')
    .map(({ field }) => field)

const fortnight = period('2026-11-02', '2026-11-16')

describe('the commission', () => {
  it('is needed beyond fifteen days of a doctor; the extension begins on the 17th (screens.md §17)', () => {
    expect(daysOf('2026-11-02', '2026-11-16')).toBe(15)
    expect(errors({}, [fortnight])).toEqual([])
    expect(nextStart([fortnight])).toBe('2026-11-17')
    const extended = period('2026-11-17', '2026-11-20')
    expect(wrong({}, [fortnight, extended])).toEqual([
      {
        field: 'idChairman',
        message: 'Всего больше 15 дней: период подписывает и председатель ВК',
        level: 'error',
        period: 1,
      },
    ])
    expect(errors({}, [fortnight, { ...extended, idChairman: 2 }])).toEqual([])
    expect(errors({}, [fortnight, { ...extended, idChairman: 1 }])).toEqual(['idChairman'])
  })

  it('comes after ten days of a feldsher, and counts the sheets before', () => {
    const of = { reason: '01', daysBefore: 0 }
    expect(needsChairman('2026-11-02', period('2026-11-02', '2026-11-11', { post: 'Фельдшер' }), of, limits)).toBe(
      false,
    )
    expect(needsChairman('2026-11-02', period('2026-11-02', '2026-11-12', { post: 'Фельдшер' }), of, limits)).toBe(true)
    const continued = { reason: '01', daysBefore: 15 }
    expect(needsChairman('2026-11-17', period('2026-11-17', '2026-11-17'), continued, limits)).toBe(true)
  })

  it('is not asked for a leave for pregnancy and birth', () => {
    const of = { reason: '05', birthPlanned: '2027-02-01', diagnosis: null }
    expect(wrong(of, [period('2026-11-23', plusDays('2026-11-23', 139))])).toEqual([])
    expect(wrong(of, [period('2026-11-23', plusDays('2026-11-23', 140))]).map(({ level }) => level)).toEqual([
      'warning',
    ])
    expect(errors({ ...of, birthPlanned: null }, [period('2026-11-23', plusDays('2026-11-23', 193))])).toEqual([
      'birthPlanned',
    ])
  })

  it('is needed exactly when all days together are more than the doctor’s, whatever the periods', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 1, max: 12 }), { minLength: 1, maxLength: 3 }),
        fc.nat(20),
        (lengths, daysBefore) => {
          let from = '2026-01-01'
          let total = daysBefore
          for (const length of lengths) {
            const dateTo = plusDays(from, length - 1)
            total += length
            expect(needsChairman('2026-01-01', period(from, dateTo), { reason: '01', daysBefore }, limits)).toBe(
              total > 15,
            )
            from = plusDays(dateTo, 1)
          }
        },
      ),
      { numRuns: runs(100, 2000) },
    )
  })
})

describe('periods', () => {
  it.each([
    ['a gap', [fortnight, period('2026-11-18', '2026-11-20', { idChairman: 2 })], ['dateFrom']],
    ['a day twice', [fortnight, period('2026-11-16', '2026-11-20', { idChairman: 2 })], ['dateFrom']],
    ['an end before the beginning', [period('2026-11-05', '2026-11-04')], ['dateTo']],
    ['none', [], ['periods']],
    ['a doctor without СНИЛС', [period('2026-11-02', '2026-11-03', { idDoctor: 3 })], ['idDoctor']],
  ])('%s', (_, periods, fields) => expect(errors({}, periods)).toEqual(fields))

  it('are three at the most: the fourth is on a continuation', () => {
    const four = [0, 3, 6, 9].map((at) => period(plusDays('2026-11-02', at), plusDays('2026-11-02', at + 2)))
    expect(errors({}, four.slice(0, 3))).toEqual([])
    expect(errors({}, four)).toEqual(['periods'])
  })

  it('do not lie over those of another sheet, unless it is for another employer by a second job', () => {
    const other = {
      ...{ id: 7, lnCode: '910000000007', employer: 'ООО «Ромашка»' },
      ...{ workType: 'main' as const, dateFrom: '2026-11-10', dateTo: '2026-11-12' },
    }
    expect(errors({}, [fortnight], { others: [other] })).toEqual(['dateFrom'])
    expect(errors({ workType: 'second', employer: 'АО «Лютик»' }, [fortnight], { others: [other] })).toEqual([])
    expect(errors({ workType: 'second' }, [fortnight], { others: [other] })).toEqual(['dateFrom'])
    expect(errors({}, [fortnight], { others: [{ ...other, dateFrom: '2026-11-17', dateTo: '2026-11-20' }] })).toEqual(
      [],
    )
  })
})

describe('the end', () => {
  it('is the day after the last, except for who came later and able', () => {
    expect(errors({ workFrom: '2026-11-17' }, [fortnight])).toEqual([])
    expect(errors({ workFrom: '2026-11-18' }, [fortnight])).toEqual(['workFrom'])
    expect(errors({ workFrom: '2026-11-20', resultCode: '36' }, [fortnight])).toEqual([])
    expect(errors({ workFrom: '2026-11-16', resultCode: '36' }, [fortnight])).toEqual(['workFrom'])
  })

  it('of who goes on being ill has no day of work, of an invalid has an МСЭ', () => {
    expect(errors({ resultCode: '31' }, [fortnight])).toEqual([])
    expect(errors({ resultCode: '31', workFrom: '2026-11-17' }, [fortnight])).toEqual(['workFrom'])
    expect(errors({ resultCode: '32', resultDate: '2026-11-16' }, [fortnight])).toEqual(['mseSent'])
    expect(errors({ resultCode: '34' }, [fortnight])).toEqual(['resultDate'])
  })

  it('gives the state in which the sheet is sent', () => {
    const of = { resultCode: null, workFrom: null, mseSent: null, mseDone: null }
    expect(stateToSend(of, 1)).toBe('010')
    expect(stateToSend(of, 2)).toBe('020')
    expect(stateToSend({ ...of, mseSent: '2026-11-10' }, 2)).toBe('040')
    expect(stateToSend({ ...of, workFrom: '2026-11-17' }, 1)).toBe('030')
  })
})

describe('the rest of a sheet', () => {
  it('reports everything that is missing at once', () => {
    const patient = { snils: null, birthday: null, gender: 'none' } as const
    expect(errors({ reason: null, employer: ' ' }, [], { patient })).toEqual([
      ...['idCustomer', 'idCustomer', 'idCustomer', 'employer', 'periods', 'reason'],
    ])
  })

  it('names who is cared for where, and only where, care is the reason', () => {
    expect(errors({ reason: '09', diagnosis: null }, [fortnight])).toEqual(['care'])
    expect(errors({ reason: '09', diagnosis: null }, [fortnight], {}, [child])).toEqual([])
    expect(errors({}, [fortnight], {}, [child])).toEqual(['care'])
    expect(errors({ reason: '09' }, [fortnight], {}, [{ ...child, dateFrom: '2026-11-01' }])).toEqual(['care'])
  })

  it('continues the day after the one before it', () => {
    const of = { isPrimary: false, prevLnCode: '910000000001' }
    const previous = { lnCode: '910000000001', dateTo: '2026-11-01', began: '2026-10-20' }
    expect(errors(of, [fortnight], { previous })).toEqual([])
    expect(errors(of, [fortnight], { previous: { ...previous, dateTo: '2026-10-31' } })).toEqual(['dateFrom'])
    expect(errors({ isPrimary: false }, [fortnight])).toEqual(['prevLnCode'])
  })

  it('sends to МСЭ after ten months, after twelve where it was an injury', () => {
    expect(mseDay('2026-01-31', '01', limits)).toBe('2026-11-30')
    expect(mseDay('2026-01-31', '02', limits)).toBe('2027-01-31')
    const previous = { lnCode: null, dateTo: '2026-11-01', began: '2026-01-10' }
    const fields = wrong({ isPrimary: false, prevLnCode: '910000000001' }, [fortnight], { previous })
    expect(fields.map(({ field, level }) => [field, level])).toEqual([['mseSent', 'warning']])
  })
})

it.each([
  ['ends today', { dateTo: '2026-11-16', aloneUntil: '2026-11-20' }, 'today'],
  ['is replaced by a duplicate, and still valid', { isReplaced: true, dateTo: '2026-11-30' }, 'former'],
  ['ends today, and the doctor may no more', { dateTo: '2026-11-16', aloneUntil: '2026-11-16' }, 'chairman'],
  ['has ended', { dateTo: '2026-11-15' }, 'overdue'],
  ['has ended and is closed', { dateTo: '2026-11-15', isClosed: true }, 'none'],
  ['has ended and is paid', { dateTo: '2026-11-15', stateSfr: '080' }, 'none'],
  ['waits for signatures', { localStatus: 'toSign' }, 'sign'],
  ['was refused', { localStatus: 'rejected', dateTo: '2026-11-15' }, 'rejected'],
] as const)('due: what %s', (_, of, due) => {
  const facts = {
    localStatus: 'accepted',
    stateSfr: '010',
    isClosed: false,
    dateTo: '2026-11-20',
    aloneUntil: null,
    isReplaced: false,
  } as const
  expect(dueOf({ ...facts, ...of }, '2026-11-16')).toBe(due)
})

it('hides the diagnoses that the clinic names', () => {
  const hidden = ['A15-A19', 'B20–B24', 'F00-F99', 'Z21']
  expect(['A16.2', 'B24', 'F32.1', 'Z21', 'J06.9', 'A20'].map((code) => sentDiagnosis(code, hidden))).toEqual([
    ...['000', '000', '000', '000', 'J06.9', 'A20'],
  ])
})

it('writes numbers in groups', () => expect(numberText('910123456789')).toBe('910 123 456 789'))

it('changes nothing that is on its way, ended or disputed', () => {
  const of = { localStatus: 'accepted', stateSfr: '010', isClosed: false, lnCode: '910000000001' } as const
  expect(stepRefusal('extend', of)).toBeUndefined()
  expect(stepRefusal('extend', { ...of, localStatus: 'sent' })).toMatch(/дождитесь/)
  expect(stepRefusal('change', { ...of, stateSfr: '080' })).toMatch(/дубликатом/)
  expect(stepRefusal('cancel', { ...of, stateSfr: null })).toMatch(/удалить/)
  expect(stepRefusal('next', of)).toMatch(/закрытому/)
  expect(stepRefusal('next', { ...of, isClosed: true, stateSfr: '030' })).toBeUndefined()
  expect(stepRefusal('close', { ...of, localStatus: 'dispute' })).toMatch(/расхождение/)
  expect(stepRefusal('settle', { ...of, localStatus: 'dispute' })).toBeUndefined()
})
