import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { lastDay, mayAdvertise, missingTemplates, needsRepresentative, signRefusal, statusOf } from './rules.ts'
import { filledText, strangePlace } from './text.ts'

const today = '2026-11-22'
const none = { signedAt: null, revokedAt: null, validTo: null }
const signed = { ...none, signedAt: '2026-01-10T10:00:00Z' }

describe('a consent', () => {
  it.each([
    [none, 'draft'],
    [{ ...none, validTo: '2020-01-01' }, 'draft'],
    [signed, 'signed'],
    [{ ...signed, validTo: today }, 'signed'],
    [{ ...signed, validTo: '2026-11-21' }, 'expired'],
    [{ ...signed, validTo: '2026-11-21', revokedAt: '2026-02-01T10:00:00Z' }, 'revoked'],
  ])('%o is %s', (facts, status) => expect(statusOf(facts, today)).toBe(status))

  it.each([
    ['2026-11-22', 0, null],
    ['2026-11-22', 12, '2027-11-21'],
    ['2026-01-31', 1, '2026-02-27'],
    ['2026-12-15', 1, '2027-01-14'],
    ['2024-02-29', 12, '2025-02-27'],
  ])('signed on %s for %i months holds to %s', (day, months, last) => expect(lastDay(day, months)).toBe(last))
})

describe('who signs', () => {
  it.each([
    ['22.11.2011', false],
    ['23.11.2011', true],
    ['01.01.2020', true],
    ['01.01.1980', false],
    [null, false],
  ])('born on %s: a representative is needed: %s', (birthday, needed) =>
    expect(needsRepresentative(birthday, today)).toBe(needed),
  )

  it('comes of age once and stays so', () => {
    const day = fc.date({ min: new Date('2000-01-01'), max: new Date('2030-12-31'), noInvalidDate: true })
    fc.assert(
      fc.property(day, day, fc.integer({ min: 0, max: 4000 }), (born, at, later) => {
        const iso = (date: Date) => date.toISOString().slice(0, 10)
        const birthday = iso(born).split('-').reverse().join('.')
        const after = iso(new Date(at.getTime() + later * 86_400_000))
        if (!needsRepresentative(birthday, iso(at))) expect(needsRepresentative(birthday, after)).toBe(false)
      }),
    )
  })

  it('is refused with the reason', () => {
    const mother = { signs: 'yes', dateTo: null } as const
    expect(signRefusal('01.01.2020', null, today)).toMatch('нет 15 лет')
    expect(signRefusal('01.01.2020', mother, today)).toBeUndefined()
    expect(signRefusal('01.01.2020', { ...mother, signs: 'no' }, today)).toMatch('не подписывает')
    expect(signRefusal('01.01.1980', { ...mother, dateTo: '2026-11-21' }, today)).toMatch('истекли')
    expect(signRefusal('01.01.1980', { ...mother, dateTo: today }, today)).toBeUndefined()
    expect(signRefusal('01.01.1980', null, today)).toBeUndefined()
  })
})

describe('advertising', () => {
  const ads = { ...signed, type: 'ads', channels: ['sms'] } as const
  it.each([
    ['a consent that names the channel', [ads], true],
    ['another channel', [{ ...ads, channels: ['email'] as const }], false],
    ['another consent', [{ ...ads, type: 'pd' as const }], false],
    ['a draft', [{ ...ads, signedAt: null }], false],
    ['a revoked one', [{ ...ads, revokedAt: '2026-02-01T10:00:00Z' }], false],
    ['one that has ended', [{ ...ads, validTo: '2026-11-21' }], false],
    ['a revoked one and a newer', [{ ...ads, revokedAt: '2026-02-01T10:00:00Z' }, ads], true],
    ['nothing', [], false],
  ])('%s', (_case, consents, may) => expect(mayAdvertise(consents, 'sms', today)).toBe(may))
})

it('lists documents for all patients that this patient has not signed', () => {
  const templates = [
    { id: 1, isDefault: true },
    { id: 2, isDefault: true },
    { id: 3, isDefault: false },
  ]
  const found = missingTemplates(
    templates,
    [
      { ...signed, idTemplate: 1 },
      { ...none, idTemplate: 2 },
    ],
    today,
  )
  expect(found.map(({ id }) => id)).toEqual([2])
})

describe('the text', () => {
  const safe = (words: string) => words.replaceAll('<', '&lt;')
  it('takes the data of the patient, escaped, and leaves room for what is not known', () => {
    expect(filledText('<p>Я, {фио}, {адрес}</p>', { фио: 'Орлова <b>' }, safe)).toBe(
      '<p>Я, Орлова &lt;b>, ________________</p>',
    )
  })
  it('names a place that nothing is known for', () => {
    expect(strangePlace('{фио} {дата}')).toBeUndefined()
    expect(strangePlace('{фио} {имя}')).toBe('имя')
    expect(strangePlace('{constructor}')).toBe('constructor')
  })
})
