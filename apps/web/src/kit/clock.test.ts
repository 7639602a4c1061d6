import { formatDateTime as formatted } from '@ordinator/model/format'
import { afterEach, describe, expect, test } from 'vitest'
import {
  dayOf,
  formatDateTime,
  formatEnd,
  fromWall,
  midnight,
  minutesOf,
  momentOf,
  setZone,
  toWall,
  zoneNow,
} from './clock.ts'
import { momentText, readMoment } from './dateText.ts'

const computer = zoneNow()
afterEach(() => setZone(computer))

/** Zones other than the computer's: two with daylight saving time, one without. */
const zones = ['America/New_York', 'Europe/Berlin', 'Asia/Vladivostok'].filter((zone) => zone !== computer)

describe.each(zones)('the profile shows %s', (zone) => {
  test('the screen shows the same minute as an export', () => {
    setZone(zone)
    for (const moment of ['2026-03-29T00:59:00Z', '2026-07-01T22:30:00Z', '2026-11-01T05:30:00Z'])
      expect(formatDateTime(moment)).toBe(formatted(moment, zone))
  })

  test('what is typed is read by the same clock', () => {
    setZone(zone)
    for (const text of ['05.11.2026 09:30', '29.02.2024 23:59', '01.01.2026 00:00'])
      expect(momentText(readMoment(text))).toBe(text)
    const noon = momentOf('2026-07-01', '12:00')
    expect(fromWall(toWall(noon)).toISOString()).toBe(noon)
    expect(minutesOf(new Date(noon))).toBe(720)
  })
})

test('a day is cut at the midnight of the profile, also on the days when clocks change', () => {
  setZone('Europe/Berlin')
  expect([midnight('2026-03-29'), midnight('2026-03-29', 1)]).toEqual([
    '2026-03-28T23:00:00.000Z',
    '2026-03-29T22:00:00.000Z',
  ])
  expect([midnight('2026-10-25'), midnight('2026-10-25', 1)]).toEqual([
    '2026-10-24T22:00:00.000Z',
    '2026-10-25T23:00:00.000Z',
  ])
  expect(dayOf('2026-10-25T23:00:00Z')).toBe('2026-10-26')
  setZone('Asia/Vladivostok')
  expect(midnight('2026-10-25')).toBe('2026-10-24T14:00:00.000Z')
  expect(dayOf('2026-10-24T14:00:00Z')).toBe('2026-10-25')
})

test('an end that is not set is shown', () => {
  setZone('Europe/Moscow')
  expect(['2026-11-25T09:30:00Z', null, undefined, ''].map(formatEnd)).toEqual([
    '25.11.2026 12:30',
    '(не задано)',
    '(не задано)',
    '(не задано)',
  ])
})
