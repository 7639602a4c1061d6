import fc from 'fast-check'
import { expect, it } from 'vitest'
import { type IcalEvent, icalOf } from './ical.ts'

const event = (given: Partial<IcalEvent>): IcalEvent => ({
  uid: 'visit-1@clinic',
  day: '2026-11-24',
  from: '10:00',
  to: '10:30',
  zone: 'Asia/Yekaterinburg',
  summary: 'Приём',
  busy: true,
  changed: '2026-11-20T08:00:00.000Z',
  ...given,
})
/** Unfolds the lines. */
const linesOf = (text: string): string[] => text.replaceAll('\r\n ', '').split('\r\n').slice(0, -1)
const of = (given: Partial<IcalEvent>) => linesOf(icalOf({ name: 'Расписание', events: [event(given)] }))

it("gives the branch's local time, and what the zone is", () => {
  const lines = of({ location: 'Каб. 5; 2 этаж', description: 'УЗИ, повторно\nвторая строка' })
  expect(lines).toEqual(
    expect.arrayContaining([
      'DTSTART;TZID=Asia/Yekaterinburg:20261124T100000',
      'DTEND;TZID=Asia/Yekaterinburg:20261124T103000',
      'DTSTAMP:20261120T080000Z',
      'LOCATION:Каб. 5\\; 2 этаж',
      'DESCRIPTION:УЗИ\\, повторно\\nвторая строка',
      'TZID:Asia/Yekaterinburg',
      'TZOFFSETFROM:+0500',
      'TZOFFSETTO:+0500',
    ]),
  )
  expect(lines.filter((line) => line.startsWith('BEGIN:'))).toEqual([
    'BEGIN:VCALENDAR',
    'BEGIN:VTIMEZONE',
    'BEGIN:STANDARD',
    'BEGIN:VEVENT',
  ])
})

it('ends a night on the next day, and takes a whole day as one', () => {
  expect(of({ from: '20:00', to: '08:00' })).toContain('DTEND;TZID=Asia/Yekaterinburg:20261125T080000')
  expect(of({ from: '20:00', to: '24:00' })).toContain('DTEND;TZID=Asia/Yekaterinburg:20261125T000000')
  expect(of({ from: '00:00', to: '24:00' })).toEqual(
    expect.arrayContaining(['DTSTART;VALUE=DATE:20261124', 'DTEND;VALUE=DATE:20261125']),
  )
})

it('finds a change of clocks to the minute, both ways', () => {
  const events = [
    event({ zone: 'Europe/Berlin', day: '2026-10-20' }),
    event({ zone: 'Europe/Berlin', day: '2027-04-01' }),
  ]
  const lines = linesOf(icalOf({ name: 'x', events }))
  const at = lines.flatMap((line, index) =>
    line === 'BEGIN:STANDARD' || line === 'BEGIN:DAYLIGHT' ? [lines.slice(index, index + 4).join(' ')] : [],
  )
  expect(at.slice(1)).toEqual([
    'BEGIN:STANDARD DTSTART:20261025T030000 TZOFFSETFROM:+0200 TZOFFSETTO:+0100',
    'BEGIN:DAYLIGHT DTSTART:20270328T020000 TZOFFSETFROM:+0100 TZOFFSETTO:+0200',
  ])
  // Volgograd went from +04 to +03 (day.md, example 8).
  const volgograd = linesOf(icalOf({ name: 'x', events: [event({ zone: 'Europe/Volgograd', day: '2020-12-26' })] }))
  expect(volgograd).toEqual(
    expect.arrayContaining(['DTSTART:20201227T020000', 'TZOFFSETFROM:+0400', 'TZOFFSETTO:+0300']),
  )
})

it('has no line of more than 75 octets and loses no letter, whatever the input', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 300 }), (summary) => {
      const text = icalOf({ name: summary, events: [event({ summary, description: summary })] })
      for (const line of text.split('\r\n')) expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75)
      expect(text.endsWith('END:VCALENDAR\r\n')).toBe(true)
      // Escaped text must not start a new line.
      const lines = linesOf(text)
      expect(lines).toHaveLength(of(summary ? { description: 'x' } : {}).length)
      const unfolded = lines.find((line) => line.startsWith('SUMMARY:'))?.slice('SUMMARY:'.length)
      const meant = unfolded?.replaceAll(/\\(.)/g, (_, letter: string) => (letter === 'n' ? '\n' : letter))
      expect(meant).toBe(summary.replaceAll(/\r\n?/g, '\n').replaceAll(/[\u0000-\u0008\u000b-\u001f\u007f]/g, ''))
    }),
  )
})
