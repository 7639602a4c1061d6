import { z } from 'zod'
import { messages } from '../../../messages.ts'
import { snilsMoments } from '../../eln/moments.ts'
import { flag } from '../checks.ts'
import { among, child, line, secret, setting, webAddress, whole } from '../setting.ts'

/** Endpoint of an outside service. */
export const serviceModes = { off: 'Не подключено', test: 'Тестовый', prod: 'Рабочий' } as const

const oid = () =>
  line(128).refine((v) => v === '' || /^\d+(\.\d+)+$/.test(v), 'ОИД — числа через точку: 1.2.643.5.1.13')

/** Endpoints of the register, and the simulator beside the server. */
export const egiszModes = { off: 'Не подключено', simulator: 'Имитатор', test: 'Тестовый', prod: 'Рабочий' } as const

export const signaturePlugins = { cryptopro: 'КриптоПро ЭЦП', simulator: 'Имитатор: тестовая подпись' } as const

/** «ЕГИСЗ»: the clinic's ids there, and the documents to send. */
export const egiszSettings = child({
  page: 'egisz',
  beside: [
    'egiszDocuments',
    'egiszEditions',
    'egiszRules',
    'egiszDictionaries',
    'egiszStaff',
    'crypto',
    'mappings',
    'dictionaries',
    'organizations',
    'filials',
  ],
  groups: {
    'Клиника в ЕГИСЗ': {
      egiszOid: setting({
        label: 'ОИД организации',
        help: 'Из Федерального реестра медицинских организаций',
        words: 'oid фрмо реестр егисз',
        check: oid(),
        byDefault: '',
      }),
      egiszMode: setting<keyof typeof egiszModes>({
        label: 'Режим ЕГИСЗ',
        words: 'контур тестовый промышленный рэмд егисз',
        check: among(egiszModes),
        byDefault: 'off',
        input: { kind: 'choice', labels: egiszModes },
      }),
      egiszSystem: setting({
        label: 'Идентификатор МИС',
        help: 'Его дают при подключении к РЭМД',
        words: 'мис рэмд регистрация егисз',
        check: line(64),
        byDefault: '',
      }),
      egiszAddress: setting({
        label: 'Адрес шлюза',
        words: 'ипс рэмд url сервис егисз',
        check: webAddress(),
        calledBy: 'EGISZ_URL',
        byDefault: '',
        wide: true,
      }),
      egiszCallback: setting({
        label: 'Адрес для ответов РЭМД',
        help: 'Куда шлюз присылает, зарегистрирован ли документ',
        words: 'callback обратный вызов url егисз рэмд',
        check: webAddress(),
        byDefault: '',
        wide: true,
      }),
      egiszCertificate: setting({
        label: 'Отпечаток сертификата клиники',
        help: '40 знаков, без пробелов',
        words: 'электронная подпись эцп кэп егисз',
        check: line(64).refine(
          (v) => v === '' || /^[\da-fA-F]{40}$/.test(v),
          'Отпечаток — 40 знаков: цифры и буквы A–F',
        ),
        byDefault: '',
      }),
      egiszToken: secret({
        label: 'Ключ доступа к шлюзу',
        words: 'пароль токен секрет егисз',
        goesTo: 'egiszAddress',
      }),
      egiszCallbackToken: secret({
        label: 'Ключ ответов РЭМД',
        help: 'Шлюз показывает его в заголовке Authorization: Bearer. Без него ответы не принимаются',
        words: 'callback обратный вызов токен секрет егисз',
      }),
      egiszSigner: setting<number | null>({
        label: 'Кто подписывает за клинику',
        help: 'Он назван в документе уполномоченным (legalAuthenticator); пусто — сам врач',
        words: 'руководитель главный врач подпись егисз',
        check: z.int(messages.integer).min(0, messages.reference).nullable(),
        byDefault: null,
        input: { kind: 'record', to: 'users' },
      }),
    },
    'Электронная подпись': {
      signaturePlugin: setting<keyof typeof signaturePlugins>({
        label: 'Чем подписывают',
        help: 'Имитатор делает подпись «ТЕСТОВАЯ ПОДПИСЬ»: она верна, но юридической силы не имеет',
        words: 'криптопро эцп плагин кэп токен',
        check: among(signaturePlugins),
        byDefault: 'cryptopro',
        input: { kind: 'choice', labels: signaturePlugins },
      }),
    },
    'Справочники НСИ': {
      nsiAddress: setting({
        label: 'Адрес НСИ',
        words: 'справочники фнси nsi url',
        check: webAddress(),
        calledBy: 'EGISZ_URL',
        byDefault: 'https://nsi.rosminzdrav.ru/port/rest',
        wide: true,
      }),
      nsiKey: secret({
        label: 'Ключ НСИ',
        help: 'userKey из личного кабинета НСИ',
        words: 'справочники фнси userKey токен',
        goesTo: 'nsiAddress',
      }),
    },
    'Документы в РЭМД': {
      egiszSend: setting({
        label: 'Отправлять документы в РЭМД',
        help: 'Какие, когда и кто подписывает — на странице «Документы РЭМД»',
        words: 'рэмд семд егисз выгрузка',
        check: flag(),
        byDefault: false,
      }),
      egiszHours: setting({
        label: 'Повторять отправку, ч',
        help: 'Потом документ остаётся в журнале с отказом',
        words: 'повтор ошибка егисз рэмд',
        check: whole(1, 168),
        byDefault: 24,
      }),
    },
  },
})

/** «Поиск СНИЛС»: queries to the Social Fund by the data of a card. */
export const sosnilsSettings = child({
  page: 'sosnils',
  beside: ['snilsQueries', 'customers'],
  groups: {
    'Поиск СНИЛС': {
      sosnilsSearch: setting({
        label: 'Искать СНИЛС по данным карты',
        words: 'сфр пфр страховой номер',
        check: flag(),
        byDefault: false,
      }),
      sosnilsMoment: setting<keyof typeof snilsMoments>({
        label: 'Когда искать',
        words: 'сфр снилс автоматически',
        check: among(snilsMoments),
        byDefault: 'hand',
        input: { kind: 'choice', labels: snilsMoments },
      }),
      sosnilsPerDay: setting({
        label: 'Запросов в день, не больше',
        words: 'сфр снилс предел лимит',
        check: whole(1, 10_000),
        byDefault: 500,
      }),
    },
    Доступ: {
      sosnilsMode: setting<keyof typeof serviceModes>({
        label: 'Режим поиска СНИЛС',
        words: 'контур тестовый промышленный сфр снилс',
        check: among(serviceModes),
        byDefault: 'off',
        input: { kind: 'choice', labels: serviceModes },
      }),
      sosnilsAddress: setting({
        label: 'Адрес сервиса СНИЛС',
        words: 'сфр смэв url',
        check: webAddress(),
        calledBy: 'SNILS_URL',
        byDefault: '',
        wide: true,
      }),
      sosnilsLogin: setting({ label: 'Имя в сервисе СНИЛС', words: 'сфр логин', check: line(128), byDefault: '' }),
      sosnilsPassword: secret({
        label: 'Пароль сервиса СНИЛС',
        words: 'сфр ключ секрет',
        goesTo: 'sosnilsAddress',
      }),
    },
  },
})
