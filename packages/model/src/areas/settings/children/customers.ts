import { z } from 'zod'
import { messages } from '../../../messages.ts'
import { MAX_CONSENT_AGE, OWN_CONSENT_AGE } from '../../consents/rules.ts'
import { type LikelyReason, likelyReasons } from '../../customers/similar.ts'
import { referrerWarning } from '../../referrers/warning.ts'
import { flag } from '../checks.ts'
import { child, setting, severalOf, whole } from '../setting.ts'

/** Fields that a new card can require. */
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

/**
 * «Клиенты»: required fields of a card and search for duplicates. Sources, statuses and consents have their own pages.
 */
export const customersSettings = child({
  page: 'customersSettings',
  beside: ['customerSources', 'customerStatuses', 'consentTemplates', 'duplicates', 'sequences'],
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
      customerSequence: setting<number | null>({
        label: 'Нумерация карт',
        help: 'Новая карта без номера получает следующий. Пусто — номер вписывают сами',
        words: 'номер карты медицинская карта счёт',
        check: z.int(messages.integer).positive(messages.reference).nullable(),
        byDefault: null,
        input: { kind: 'record', to: 'sequences', filter: { perFilial: 'false' } },
      }),
    },
    'Направившие со стороны': {
      referrersActive: setting({
        label: 'Отмечать, кто направил пациента по договору',
        help: referrerWarning,
        words: 'направившие партнёры агенты вознаграждение комиссия',
        check: flag(),
        byDefault: false,
        public: true,
        wide: true,
      }),
    },
    Дубли: {
      customerDuplicates: setting<LikelyReason[]>({
        label: 'По чему искать дубли карт',
        help: 'Тот же СНИЛС и тот же полис ОМС — всегда один человек; остальное — возможный дубль',
        words: 'двойники повторы одинаковые карты объединить',
        check: severalOf(likelyReasons),
        byDefault: ['fio', 'phone'],
        input: { kind: 'several', labels: likelyReasons },
        wide: true,
      }),
    },
    Согласия: {
      ownConsentAge: setting({
        label: 'Сам подписывает согласия с, лет',
        help: 'Моложе — подписывает представитель. По закону с 15 лет, для отдельных вмешательств — с 16 или 18',
        words: 'возраст ребёнок подросток законный представитель',
        check: whole(OWN_CONSENT_AGE, MAX_CONSENT_AGE),
        byDefault: OWN_CONSENT_AGE,
        public: true,
      }),
    },
  },
})
