import { z } from 'zod'
import { messages } from '../../../messages.ts'
import { phoneOf } from '../../../phone.ts'
import { flag } from '../checks.ts'
import { among, child, headerText, line, secret, setting, webAddress } from '../setting.ts'

/** Mode of a connection: real sending or a test. */
export const connectionModes = {
  prod: 'Рабочий',
  test: 'Тестовый: всё приходит на один номер или адрес',
  simulator: 'Имитатор: никому не уходит',
  off: 'Выключено',
} as const
export type ConnectionMode = keyof typeof connectionModes

/** Mode of a service without a test endpoint: real, by the built-in simulator, or off. */
export const serviceModes = {
  prod: connectionModes.prod,
  simulator: 'Имитатор: ничего никуда не уходит',
  off: connectionModes.off,
} as const
export type ServiceMode = keyof typeof serviceModes

/** Providers of text messages. */
export const smsProviders = {
  own: 'Свой шлюз (протокол программы)',
  smsc: 'SMSC (smsc.ru)',
  smsru: 'SMS.RU',
  smsaero: 'SMS Aero',
} as const
export type SmsProviderName = keyof typeof smsProviders

/** Providers of cloud telephony. */
export const telephonyProviders = { off: 'Не подключена', mango: 'Mango Office', zadarma: 'Zadarma' } as const
export type TelephonyProvider = keyof typeof telephonyProviders

/** Speaker in the first channel of a recording. */
export const firstChannels = { customer: 'Собеседник', operator: 'Сотрудник' } as const

const serviceMode = (label: string, words: string, help?: string) =>
  setting<ServiceMode>({
    label,
    ...(help && { help }),
    words: `${words} режим имитатор`,
    check: among(serviceModes),
    byDefault: 'prod',
    input: { kind: 'choice', labels: serviceModes },
    wide: true,
  })

const price = (label: string) =>
  setting({
    label,
    words: 'нейросеть стоимость токены рубли',
    check: z.number(messages.number).min(0, messages.min(0)).max(10_000, messages.max(10_000)),
    byDefault: 0,
  })

const mode = (label: string, words: string, help?: string) =>
  setting<ConnectionMode>({
    label,
    ...(help && { help }),
    words: `${words} режим имитатор тест контур`,
    check: among(connectionModes),
    byDefault: 'prod',
    input: { kind: 'choice', labels: connectionModes },
    wide: true,
  })

const CARRIERS = { setting: 'smsProvider', is: ['smsc', 'smsru', 'smsaero'] } as const
const OWN_GATEWAY = { setting: 'smsProvider', is: ['own'] } as const
const EXCHANGES = { setting: 'telephonyProvider', is: ['mango', 'zadarma'] } as const

/** «Подключения»: providers and keys of outgoing messages. An empty field falls back to the server's environment. */
export const connectionsSettings = child({
  page: 'connections',
  beside: ['integrations', 'mappings', 'chatChannels', 'cashDesks', 'webhooks'],
  groups: {
    'СМС-шлюз': {
      smsMode: mode('Режим СМС', 'смс шлюз сообщения', 'Коды подписи и входа отправляются только в рабочем режиме'),
      smsProvider: setting<SmsProviderName>({
        label: 'Кто отправляет СМС',
        help: 'Договор с провайдером заключает клиника; имя отправителя согласуют у него заранее',
        words: 'смс провайдер smsc sms.ru smsaero',
        check: among(smsProviders),
        byDefault: 'own',
        input: { kind: 'choice', labels: smsProviders },
        wide: true,
        callback: {
          smsc: { label: 'Адрес для отчётов о доставке: впишите в кабинете SMSC', path: '/sms/statuses/smsc' },
          smsru: { label: 'Адрес для отчётов о доставке: впишите в кабинете SMS.RU', path: '/sms/statuses/smsru' },
          smsaero: {
            label: 'Адрес для отчётов о доставке: впишите в кабинете SMS Aero',
            path: '/sms/statuses/smsaero',
          },
        },
      }),
      smsLogin: setting({
        label: 'Логин у провайдера',
        help: 'SMSC — логин кабинета, SMS Aero — почта',
        words: 'смс логин провайдер',
        when: { setting: 'smsProvider', is: ['smsc', 'smsaero'] },
        check: line(120),
        byDefault: '',
      }),
      smsKey: secret({
        label: 'Ключ провайдера СМС',
        help: 'SMSC: пароль или ключ API (Настройки → API). SMS.RU: api_id на главной кабинета. SMS Aero: Настройки → API и SMPP. С новым провайдером вписывают и новый ключ',
        words: 'смс api ключ пароль провайдер секрет',
        goesTo: 'smsProvider',
        when: CARRIERS,
      }),
      smsSender: setting({
        label: 'Имя отправителя',
        help: 'Как согласовано у провайдера; с другим именем сообщения не уйдут',
        words: 'смс отправитель подпись sign',
        when: CARRIERS,
        check: line(20),
        byDefault: '',
      }),
      smsLowBalance: setting({
        label: 'Предупреждать, если на счёте меньше, ₽',
        help: 'Администраторы узнают о том, что деньги у провайдера кончаются; 0 — не предупреждать',
        words: 'смс баланс деньги счёт',
        when: CARRIERS,
        check: z.number(messages.number).min(0, messages.min(0)).max(1_000_000, messages.max(1_000_000)),
        byDefault: 500,
      }),
      smsAddress: setting({
        label: 'Адрес шлюза СМС',
        help: 'Пусто — как задано на сервере (SMS_URL). Адреса внутренней сети задают только там',
        words: 'смс url сервис подключение',
        when: OWN_GATEWAY,
        check: webAddress(),
        calledBy: 'SMS_URL',
        byDefault: '',
        wide: true,
      }),
      smsToken: secret(
        {
          label: 'Ключ шлюза СМС',
          help: 'Отправляется шлюзу с каждым запросом; с новым адресом шлюза вписывают и новый ключ',
          words: 'смс пароль токен секрет',
          goesTo: 'smsAddress',
          when: OWN_GATEWAY,
        },
        headerText(500),
      ),
      smsTestPhone: setting({
        label: 'Номер для тестового режима',
        help: 'Куда приходят все СМС, пока режим тестовый',
        words: 'смс проверка телефон',
        when: { setting: 'smsMode', is: ['test'] },
        check: line(20).transform((value, context) => {
          if (value === '') return ''
          const read = phoneOf(value)
          if (!read) context.addIssue({ code: 'custom', message: messages.phone })
          return read ?? ''
        }),
        byDefault: '',
      }),
    },
    'Облачная телефония': {
      telephonyProvider: setting<TelephonyProvider>({
        label: 'АТС',
        help: 'Свой Asterisk подключают на сервере (AMI_URL)',
        words: 'телефония звонки mango манго zadarma задарма',
        check: among(telephonyProviders),
        byDefault: 'off',
        input: { kind: 'choice', labels: telephonyProviders },
        wide: true,
        callback: {
          mango: { label: 'Адрес для событий: впишите там же, где взяли ключ', path: '/telephony/mango' },
          zadarma: { label: 'Адрес для событий: впишите там же, где взяли ключ', path: '/telephony/zadarma' },
        },
      }),
      telephonyKey: secret(
        {
          label: 'Ключ АТС',
          help: 'Mango: Личный кабинет → Интеграции → Подключение по API, «Уникальный код». Zadarma: Настройки → API, Key',
          words: 'телефония api ключ секрет',
          goesTo: 'telephonyProvider',
          when: EXCHANGES,
        },
        headerText(200),
      ),
      telephonySecret: secret(
        {
          label: 'Секрет АТС',
          help: 'Mango: «Ключ для создания подписи» там же. Zadarma: Secret',
          words: 'телефония подпись соль секрет',
          goesTo: 'telephonyProvider',
          when: EXCHANGES,
        },
        headerText(200),
      ),
    },
    Почта: {
      mailMode: mode('Режим почты', 'email письма smtp'),
      mailAddress: setting({
        label: 'Почтовый сервер',
        help: 'Вида smtps://mail.clinic.ru или smtp://mail.clinic.ru:587. Пусто — как задано на сервере (SMTP_URL)',
        words: 'smtp email письма подключение',
        check: line(255).refine(
          (value) => value === '' || isMailServer(value),
          'Нужен адрес вида smtps://mail.clinic.ru, без имени и пароля',
        ),
        calledBy: 'SMTP_URL',
        byDefault: '',
        wide: true,
      }),
      mailLogin: setting({ label: 'Имя для входа на почту', words: 'smtp логин', check: line(255), byDefault: '' }),
      mailPassword: secret({
        label: 'Пароль почты',
        help: 'С новым адресом сервера вписывают и новый пароль',
        words: 'smtp ключ секрет',
        goesTo: 'mailAddress',
      }),
      mailFrom: setting({
        label: 'От кого письма',
        help: 'Пусто — как задано на сервере (MAIL_FROM)',
        words: 'отправитель адрес email',
        check: mailbox(),
        byDefault: '',
      }),
      mailTestAddress: setting({
        label: 'Адрес для тестового режима',
        help: 'Куда приходят все письма, пока режим тестовый',
        words: 'проверка email письма',
        when: { setting: 'mailMode', is: ['test'] },
        check: mailbox(),
        byDefault: '',
      }),
    },
    Нейросеть: {
      llmMode: serviceMode('Режим нейросети', 'ии подсказки llm', 'Для подсказок протоколов и звонков'),
      llmAddress: setting({
        label: 'Адрес нейросети',
        help: 'Вида https://llm.clinic.ru/v1, протокол OpenAI. Пусто — своя нейросеть клиники (LLM_URL на сервере). Зарубежный адрес — трансграничная передача данных: личные данные скрываются, но медицинские уходят',
        words: 'llm openai url сервис подключение',
        check: webAddress(),
        calledBy: 'LLM_URL',
        byDefault: '',
        wide: true,
      }),
      llmToken: secret(
        {
          label: 'Ключ нейросети',
          help: 'С новым адресом вписывают и новый ключ',
          words: 'llm токен секрет',
          goesTo: 'llmAddress',
        },
        headerText(500),
      ),
      llmInside: setting({
        label: 'Только своя нейросеть',
        help: 'Спрашивать только нейросеть на сервере клиники (LLM_URL). Адрес выше не используется, и наружу ничего не уходит',
        words: 'llm внутри персональные данные',
        check: flag(),
        byDefault: false,
      }),
      llmModel: setting({
        label: 'Модель',
        help: 'Имя модели, если в подсказке не указана своя',
        words: 'llm нейросеть модель',
        check: line(120),
        byDefault: '',
      }),
      llmPriceIn: price('Цена 1000 токенов вопроса, ₽'),
      llmPriceOut: price('Цена 1000 токенов ответа, ₽'),
    },
    'Распознавание речи': {
      asrMode: serviceMode(
        'Режим распознавания',
        'расшифровка звонков речь whisper',
        'Для расшифровки записей разговоров',
      ),
      asrAddress: setting({
        label: 'Адрес распознавания',
        help: 'Вида https://asr.clinic.ru/v1, протокол OpenAI. Пусто — свой сервер клиники (ASR_URL на сервере). Туда уходит голос пациента',
        words: 'whisper расшифровка url подключение',
        check: webAddress(),
        calledBy: 'ASR_URL',
        byDefault: '',
        wide: true,
      }),
      asrToken: secret(
        {
          label: 'Ключ распознавания',
          help: 'С новым адресом вписывают и новый ключ',
          words: 'asr токен секрет',
          goesTo: 'asrAddress',
        },
        headerText(500),
      ),
      asrModel: setting({ label: 'Модель распознавания', words: 'whisper модель', check: line(120), byDefault: '' }),
      asrFirstChannel: setting<keyof typeof firstChannels>({
        label: 'Первый канал записи',
        help: 'Чей голос АТС пишет в первый канал двухканальной записи',
        words: 'стерео каналы голос',
        check: among(firstChannels),
        byDefault: 'customer',
        input: { kind: 'choice', labels: firstChannels },
      }),
      asrAuto: setting({
        label: 'Расшифровывать новые записи',
        help: 'Сама, по мере появления записей; иначе — кнопкой в звонке',
        words: 'автоматически расшифровка',
        check: z.boolean(messages.boolean),
        byDefault: false,
      }),
    },
    'Яндекс Метрика': {
      metrikaMode: serviceMode(
        'Режим Метрики',
        'метрика яндекс цели',
        'Счётчики и их ключи — на странице «Цели Метрики»',
      ),
    },
  },
})

function mailbox() {
  return line(255).refine((value) => value === '' || z.email().safeParse(value).success, messages.email)
}

function isMailServer(value: string): boolean {
  const url = URL.parse(value)
  return url !== null && /^smtps?:$/.test(url.protocol) && url.hostname !== '' && !url.username && !url.password
}
