import { formatNumber } from './format.ts'

/**
 * The specification's validation messages (spec §5) word for word, for both sides; where it has none, texts that a
 * receptionist understands and can act on.
 */
export const messages = {
  required: 'Обязательное поле',
  boolean: 'Должен иметь логический тип данных',
  string: 'Поле должно быть строкой',
  number: 'Поле должно быть числом',
  integer: 'Поле должно быть целым числом',
  max: (n: number) => `Число не должно превышать ${formatNumber(n)}`,
  min: (n: number) => `Число не должно быть меньше ${formatNumber(n)}`,
  maxLength: (n: number) => `Количество символов не должно превышать ${n}`,
  minLength: (n: number) => `Количество символов не должно быть меньше ${n}`,
  phone: 'Не корректный номер телефона',
  email: 'Не корректный формат электронной почты',
  birthday: 'Не корректный формат даты рождения (ДД.ММ.ГГГГ)',
  date: 'Нужна дата, например 25.11.2026',
  dateTime: 'Нужны дата и время, например 25.11.2026 14:30',
  clock: 'Нужно время, например 09:30',
  choice: 'Выберите одно из предложенных значений',
  reference: 'Запись не найдена',
  timeZone: 'Неизвестный часовой пояс',
  color: 'Выберите цвет из набора',
  url: 'Не корректный адрес ссылки',
  list: 'Выберите значения из списка',
  listMax: (n: number) => `Можно не больше ${formatNumber(n)}`,
  listMin: (n: number) => `Нужно не меньше ${formatNumber(n)}`,
  json: 'Значение не прочиталось: заполните поле заново',
  nul: 'Уберите знак, который не печатается',
  readonly: 'Поле нельзя изменить',
  /** Refusals of the database itself. */
  unfit: 'Такое значение сохранить нельзя: проверьте его',
  unknown: 'Неизвестное поле',
} as const
