/** Items of the check list of a conversation, in order. */
export const checkItems = {
  greeting: 'Приветствие и название клиники',
  name: 'Узнали имя',
  needs: 'Выяснили, что нужно',
  offer: 'Предложили решение',
  booking: 'Предложили запись',
  farewell: 'Подвели итог и попрощались',
} as const
export type CheckItem = keyof typeof checkItems

export const checkAnswers = { yes: 'Да', no: 'Нет', na: 'Не требовалось' } as const
