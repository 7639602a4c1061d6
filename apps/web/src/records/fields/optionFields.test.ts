import { entities } from '@ordinator/model/entities'
import type { Entity } from '@ordinator/model/entity'
import { permissionNames } from '@ordinator/model/permissions'
import { modules } from '@ordinator/model/tariff'
import { expect, it, vi } from 'vitest'
import { optionFields } from './RefSelect.tsx'

// Modules imported by the inputs listen to the storage at once.
vi.hoisted(() => vi.stubGlobal('window', new EventTarget()))

const actor = { id: 1, permissions: Object.fromEntries(permissionNames.map((one) => [one, true as const])), modules }

it('an option expands every reference whose name it reads', () => {
  const asked = (entities as readonly Entity[]).map((entity) => ({ path: entity.path, ...optionFields(entity, actor) }))
  for (const { path, fields, expand } of asked) {
    const read = fields.flatMap((name) => (name.includes('.') ? [name.split('.')[0]] : []))
    expect([path, read]).toEqual([path, expand])
  }
  expect(asked.some(({ expand }) => expand.length > 0)).toBe(true)
})
