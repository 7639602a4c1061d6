import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { isTurnOf, SUITE_DAYS, SUITES, suitesOfAnotherDay } from '@ordinator/model/testing/turns'
import { expect, it } from 'vitest'
import {
  EVERY_DAY,
  looks,
  oneLook,
  PAGE_DAYS,
  ROLE_DAYS,
  SCENARIO_DAYS,
  STATE_DAYS,
  scenariosOfAnotherDay,
} from '../e2e/look/share.ts'

const names = Array.from({ length: 300 }, (_, n) => `page${n % 90}: состояние ${n}`)

it.each([PAGE_DAYS, ROLE_DAYS, STATE_DAYS])('%i days see each once, every day about the same share', (count) => {
  const days = Array.from({ length: count }, (_, n) => 20_000 + n)
  for (const name of names) expect(days.filter((day) => isTurnOf(name, day, count))).toHaveLength(1)
  for (const day of days) {
    const share = names.filter((name) => isTurnOf(name, day, count)).length
    expect(share).toBeGreaterThan((names.length / count) * 0.5)
    expect(share).toBeLessThan((names.length / count) * 1.5)
  }
})

it('some days see a page in both schemes at both widths', () => {
  const days = Array.from({ length: PAGE_DAYS * looks.length }, (_, n) => 20_000 + n)
  for (const name of names) {
    const turns = days.filter((day) => isTurnOf(name, day, PAGE_DAYS))
    expect(new Set(turns.flatMap((day) => oneLook(name, day)))).toEqual(new Set<string>(looks))
  }
})

it('a few days perform all scenarios, each about the same share, and some every day', () => {
  const files = readdirSync(join(import.meta.dirname, '../e2e')).filter((name) => name.endsWith('.e2e.ts'))
  expect([...EVERY_DAY].filter((name) => !files.includes(name))).toEqual([])
  const turns = files.filter((name) => !EVERY_DAY.has(name))
  const days = Array.from({ length: SCENARIO_DAYS }, (_, n) => 20_000 + n).map((day) => {
    const left = new Set(scenariosOfAnotherDay(files, day))
    return turns.filter((name) => !left.has(name))
  })
  expect(days.flat().toSorted()).toEqual(turns.toSorted())
  for (const day of days) expect(day.length / turns.length).toBeGreaterThan(0.5 / SCENARIO_DAYS)
})

it('a few days perform all suites of the server that take turns, each of which exists', () => {
  const all = SUITES.flat()
  expect(all.filter((file) => !existsSync(join(import.meta.dirname, '..', file)))).toEqual([])
  const days = Array.from({ length: SUITE_DAYS }, (_, n) => 20_000 + n)
  for (const file of all) expect(days.filter((day) => !suitesOfAnotherDay(day).includes(file))).toHaveLength(1)
})
