/** The plan of a move from another program: its tables in their order, and the requirements of each. */

export const moveTableKeys = [
  'users',
  'services',
  'performers',
  'customers',
  'relations',
  'policies',
  'balances',
  'certificates',
  'visits',
  'appointments',
  'plans',
  'files',
] as const
export type MoveTableKey = (typeof moveTableKeys)[number]

export const moveParts = {
  base: 'Клиника',
  patients: 'Пациенты',
  money: 'Деньги пациентов',
  visits: 'Приёмы и лечение',
  papers: 'Документы',
} as const
export type MovePart = keyof typeof moveParts

export interface MoveTable {
  key: MoveTableKey
  part: MovePart
  title: string
  /** The meaning of one row of the file. */
  row: string
  /** The result here, one sentence. */
  why: string
  /** Tables that its rows refer to: they go in before it. */
  after: readonly MoveTableKey[]
}

export const moveTables = [
  {
    key: 'users',
    part: 'base',
    title: 'Сотрудники',
    row: 'сотрудник',
    why: 'Врачи из прошлых визитов и записей находятся по имени или коду.',
    after: [],
  },
  {
    key: 'services',
    part: 'base',
    title: 'Услуги и цены',
    row: 'услуга',
    why: 'Прейскурант: название, код, группа, цена.',
    after: [],
  },
  {
    key: 'performers',
    part: 'base',
    title: 'Кто какие услуги оказывает',
    row: 'врач и услуга',
    why: 'Без исполнителей на услугу нельзя записать.',
    after: ['users', 'services'],
  },
  {
    key: 'customers',
    part: 'patients',
    title: 'Пациенты',
    row: 'пациент',
    why: 'Карта с документом, полисом ОМС, телефонами и метками. Похожие карты показываются до загрузки.',
    after: [],
  },
  {
    key: 'relations',
    part: 'patients',
    title: 'Представители и родственники',
    row: 'представитель',
    why: 'Кто приводит пациента и подписывает за него.',
    after: ['customers'],
  },
  {
    key: 'policies',
    part: 'patients',
    title: 'Полисы',
    row: 'полис',
    why: 'ДМС и другие полисы сверх одного ОМС в карте.',
    after: ['customers'],
  },
  {
    key: 'balances',
    part: 'money',
    title: 'Долги, авансы и бонусы',
    row: 'пациент с остатком',
    why: 'Входящие остатки счетов: без смены, чека и выручки.',
    after: ['customers'],
  },
  {
    key: 'certificates',
    part: 'money',
    title: 'Сертификаты с остатком',
    row: 'сертификат',
    why: 'Проданные и не потраченные: по ним принимают оплату.',
    after: ['customers'],
  },
  {
    key: 'visits',
    part: 'visits',
    title: 'Прошлые визиты',
    row: 'услуга визита',
    why: 'История в ленте пациента. Не меняет ни денег, ни отчётов, ни зарплаты.',
    after: ['customers', 'users', 'services'],
  },
  {
    key: 'appointments',
    part: 'visits',
    title: 'Предстоящие визиты',
    row: 'запись',
    why: 'Встают в расписание на своё время; пациентам о переезде ничего не уходит.',
    after: ['customers', 'users', 'services', 'performers'],
  },
  {
    key: 'plans',
    part: 'visits',
    title: 'Планы лечения',
    row: 'услуга плана',
    why: 'Этапы и услуги с ценами; согласовать план с пациентом можно здесь.',
    after: ['customers', 'users', 'services'],
  },
  {
    key: 'files',
    part: 'papers',
    title: 'Файлы пациентов',
    row: 'файл',
    why: 'Архив ZIP со снимками и документами и таблицей, чей какой файл.',
    after: ['customers'],
  },
] as const satisfies readonly MoveTable[]

/** Bytes of a table, and of an archive with files. */
export const MAX_MOVE_TABLE = 100 * 1024 * 1024
export const MAX_MOVE_ARCHIVE = 500 * 1024 * 1024
/** Rows of one file; a longer table comes as several files. */
export const MAX_MOVE_ROWS = 300_000
/** Files of one archive; more come as several archives, each with its table. */
export const MAX_MOVE_FILES = 65_535

/** Programs that clinics come from. */
export const movePrograms = {
  /** Another clinic on this product: the files of a handed over branch. */
  ordinator: 'Ординатор',
  yclients: 'YCLIENTS',
  ident: 'IDENT',
  medialog: 'Медиалог',
  onec: '1С:Медицина',
  sqns: 'SQNS',
  bitrix24: 'Битрикс24',
  other: 'Другая программа',
} as const
export type MoveProgram = keyof typeof movePrograms

/** Figures compared with the former program, with the word forms of their units. */
export const moveSums = {
  debt: { label: 'Долги', of: ['пациента', 'пациентов', 'пациентов'], genitive: 'Долгов' },
  advance: { label: 'Авансы', of: ['пациента', 'пациентов', 'пациентов'], genitive: 'Авансов' },
  bonus: { label: 'Бонусы', of: ['пациента', 'пациентов', 'пациентов'], genitive: 'Бонусов' },
  certificate: {
    label: 'Остаток сертификатов',
    of: ['покупателя', 'покупателей', 'покупателей'],
    genitive: 'Остатка по сертификатам',
  },
  visit: {
    label: 'Услуги прошлых визитов',
    of: ['пациента', 'пациентов', 'пациентов'],
    genitive: 'Прошлых визитов на',
  },
  plan: { label: 'Планы лечения', of: ['пациента', 'пациентов', 'пациентов'], genitive: 'Планов лечения на' },
} as const
export type MoveSum = keyof typeof moveSums
