import { expect, test } from 'vitest'
import { entities } from './entities.ts'
import { type Entity, relationOf } from './entity.ts'
import { isRef } from './fields/ref.ts'
import type { Page } from './page.ts'
import { pages } from './pages.ts'
import { wordsOf } from './registry.ts'

const label = ['Роль', 'роли', 'ролей'] as const

test.each([
  ['f', 'Новая роль', 'Роль создана', 'Роль «Врач» удалена'],
  ['m', 'Новый роль', 'Роль создан', 'Роль «Врач» удалён'],
  ['n', 'Новое роль', 'Роль создано', 'Роль «Врач» удалено'],
  [undefined, 'Создание: роль', 'Создано: роль', 'Удалено: роль «Врач»'],
] as const)('words of gender %s', (gender, fresh, made, removed) => {
  const words = wordsOf({ label, gender })
  expect([words.fresh, words.made, words.removed('Врач')]).toEqual([fresh, made, removed])
})

test('a registry names fields that there are, and its entity declares its gender', () => {
  for (const { path, fields, registry, gender } of entities as readonly Entity[]) {
    if (!registry) continue
    const { columns = [], form = [] } = registry
    const named = [...columns, ...Object.values(form).flat()]
    expect([path, named.filter((name) => !Object.hasOwn(fields, name)), gender !== undefined]).toEqual([path, [], true])
  }
})

test('a page of a registry is of an entity that has one', () => {
  for (const { key, entity: path } of pages as readonly Page[]) {
    if (path !== undefined)
      expect([key, (entities as readonly Entity[]).find((one) => one.path === path)?.registry !== undefined]).toEqual([
        key,
        true,
      ])
  }
})

test('entities differ by their names', () => {
  const names = (entities as readonly Entity[]).map(({ label }) => label[0])
  expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([])
})

test('what happens at a branch is shown by its clock: every moment of a record that must have one', () => {
  const all = entities as readonly Entity[]
  const at = (path: string) => all.find((one) => one.path === path)
  for (const entity of all) {
    const atBranch = Object.values(entity.fields).some((f) => isRef(f) && f.to === 'filials' && !f.nullable)
    for (const [field, { clock, days }] of Object.entries(entity.fields)) {
      if (atBranch && days === 'moment')
        expect([entity.path, field, clock]).toEqual([entity.path, field, expect.any(String)])
      if (!clock) continue
      const steps = clock.split('.')
      const last = steps.pop() as string
      const end = steps.reduce<Entity | undefined>((one, step) => {
        const relation = one && relationOf(one, step)
        return relation?.kind === 'one' ? at(relation.to) : undefined
      }, entity)
      expect([entity.path, clock, end?.fields[last]?.kind]).toEqual([entity.path, clock, 'timeZone'])
    }
  }
})
