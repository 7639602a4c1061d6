import { describe, expect, it } from 'vitest'
import { filledText, smsSize, wrongText } from './words.ts'

describe('the text of a message', () => {
  it.each([
    ['Ждём вас {дата} в {время}[, {адрес}].', 'reminder24h', undefined],
    ['Ждём вас {дат}', 'reminder24h', 'Неизвестная переменная {дат}: может быть, {дата}?'],
    ['{врачь}', 'booking', 'Неизвестная переменная {врачь}: может быть, {врач}?'],
    ['{Имя Отчество}', 'birthday', undefined],
    ['{}', 'birthday', 'Неизвестная переменная {}'],
    ['{дата}', 'birthday', 'В сообщении об этом событии нет {дата}'],
    ['{constructor}', 'birthday', 'Неизвестная переменная {constructor}'],
    ['К оплате {сумма', 'debt', 'Фигурные скобки — для переменных: {имя}'],
    ['[, {имя}', 'birthday', 'Квадратная скобка не закрыта'],
    [', {имя}]', 'birthday', 'Квадратная скобка закрыта, но не открыта'],
    ['[[{имя}]]', 'birthday', 'Квадратные скобки не вкладывают друг в друга'],
  ] as const)('%s of %s', (text, event, wrong) => expect(wrongText(text, event)).toBe(wrong))

  it('leaves out the text around an empty value, and takes brackets of a value for its own', () => {
    const text = '[{клиника}. ]Ждём вас {дата}[, {адрес}].'
    expect(filledText(text, { клиника: 'Клиника', дата: '24.11.2026', адрес: 'ул. [Садовая], {5}' })).toBe(
      'Клиника. Ждём вас 24.11.2026, ул. [Садовая], {5}.',
    )
    expect(filledText(text, { дата: '24.11.2026' })).toBe('Ждём вас 24.11.2026.')
    expect(filledText('{ Имя }', { имя: 'Анна' })).toBe('Анна')
  })
})

describe('a text message', () => {
  it.each([
    ['', 0, 70],
    ['я'.repeat(70), 1, 70],
    ['я'.repeat(71), 2, 67],
    ['я'.repeat(134), 2, 67],
    ['я'.repeat(135), 3, 67],
    ['a'.repeat(160), 1, 160],
    ['a'.repeat(161), 2, 153],
    ['a'.repeat(306), 2, 153],
    ['a'.repeat(307), 3, 153],
    // Each of these counts as two characters.
    ['€'.repeat(80), 1, 160],
    ['€'.repeat(81), 2, 153],
    // One letter outside GSM 03.38 makes the whole message Unicode; an emoji counts as two.
    [`${'a'.repeat(70)}я`, 2, 67],
    ['😀'.repeat(35), 1, 70],
    ['😀'.repeat(36), 2, 67],
  ])('%#', (text, parts, perPart) => {
    const size = smsSize(text)
    expect(size.parts).toBe(parts)
    if (parts) expect(size.perPart).toBe(perPart)
  })
})
