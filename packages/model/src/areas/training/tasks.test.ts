import { expect, test } from 'vitest'
import { entities } from '../../entities.ts'
import { labelsOf } from '../../fields/choice.ts'
import { pageByKey } from '../../pages.ts'
import { tasksOf, trainingRoleKeys } from './tasks.ts'

test('each role has five tasks, each listed once, and each leaves a trace that the history can hold', () => {
  for (const role of trainingRoleKeys) {
    const tasks = tasksOf(role)
    expect(new Set(tasks.map(({ key }) => key)).size, role).toBe(5)
    for (const { key, page, traces } of tasks) {
      expect(pageByKey(page), `${role} ${key}`).toBeDefined()
      for (const { path, field, values } of traces) {
        const entity = entities.find((one) => one.path === path)
        expect(entity, `${role} ${key}: ${path}`).toBeDefined()
        if (field === undefined) continue
        const fields: Readonly<Record<string, unknown>> = entity?.fields ?? {}
        const declared = fields[field] as { options: Record<string, unknown> } | undefined
        expect(declared, `${role} ${key}: ${path}.${field}`).toBeDefined()
        for (const value of values ?? [])
          expect(Object.keys(declared ? labelsOf(declared) : {}), `${role} ${key}: ${path}.${field}`).toContain(value)
      }
    }
  }
})
