/** Readers of a row, shared by all importers. */
import { Task } from '@ordinator/model/areas/tasks/task'
import { expect, it } from 'vitest'
import { byNames } from './byName.ts'
import { columnsFor } from './columns.ts'
import { given, rowReader } from './row.ts'

const columns = [
  { name: 'Название', field: 'name' },
  { name: 'Срок', field: 'dateEnd' },
  { name: 'Важность', field: 'importance' },
  { name: 'Врач' },
]
const read = (cells: Record<string, string>) => rowReader(columns, cells)

it('reads cells by their kind, an empty one as nothing', () => {
  const row = read({ Название: ' Дело ', Срок: '09.02.81', Важность: '0,5', Врач: 'ДА' })
  expect(row.text('Название')).toBe('Дело')
  expect(row.day('Срок')).toBe('1981-02-09')
  expect(row.moment('Срок', 'Europe/Moscow', '09:00')).toBe('1981-02-09T06:00:00.000Z')
  expect(row.number('Важность')).toBe(0.5)
  expect(row.money('Важность')).toBe(0.5)
  expect(row.yesNo('Врач')).toBe(true)
  expect(row.fields()).toEqual({ name: 'Дело', dateEnd: '09.02.81', importance: '0,5' })
  expect([row.day('Нет'), row.money('Нет'), row.yesNo('Нет'), row.chosen('Нет', { a: 'А' })]).toEqual(
    Array(4).fill(undefined),
  )
  expect(read({ Срок: '00.00.0000' }).day('Срок')).toBeUndefined()
  expect(row.errors).toEqual([])
})

it('reads the columns of fields by their types, with the names and duties of the fields', () => {
  const derived = columnsFor(Task, [
    { field: 'name' },
    { field: 'importance', name: 'Приоритет' },
    { field: 'dateEnd', dayTime: '23:59' },
    { field: 'isCompleted' },
    { field: 'idColumn' },
    { name: 'Врач' },
  ])
  expect(derived.map(({ name, required }) => [name, required])).toEqual([
    ['Название', true],
    ['Приоритет', undefined],
    ['Срок', undefined],
    ['Завершена', undefined],
    ['Колонка', undefined],
    ['Врач', undefined],
  ])
  const cells = { Название: ' Дело ', Приоритет: '5', Срок: '09.02.2026', Завершена: 'да', Колонка: 'Новые', Врач: 'я' }
  const row = rowReader(derived, cells, 'Europe/Moscow')
  const whole = { name: 'Дело', importance: 5, dateEnd: '2026-02-09T20:59:00.000Z', isCompleted: true }
  expect(row.values()).toEqual(whole)
  expect(row.values(derived.slice(0, 1))).toEqual({ name: 'Дело' })
  expect(rowReader(derived, { Срок: ' ' }).values()).toEqual({})
  const wrong = rowReader(derived, { ...cells, Приоритет: 'много', Завершена: 'кто' }, 'Europe/Moscow')
  expect(Object.keys(wrong.values())).toEqual(['name', 'dateEnd'])
  expect(wrong.errors.map(({ field }) => field)).toEqual(['Приоритет', 'Завершена'])
})

it('reports at its column what it does not understand', () => {
  const row = read({ Срок: 'завтра', Важность: 'много', Врач: 'кто' })
  row.day('Срок')
  row.number('Важность')
  row.yesNo('Врач')
  row.chosen('Врач', { a: 'Анна', b: 'Борис' })
  expect(row.errors).toEqual([
    { field: 'Срок', message: 'Дата нужна как ДД.ММ.ГГГГ' },
    { field: 'Важность', message: 'Нужно число: 12 или 0,5' },
    { field: 'Врач', message: 'Нужно «да» или «нет»' },
    { field: 'Врач', message: 'Нужно одно из: Анна, Борис' },
  ])
})

it('finds one thing by its name in any spelling, and reports that there is none or more', () => {
  const there = byNames([{ name: 'Салтыков-Щедрин' }, { name: 'Тёзка' }, { name: 'тезка' }], ({ name }) => [name])
  const row = read({ Врач: 'салтыков – щедрин' })
  expect(row.named('Врач', there, 'такого нет')).toEqual({ name: 'Салтыков-Щедрин' })
  expect(row.named('Врач', there, 'такого нет', undefined, 'ТЕЗКА')).toBeUndefined()
  expect(row.named('Врач', there, 'такого нет', undefined, 'Никто')).toBeUndefined()
  expect(row.errors.map(({ message }) => message)).toEqual(['«ТЕЗКА»: таких несколько', '«Никто»: такого нет'])
})

it('puts the errors of a body at the columns of its fields, once, and gives the values of a right one', () => {
  const row = read({ Срок: 'завтра' })
  row.day('Срок')
  row.check(Task, { name: '', dateEnd: 'завтра', importance: 5, description: 7 }, 'create', 'Название', 'Строка: ')
  expect(row.errors.map(({ field, message }) => `${field}: ${message}`)).toEqual([
    'Срок: Дата нужна как ДД.ММ.ГГГГ',
    'Название: Строка: Обязательное поле',
    expect.stringMatching(/^Название: Строка: /),
  ])
  expect(read({}).check(Task, { name: 'Дело' })).toEqual({ name: 'Дело' })
  expect(given({ a: 1, b: undefined, c: null })).toEqual({ a: 1, c: null })
})
