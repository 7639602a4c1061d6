import { runs } from '@ordinator/model/testing/runs'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { clockOf } from './clock.ts'
import { mayWrite, meaningOf, remindAt } from './reminders.ts'

const hours = { start: '10:00', end: '18:00' }

it('patients are reminded within the hours, else at the last moment before (example 7)', () => {
  const visit = { localDate: '2026-11-23', localStart: '10:00' }
  expect([remindAt(visit, 24, hours), remindAt(visit, 2, hours)]).toEqual(['2026-11-22 10:00', '2026-11-22 18:00'])
  const late = { localDate: '2026-11-23', localStart: '19:30' }
  expect([remindAt(late, 24, hours), remindAt(late, 2, hours)]).toEqual(['2026-11-22 18:00', '2026-11-23 17:30'])
  const early = { localDate: '2026-03-01', localStart: '00:30' }
  expect([remindAt(early, 24, hours), remindAt(early, 2, hours)]).toEqual(['2026-02-27 18:00', '2026-02-28 18:00'])
})

it('a reminder is never outside of the hours, never later than wanted, and before its visit', () => {
  const clock = fc.integer({ min: 0, max: 1439 }).map(clockOf)
  fc.assert(
    fc.property(clock, clock, clock, fc.constantFrom(2, 24), (localStart, a, b, before) => {
      const [start, end] = [a, b].sort() as [string, string]
      const at = remindAt({ localDate: '2026-11-23', localStart }, before, { start, end })
      expect(mayWrite(at.slice(11), { start, end })).toBe(true)
      const wanted = Date.parse(`2026-11-23T${localStart}:00Z`) - before * 3_600_000
      expect(Date.parse(`${at.replace(' ', 'T')}:00Z`)).toBeLessThanOrEqual(wanted)
    }),
    { numRuns: runs(100, 2000) },
  )
})

it.each([
  ['1', 'confirm'],
  [' Да. ', 'confirm'],
  ['0', 'decline'],
  ['2', 'decline'],
  ['НЕТ!', 'decline'],
  ['да, но один', 'other'],
  ['11', 'other'],
  ['', 'other'],
] as const)('«%s» means %s (example 20)', (text, meaning) => expect(meaningOf(text)).toBe(meaning))
