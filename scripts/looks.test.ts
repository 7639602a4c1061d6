import { expect, it } from 'vitest'
import { isTurnOf, oneLook } from '../e2e/look/share.ts'

const names = Array.from({ length: 300 }, (_, n) => `page${n % 90}: состояние ${n}`)

const days = [20_000, 20_001, 20_002, 20_003]

it('four days see every state once, each day about a quarter', () => {
  for (const name of names) expect(days.filter((day) => isTurnOf(name, day))).toHaveLength(1)
  for (const day of days) {
    const share = names.filter((name) => isTurnOf(name, day)).length
    expect(share).toBeGreaterThan(45)
    expect(share).toBeLessThan(105)
  }
})

it('a page of a role is seen in both schemes on two days', () => {
  for (const name of names) expect(new Set([1, 2].flatMap((day) => oneLook(name, day))).size).toBe(2)
})
