import { beforeEach, expect, test, vi } from 'vitest'
import type { Command } from './commands.ts'
import { byUse, isUsed, noteUse } from './commandUse.ts'
import { noteRecent, recent } from './recent.ts'

beforeEach(() => {
  const kept = new Map<string, string>()
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
    removeItem: (key: string) => void kept.delete(key),
  })
})

const command = (id: string, group: string): Command => ({ id, label: id, group, run: () => {} })

test('commands are in the order of use, each in its group', () => {
  const all = [command('a', 'Действия'), command('b', 'Действия'), command('c', 'Страницы'), command('d', 'Страницы')]
  const order = () => byUse(all).map(({ id }) => id)
  expect(order()).toEqual(['a', 'b', 'c', 'd'])
  for (const at of [3, 3, 1]) noteUse(all[at] as Command)
  expect(order()).toEqual(['b', 'a', 'd', 'c'])
  noteUse(all[0] as Command)
  noteUse(all[0] as Command)
  expect(order()).toEqual(['a', 'b', 'd', 'c'])
  expect(all.map(isUsed)).toEqual([true, true, false, true])
})

test('of what was never used the rare comes last, and comes forward with its use', () => {
  const all = [{ ...command('rare', 'Действия'), rare: true }, command('usual', 'Действия')]
  const order = () => byUse(all).map(({ id }) => id)
  expect(order()).toEqual(['usual', 'rare'])
  noteUse(all[0] as Command)
  expect(order()).toEqual(['rare', 'usual'])
})

test('what was opened last comes first, once, by its name of today', () => {
  for (const n of [1, 2, 3]) noteRecent({ link: `/tasks?id=${n}`, title: `Задача ${n}` })
  noteRecent({ link: '/tasks?id=1', title: 'Задача 1, другая' })
  expect(recent().map(({ title }) => title)).toEqual(['Задача 1, другая', 'Задача 3', 'Задача 2'])
  for (let n = 0; n < 50; n++) noteRecent({ link: `/news/${n}`, title: `${n}` })
  expect(recent()).toHaveLength(30)
})
