import { MantineProvider } from '@mantine/core'
import { ageText } from '@ordinator/model/areas/customers/age'
import { renderToStaticMarkup } from 'react-dom/server'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { setZone, today, zoneNow } from './clock.ts'
import { DayPicker } from './DayPicker.tsx'

const computer = zoneNow()
beforeEach(() => void vi.useFakeTimers({ now: new Date('2026-10-31T23:30:00Z') }))
afterEach(() => {
  vi.useRealTimers()
  setZone(computer)
})

/** On either side of midnight and of the end of a month, whatever the computer's zone. */
test.each([
  ['Pacific/Kiritimati', 'ноябрь 2026', '1 ноября 2026'],
  ['Pacific/Pago_Pago', 'октябрь 2026', '31 октября 2026'],
])('in %s the calendar opens on the month of the profile and marks its day', (zone, month, day) => {
  setZone(zone)
  const html = renderToStaticMarkup(
    <MantineProvider>
      <DayPicker value={null} onChange={() => undefined} />
    </MantineProvider>,
  )
  expect(html).toContain(month)
  const [marked] = html.match(/<button[^>]*aria-current="date"[^>]*>/g) ?? []
  expect(marked).toContain(`aria-label="${day}"`)
  // The day that gets the keyboard focus first.
  expect(marked).toContain('tabindex="0"')
  expect(html.match(/aria-current/g)).toHaveLength(1)
})

test('a person is a day older at the midnight of the profile', () => {
  const age = () => ageText('01.11.2023', today()).replaceAll('\u00a0', ' ')
  setZone('Pacific/Kiritimati')
  expect(age()).toBe('3 года')
  setZone('Pacific/Pago_Pago')
  expect(age()).toBe('2 года 11 месяцев')
})
