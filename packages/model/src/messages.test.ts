import { expect, test } from 'vitest'
import { everyCall } from './calls.ts'
import { entities } from './entities.ts'
import { issueMessage } from './issueMessage.ts'
import { messages } from './messages.ts'

const strange = [true, 5, -1.234567, 1e12, '', 'ъ', '25:00', '\0', 'x'.repeat(20_000), [], ['ъ'], {}, { a: 1 }, null]

/** Technical words, which mean nothing to a receptionist. */
const ofMakers =
  /объект|массив|списком|список (?:номеров|названий)|недопустим|ISO|JSON|ЧЧ|enum|undefined|null|NaN|[{}]|\[object/i

/** Names and examples that users see elsewhere in the same form. */
const placeholders =
  /https?|ftp|tel|mailto|clinic\.ru|o-klinike|MSK\d+|GTIN|SSCC|OID|PNG|JPEG|SVG|A26\.08\.027\.008|J06\.9|Phone number ID|\{0+\}/g
const isForeign = (message: string) =>
  /[a-z]/i.test(message.replaceAll(placeholders, '')) || ofMakers.test(message.replaceAll(placeholders, ''))

test('no field answers whatever is typed in words of those who make programs', () => {
  const messages = new Map<string, string>()
  for (const { path, fields } of entities)
    for (const [name, field] of Object.entries(fields))
      for (const value of strange)
        for (const read of [() => field.check(value as never), () => field.parse(String(value))]) {
          const answer = read()
          if (!answer.ok) messages.set(answer.message, `${path}.${name}`)
        }
  expect(messages.size).toBeGreaterThan(20)
  // An unknown day of the week is named as it was sent.
  expect([...messages].filter(([message]) => isForeign(message) && !message.startsWith('Неизвестный день'))).toEqual([])
})

test('no call answers whatever it is sent in such words', () => {
  const messages = new Map<string, string>()
  for (const { method, path, body } of everyCall) {
    const names = Object.keys((body as { shape?: object } | undefined)?.shape ?? {})
    for (const value of [undefined, ...strange])
      for (const sent of [value, ...names.map((name) => ({ [name]: value }))]) {
        const answer = body?.safeParse(sent, { error: issueMessage })
        for (const issue of answer?.error?.issues ?? [])
          messages.set(issue.message, `${method} ${path} ${issue.path.join('.')}`)
      }
  }
  expect(messages.size).toBeGreaterThan(50)
  expect([...messages].filter(([message]) => isForeign(message))).toEqual([])
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
