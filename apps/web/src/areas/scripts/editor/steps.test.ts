import type { ScriptStep } from '@ordinator/model/areas/scripts/script'
import { wrongSteps } from '@ordinator/model/areas/scripts/script'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { newStep, replaced, without } from './steps.ts'

const step = (key: string, ...next: (string | null)[]): ScriptStep => ({
  key,
  title: key,
  text: '',
  answers: next.map((to) => ({ text: 'Да', next: to })),
})

it('what led to a step that is taken away ends the talk', () => {
  const steps = without([step('a', 'b', 'c', null), step('b', 'a'), step('c', 'b')], 'b')
  expect(steps).toEqual([step('a', null, 'c', null), step('c', null)])
  expect(wrongSteps({ steps })).toBeUndefined()
})

it('new steps have keys of their own', () => {
  const steps = Array.from({ length: 200 }, () => newStep('Шаг'))
  expect(wrongSteps({ steps })).toBeUndefined()
})

it('a row put next to another goes there, and the others keep their order', () => {
  fc.assert(
    fc.property(fc.integer({ min: 2, max: 9 }), fc.nat(), fc.nat(), fc.boolean(), (count, a, b, before) => {
      const rows = Array.from({ length: count }, (_, i) => ({ i }))
      const id = (a % count) + 1
      const beside = (b % count) + 1
      fc.pre(id !== beside)
      const after = replaced(rows, id, before ? { before: beside } : { after: beside }).map(({ i }) => i + 1)
      expect(after.indexOf(id) - after.indexOf(beside)).toBe(before ? -1 : 1)
      expect(after.filter((one) => one !== id)).toEqual(rows.map(({ i }) => i + 1).filter((one) => one !== id))
    }),
  )
})
