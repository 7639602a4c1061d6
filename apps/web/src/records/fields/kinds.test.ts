import { readdirSync, readFileSync } from 'node:fs'
import { entities } from '@ordinator/model/entities'
import { expect, test } from 'vitest'
import { maskPhone } from './maskPhone.ts'

const registry = readFileSync(new URL('./registry.ts', import.meta.url), 'utf8')
const modelKinds = readdirSync(new URL('../../../../../packages/model/src/fields/', import.meta.url))
  .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts') && file !== 'field.ts')
  .map((file) => file.replace('.ts', ''))

test('every kind of the model has its input and cell', () => {
  const used = entities.flatMap((e) => Object.values(e.all).map((f) => f.kind))
  for (const kind of new Set([...modelKinds, ...used])) expect(registry).toContain(`from './${kind}.tsx'`)
})

test.each([
  ['9', '+7 (9'],
  ['8999', '+7 (999'],
  ['+7 999 1', '+7 (999) 1'],
  ['89991234567', '+7 (999) 123-45-67'],
  ['+7 (999) 123-45-67', '+7 (999) 123-45-67'],
  ['+44 20 7183', '+44 20 7183'],
  ['+7 (999) 123-45-678', '+7 (999) 123-45-678'],
  ['доб. 5', 'доб. 5'],
])('phone %s', (typed, shaped) => {
  expect(maskPhone(typed)).toBe(shaped)
})
