import { describe, expect, it } from 'vitest'
import { hoursOn, openText, type WorkingHours, weekdayOf, weekText } from './hours.ts'

const day = { start: '08:00', end: '20:00' }
const work = { monday: day, tuesday: day, wednesday: day, thursday: day, friday: day }
const week: WorkingHours = { ...work, saturday: { start: '09:00', end: '15:00' } }

it.each<[WorkingHours, string]>([
  [week, 'пн–пт 08:00–20:00, сб 09:00–15:00, вс выходной'],
  [{ ...work, saturday: day, sunday: day }, 'ежедневно 08:00–20:00'],
  [{ monday: { start: '00:00', end: '24:00' } }, 'пн круглосуточно, вт–вс выходной'],
  [{}, 'ежедневно выходной'],
])('a week in words %#', (hours, text) => expect(weekText(hours)).toBe(text))

it('gives the weekday of a day, whatever the clock of the machine', () => {
  expect(['2026-11-22', '2026-11-23', '2024-02-29'].map(weekdayOf)).toEqual(['sunday', 'monday', 'thursday'])
})

describe('the state of a branch at a moment', () => {
  const days = [
    { day: '2026-12-31', start: '08:00', end: '14:00', reason: 'Канун Нового года' },
    { day: '2027-01-01', start: null, end: null, reason: 'Новый год' },
  ]
  it.each([
    ['2026-11-23T03:59:00Z', 'Europe/Samara', false, 'откроется в 08:00'],
    ['2026-11-23T04:00:00Z', 'Europe/Samara', true, 'открыт до 20:00'],
    ['2026-11-23T04:00:00Z', 'Europe/Moscow', false, 'откроется в 08:00'],
    ['2026-11-23T16:00:00Z', 'Europe/Samara', false, 'закрыт с 20:00'],
    // Sunday already in the east, Saturday still in the west.
    ['2026-11-21T20:30:00Z', 'Europe/Samara', false, 'сегодня выходной'],
    ['2026-11-21T11:30:00Z', 'Europe/Kaliningrad', true, 'открыт до 15:00'],
    ['2026-12-31T11:00:00Z', 'Europe/Samara', false, 'закрыт с 14:00 (Канун Нового года)'],
    ['2027-01-01T09:00:00Z', 'Europe/Samara', false, 'сегодня выходной (Новый год)'],
  ])('%s in %s', (moment, timeZone, open, text) => {
    expect(openText({ week, days, timeZone }, new Date(moment))).toEqual({ open, text })
  })
  it('a day off goes before the week', () => {
    expect(hoursOn(week, '2026-12-31', days)).toEqual({ start: '08:00', end: '14:00' })
    expect(hoursOn(week, '2027-01-01', days)).toBe(undefined)
    expect(hoursOn(null, '2026-11-23')).toBe(undefined)
  })
})
