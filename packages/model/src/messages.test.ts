import { expect, test } from 'vitest'
import { entities } from './entities.ts'
import { messages } from './messages.ts'

const strange = [true, 5, -1.234567, 1e12, '', 'ъ', '25:00', '\0', 'x'.repeat(20_000), [], ['ъ'], {}, { a: 1 }, null]

/** Words of whoever makes programs, which say nothing to a receptionist. */
const ofMakers = /объект|массив|списком|недопустим|ISO|JSON|ЧЧ|enum|undefined|null|NaN|\[object/i

test('no field answers whatever is typed in words of those who make programs', () => {
  const told = new Map<string, string>()
  for (const { path, fields } of entities)
    for (const [name, field] of Object.entries(fields))
      for (const value of strange)
        for (const read of [() => field.check(value as never), () => field.parse(String(value))]) {
          const answer = read()
          if (!answer.ok) told.set(answer.message, `${path}.${name}`)
        }
  expect(told.size).toBeGreaterThan(20)
  expect([...told].filter(([message]) => ofMakers.test(message))).toEqual([])
})

test('the texts of the specification are kept word for word', () => {
  expect(messages).toMatchObject({
    required: 'Обязательное поле',
    boolean: 'Должен иметь логический тип данных',
    string: 'Поле должно быть строкой',
    number: 'Поле должно быть числом',
    phone: 'Не корректный номер телефона',
    email: 'Не корректный формат электронной почты',
    birthday: 'Не корректный формат даты рождения (ДД.ММ.ГГГГ)',
  })
})
