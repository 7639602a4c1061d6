import { expect, it } from 'vitest'
import { deskWords } from './deskWords.ts'

const well = {
  kktMode: 'simulator' as const,
  shift: { number: 1, since: '03:21' },
  overdue: false,
  trouble: null,
  waiting: 0,
  unknown: 0,
}

it.each([
  ['a shift with its register', {}, 'Смена № 1 с 03:21, чеки пробиваются', false],
  ['no shift', { shift: null, trouble: 'Нет бумаги' }, 'Смена закрыта', false],
  [
    'a register whose own shift is closed',
    { trouble: 'Смена регистратора чеков закрыта: откройте её', waiting: 2 },
    'Смена № 1 с 03:21, чеки не пробиваются. Смена регистратора чеков закрыта: откройте её',
    true,
  ],
  [
    'no register',
    { kktMode: 'none' as const },
    'Смена № 1 с 03:21, чеки не пробиваются: регистратор чеков не подключён',
    false,
  ],
  [
    'a shift of more than a day',
    { overdue: true, trouble: 'Смена длится больше 24 часов' },
    'Смена № 1 с 03:21 открыта больше 24 часов: закройте её и откройте новую',
    true,
  ],
  ['an answer that was lost', { unknown: 1 }, 'Смена № 1 с 03:21, неизвестно, пробиты ли чеки: 1', true],
  [
    'receipts of the payment system',
    { kktMode: 'outside' as const },
    'Смена № 1 с 03:21, только оплаты по ссылке: чеки за них даёт ЮKassa',
    false,
  ],
  ['receipts on their way', { waiting: 3 }, 'Смена № 1 с 03:21, чеки печатаются: 3', false],
])('%s is one sentence', (_, more, words, isWrong) => {
  expect(deskWords({ ...well, ...more })).toEqual({ words, isWrong })
})
