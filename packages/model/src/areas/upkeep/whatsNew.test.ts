import { describe, expect, it } from 'vitest'
import { newFor, releases } from './whatsNew.ts'

const who = (...rights: string[]) => ({
  id: 1,
  permissions: Object.fromEntries(rights.map((right) => [right, true])),
})
const all = [
  { key: '2026-12-02', items: [{ text: 'второе' }] },
  { key: '2026-12-01', items: [{ text: 'всем' }, { text: 'настройщику', any: ['mainSettings' as const] }] },
]

describe('what is new', () => {
  it('is of the releases after the one that was seen, by rights', () => {
    expect(newFor(who(), '', all)).toEqual(['второе', 'всем'])
    expect(newFor(who('mainSettings'), '', all)).toEqual(['второе', 'всем', 'настройщику'])
    expect(newFor(who('mainSettings'), '2026-12-01', all)).toEqual(['второе'])
    expect(newFor(who('mainSettings'), '2026-12-02', all)).toEqual([])
  })

  it('is sorted by days, the newest first', () => {
    const keys = releases.map(({ key }) => key)
    expect(keys).toEqual(keys.toSorted().toReversed())
    for (const key of keys) expect(key).toMatch(/^\d{4}-\d{2}-\d{2}$/)
  })
})
