import { expect, it } from 'vitest'
import { isTurnOf, oneLook } from '../e2e/look/share.ts'

const names = Array.from({ length: 300 }, (_, n) => `page${n % 90}: состояние ${n}`)

it('three days see every state once, each day about a third', () => {
  for (const name of names) expect([20_000, 20_001, 20_002].filter((day) => isTurnOf(name, day))).toHaveLength(1)
  for (const day of [20_000, 20_001, 20_002]) {
    const share = names.filter((name) => isTurnOf(name, day)).length
    expect(share).toBeGreaterThan(70)
    expect(share).toBeLessThan(130)
  }
})

it('a page of a role is seen in both schemes on two days', () => {
  for (const name of names) expect(new Set([1, 2].flatMap((day) => oneLook(name, day))).size).toBe(2)
})
