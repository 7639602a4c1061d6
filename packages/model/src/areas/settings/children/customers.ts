import { child, setting, severalOf } from '../setting.ts'

/** What a card can be asked for when it is made, by its field. */
export const customerRequirable = {
  phone: 'Телефон',
  birthday: 'Дата рождения',
  gender: 'Пол',
  email: 'Почта',
  snils: 'СНИЛС',
  numberPassport: 'Документ',
  address: 'Адрес',
  idSource: 'Источник',
} as const
export type CustomerRequirable = keyof typeof customerRequirable

/** «Клиенты»: what a card must hold. Numbers, sources, tags and consents have pages of their own. */
export const customersSettings = child({
  page: 'customersSettings',
  beside: ['sequences', 'consentTemplates', 'duplicates'],
  groups: {
    'Новая карта': {
      customerRequired: setting<CustomerRequirable[]>({
        label: 'Без чего карта не создаётся',
        help: 'Кроме фамилии: и в карточке, и при записи на приём. Прежние карты и загрузка из файла — как есть',
        words: 'обязательные поля пациент клиент заполнить',
        check: severalOf(customerRequirable),
        byDefault: [],
        input: { kind: 'several', labels: customerRequirable },
        wide: true,
      }),
    },
  },
})
