import { describe, expect, it } from 'vitest'
import type { FormField } from '../examinations/form.ts'
import { filledFields, jsonIn, readCallAnswer, readProtocolAnswer, scoreOf } from './answer.ts'
import { fillPrompt, wrongOutput, wrongTemplate } from './template.ts'

const NOW = Date.parse('2026-11-27T10:00:00Z')

describe('JSON in an answer', () => {
  it.each([
    ['{"a":1}', { a: 1 }],
    ['```json\n{"a":1}\n```', { a: 1 }],
    ['Вот ответ: {"a":1}. Готово', { a: 1 }],
    ['[1]', undefined],
    ['слова', undefined],
    ['{"a":', undefined],
    ['', undefined],
  ])('%s', (text, expected) => expect(jsonIn(text)).toEqual(expected))
})

describe('an answer about a call', () => {
  it('is read, and what it should not hold is left out', () => {
    const answer = {
      summary: ' Записался ',
      objections: ['Дорого', 5, '', null],
      checks: { greeting: 'yes', name: false, offer: 'na', booking: 'maybe', chief: 'yes' },
      nextStep: { text: 'Перезвонить', date: '2026-11-28T12:00:00+03:00' },
      потеря: 'цена',
      script: '<b>',
    }
    expect(readCallAnswer(JSON.stringify(answer), [{ key: 'потеря', label: 'Почему' }], NOW)).toEqual({
      answer: {
        summary: 'Записался',
        reason: '',
        outcome: '',
        objections: ['Дорого', '5'],
        checks: { greeting: 'yes', name: 'no', offer: 'na' },
        score: 50,
        nextStep: { text: 'Перезвонить', date: '2026-11-28T09:00:00.000Z' },
        more: { потеря: 'цена' },
      },
    })
  })
  it.each([[{ text: 'Вчера', date: '2026-11-26T12:00:00Z' }], [{ text: 'Вчера', date: 'скоро' }], ['Вчера']])(
    'a next step that has passed or names no moment has no date: %j',
    (nextStep) => {
      const read = readCallAnswer(JSON.stringify({ summary: 'а', nextStep }), [], NOW)
      expect('answer' in read && read.answer.nextStep).toEqual({ text: 'Вчера', date: null })
    },
  )
  it('without a summary it is nonsense', () => {
    expect(readCallAnswer('{"reason":"а"}', [], NOW)).toHaveProperty('nonsense')
    expect(readCallAnswer('Извините', [], NOW)).toHaveProperty('nonsense')
  })
})

describe('the score', () => {
  it.each([
    [{}, null],
    [{ greeting: 'na' }, null],
    [{ greeting: 'yes', name: 'no', needs: 'na' }, 50],
    [{ greeting: 'yes', name: 'yes', needs: 'no' }, 67],
  ] as const)('%j', (checks, expected) => expect(scoreOf(checks)).toBe(expected))
  it('goes by weights', () => expect(scoreOf({ greeting: 'yes', booking: 'no' }, { booking: 3 })).toBe(25))
})

const fields: FormField[] = [
  { key: 'жалобы', label: 'Жалобы', type: 'text' },
  { key: 'статус', label: 'Статус', type: 'rich' },
  { key: 'рост', label: 'Рост', type: 'number' },
  { key: 'вид', label: 'Вид', type: 'choice', options: ['Первичный', 'Повторный'] },
  { key: 'имт', label: 'ИМТ', type: 'calc', formula: 'рост' },
]

describe('an answer about an examination', () => {
  it('fills what the form takes', () => {
    const answer = {
      fields: { жалобы: 'Боль', статус: 'а < б\nв', рост: '170,5', вид: 'первичный', имт: 5, чужое: 'а' },
      diagnoses: [
        { code: 'j02.9', name: 'Фарингит' },
        { code: 'грипп', name: 'Грипп' },
        { code: 'J02.9', name: 'Ещё' },
      ],
      recommendations: ['Питьё'],
    }
    expect(readProtocolAnswer(JSON.stringify(answer), filledFields(fields, []))).toEqual({
      answer: {
        parts: {
          'values.жалобы': 'Боль',
          'values.статус': '<p>а &lt; б</p><p>в</p>',
          'values.рост': 170.5,
          'values.вид': 'Первичный',
          diagnoses: [{ code: 'J02.9', name: 'Фарингит', kind: 'main', type: 'preliminary' }],
          recommendations: ['Питьё'],
        },
      },
    })
  })
  it('of which nothing fits is nonsense', () => {
    expect(readProtocolAnswer('{"fields":{"рост":"высокий","вид":"иной"}}', fields)).toHaveProperty('nonsense')
  })
  it('fills only the fields that a prompt names, by key or label', () => {
    expect(
      filledFields(fields, [
        { key: 'x', label: 'жалобы' },
        { key: 'рост', label: 'а' },
      ]).map(({ key }) => key),
    ).toEqual(['жалобы', 'рост'])
  })
})

describe('words of a prompt', () => {
  it('are filled; the talk comes last where it is not named', () => {
    expect(fillPrompt('{{ Пол }}: {{разговор}}', { пол: 'Мужской', разговор: 'Да' })).toBe('Мужской: Да')
    expect(fillPrompt('Разбери', { разговор: 'Да' })).toBe('Разбери\n\nРазговор:\nДа')
  })
  it.each([
    ['{{разговор}} {{ Сейчас }}', undefined],
    ['{{пароль}}', 'Нет такой переменной'],
    ['{{разговор', 'без пары'],
  ])('%s', (text, expected) => {
    if (expected) expect(wrongTemplate(text)).toContain(expected)
    else expect(wrongTemplate(text)).toBeUndefined()
  })
  it('fields of an answer have keys of their own', () => {
    expect(wrongOutput([{ key: 'а', label: 'А' }])).toBeUndefined()
    expect(
      wrongOutput([
        { key: 'а', label: 'А' },
        { key: 'а', label: 'Б' },
      ]),
    ).toContain('повторяется')
  })
})
