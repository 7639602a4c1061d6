import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { EVERY_DAY, isTurnOf, looks, oneLook, ROLE_DAYS, STATE_DAYS, scenariosOfAnotherDay } from '../e2e/look/share.ts'

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

it('three days perform all scenarios, each about a third, and some every day', () => {
  const files = readdirSync(join(import.meta.dirname, '../e2e')).filter((name) => name.endsWith('.e2e.ts'))
  expect([...EVERY_DAY].filter((name) => !files.includes(name))).toEqual([])
  const turns = files.filter((name) => !EVERY_DAY.has(name))
  const days = [20_000, 20_001, 20_002].map((day) => {
    const left = new Set(scenariosOfAnotherDay(files, day))
    return turns.filter((name) => !left.has(name))
  })
  expect(days.flat().toSorted()).toEqual(turns.toSorted())
  for (const day of days) expect(day.length / turns.length).toBeGreaterThan(0.2)
})
