import type { RegulationView } from '@ordinator/model/areas/regulations/wire'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { bodyOf, bodyOver, draftOf, minutesOf, newStep, placed, saveMessage, wrongOf } from './draft.ts'

const step = (key: number, patch = {}) => ({ ...newStep(key), title: `Шаг ${key}`, ...patch })
const draft = (patch = {}) => ({ ...draftOf(undefined), name: 'Приём', ...patch })

describe('what is sent', () => {
  it('the responsible as an id, lists never absent, no marker of the editor', () => {
    const user = { id: 7, fio: 'Иванов Иван', shortFio: 'Иванов И.', avatar: null }
    const body = bodyOf(
      draft({ responsibleUser: user, stages: [step(1, { users: [user], scripts: [{ id: 3, name: 'А' }] })] }),
    )
    expect(body.responsibleUser).toBe(7)
    expect(body.stages?.[0]).toMatchObject({ id: null, responsibles: [7], scripts: [3], images: [], documents: [] })
    expect(body.stages?.[0]).not.toHaveProperty('key')
    expect(bodyOf(draft()).stages).toEqual([])
  })

  it('over another’s save, a step that is gone is made anew', () => {
    const current = { _version: 9, stages: [{ id: 1 }] } as RegulationView
    const body = bodyOver(draft({ stages: [step(1, { id: 1 }), step(2, { id: 2 })] }), current)
    expect(body._version).toBe(9)
    expect(body.stages?.map(({ id }) => id)).toEqual([1, null])
  })
})

describe('what is wrong', () => {
  it.each([
    [draft(), {}, undefined],
    [
      draft({ name: '  ' }),
      { name: 'Название обязательно для заполнения' },
      'Название регламента обязательно для заполнения',
    ],
    [
      draft({ stages: [step(1), step(2, { title: ' ' })] }),
      { 'stages.1.title': 'Название шага обязательно' },
      'Название шага 2 обязательно для заполнения',
    ],
    [
      draft({ name: 'я'.repeat(256) }),
      { name: 'Количество символов не должно превышать 255' },
      'Количество символов не должно превышать 255',
    ],
    [
      draft({ description: 'я'.repeat(1001) }),
      { description: 'Количество символов не должно превышать 1000' },
      'Количество символов не должно превышать 1000',
    ],
  ])('%#', (given, errors, message) => {
    expect(wrongOf(given)).toEqual(errors)
    expect(saveMessage(wrongOf(given))).toBe(message)
  })
})

it('a number that was not understood, is missing or too large is refused in words and not saved as another', () => {
  const wrong = {
    readDays: 'неделя',
    passScore: null,
    reviewMonths: 999,
    stages: [step(1, { timeEstimate: 'час' })],
  }
  expect(wrongOf(draft(wrong))).toEqual({
    readDays: 'Поле должно быть числом',
    passScore: 'Обязательное поле',
    reviewMonths: 'Число не должно превышать 120',
    'stages.0.timeEstimate': 'Поле должно быть числом',
  })
})

it('estimates add up', () => {
  expect(minutesOf([step(1, { timeEstimate: 15 }), step(2, { timeEstimate: 50 })])).toBe(65)
})

it('a step put next to another goes there, and nothing is lost', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 2, max: 12 }),
      fc.nat(),
      fc.nat(),
      fc.constantFrom('before' as const, 'after' as const),
      (count, a, b, side) => {
        const rows = Array.from({ length: count }, (_, i) => ({ key: i + 1 }))
        const moved = (a % count) + 1
        const beside = (b % count) + 1
        fc.pre(moved !== beside)
        const keys = placed(rows, moved, { [side]: beside }).map(({ key }) => key)
        expect(keys.toSorted((x, y) => x - y)).toEqual(rows.map(({ key }) => key))
        expect(keys.indexOf(moved) - keys.indexOf(beside)).toBe(side === 'before' ? -1 : 1)
        expect(keys.filter((key) => key !== moved)).toEqual(rows.map(({ key }) => key).filter((key) => key !== moved))
      },
    ),
  )
})
