import { expect, test } from 'vitest'
import { acceptOf, checkFiles, rulesText } from './fileRules.ts'

const file = (name: string, size = 10) => new File([new Uint8Array(size)], name)
const images = { extensions: ['png', 'jpg'], maxSize: 100 }

test('good files pass', () => {
  expect(checkFiles([file('a.png'), file('Б.JPG')], images)).toMatchObject({
    errors: [],
    accepted: [{ name: 'a.png' }, { name: 'Б.JPG' }],
  })
})

test.each([
  [file('a.exe'), /неподдерживаемый тип/],
  [file('png'), /неподдерживаемый тип/],
  [file('a.png', 101), /превышает допустимый/],
  [file('a.png', 0), /файл пуст/],
])('refused: %o', (bad, message) => {
  const { accepted, errors } = checkFiles([bad], images)
  expect(accepted).toEqual([])
  expect(errors).toHaveLength(1)
  expect(errors[0]).toMatch(message)
})

test('no more than the count, those already there included', () => {
  const { accepted, errors } = checkFiles([file('a.png'), file('b.png')], { maxCount: 2, already: 1 })
  expect(accepted.map(({ name }) => name)).toEqual(['a.png'])
  expect(errors).toEqual(['Можно добавить не больше 2\u00a0файлов'])
})

test('hints', () => {
  expect(rulesText(images)).toBe('png, jpg до 100\u00a0Б')
  expect(acceptOf(images)).toBe('.png,.jpg')
  expect(acceptOf({})).toBeUndefined()
})
