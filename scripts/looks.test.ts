import { expect, it } from 'vitest'
import { isTurnOf, looks, oneLook, ROLE_DAYS, STATE_DAYS } from '../e2e/look/share.ts'

const names = Array.from({ length: 300 }, (_, n) => `page${n % 90}: состояние ${n}`)

it.each([STATE_DAYS, ROLE_DAYS])('%i days see each once, every day about the same share', (count) => {
  const days = Array.from({ length: count }, (_, n) => 20_000 + n)
  for (const name of names) expect(days.filter((day) => isTurnOf(name, day, count))).toHaveLength(1)
  for (const day of days) {
    const share = names.filter((name) => isTurnOf(name, day, count)).length
    expect(share).toBeGreaterThan((names.length / count) * 0.5)
    expect(share).toBeLessThan((names.length / count) * 1.5)
  }
})

it('four days see a page in both schemes at both widths', () => {
  for (const name of names)
    expect(new Set([1, 2, 3, 4].flatMap((day) => oneLook(name, day)))).toEqual(new Set<string>(looks))
})
