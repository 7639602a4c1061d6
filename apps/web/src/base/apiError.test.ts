import { expect, test } from 'vitest'
import { errorMessage, toApiError } from './apiError.ts'

const fields = [
  { field: 'name', message: 'Обязательное поле' },
  { field: 'phone', message: 'Не корректный номер телефона' },
]

test('a model that is refused by its fields fails validation, and people read the first of the fields', () => {
  const error = toApiError(422, fields)
  expect(error.message).toBe('The model failed validation')
  expect(error.byField).toEqual({ name: 'Обязательное поле', phone: 'Не корректный номер телефона' })
  expect(errorMessage(error)).toBe('Обязательное поле')
  expect(errorMessage(toApiError(422, []))).toBe('Проверьте заполнение полей')
})

test.each([
  [403, undefined, 'Вам не разрешено выполнять данное действие'],
  [403, { message: 'Роли закрыты' }, 'Роли закрыты'],
  [401, { errorText: 'Неверный пароль' }, 'Неверный пароль'],
  [413, '', 'Файл слишком большой'],
  [500, undefined, 'Ошибка на сервере, попробуйте ещё раз'],
])('%i with %j is shown as «%s»', (status, body, words) => {
  expect(errorMessage(toApiError(status, body))).toBe(words)
})

test('a record in the answer has its current state, changed by another user', () => {
  const current = { id: 5, _version: 3, name: 'Другое' }
  expect(toApiError(409, current)).toMatchObject({
    code: 'stale',
    current,
    message: expect.stringContaining('изменена'),
  })
})

test('any other error has a message', () => {
  expect(errorMessage(new Error('Нет места'))).toBe('Нет места')
  expect(errorMessage(undefined)).toBe('Неизвестная ошибка')
  // The browser's and the program's own words are never shown.
  for (const error of [
    new DOMException('The user aborted a request.', 'AbortError'),
    new DOMException('signal timed out', 'TimeoutError'),
    new TypeError('Failed to fetch'),
    new TypeError("Cannot read properties of undefined (reading 'items')"),
  ])
    expect(errorMessage(error)).toMatch(/^(Запрос прерван|Не получилось), попробуйте ещё раз$/)
})
