/** Columns of a table of customers, and the reading of one row. */
import { Customer, CustomerSource, CustomerTag, phoneFields } from '@ordinator/model/areas/customers/customer'
import { documentNumber, documentTypes, policyDoubts, policyNumber } from '@ordinator/model/areas/customers/documents'
import { lifeErrors } from '@ordinator/model/areas/customers/lifeErrors'
import { sexes } from '@ordinator/model/areas/staff/user'
import { checkBody } from '@ordinator/model/check'
import { phoneFromExchange, phonesIn, phoneText } from '@ordinator/model/phone'
import { nameParts } from '@ordinator/model/spelling'
import {
  type Cells,
  columnsFor,
  dropped,
  isNoDay,
  plainName,
  type RowReader,
  readDay,
  readList,
  rowReader,
} from '#areas/imports/index.ts'
import type { FieldError } from '#platform/errors.ts'
import type { ReadRow } from './importCards.ts'

const FULL_NAMES = [
  ...['клиент', 'пациент', 'имя клиента', 'имя пациента', 'фио клиента', 'фио пациента', 'контрагент'],
  ...['фамилия имя отчество', 'фамилия, имя, отчество', 'ф.и.о', 'full name'],
]
const BIRTHDAYS = [
  'др',
  'д.р',
  'день рождения',
  'дата рождения (дд.мм.гггг)',
  'дата рожд',
  'дата рожденья',
  'birthday',
  'date of birth',
]
const PHONES = [
  'мобильный',
  'телефон 1',
  'тел',
  'моб. телефон',
  'мобильный телефон',
  'контактный телефон',
  'номер телефона',
  'сотовый',
  'phone',
]

/** The other fields of a card, read by their types. */
const more = [
  'noMessenger',
  'noSms',
  'noEmail',
  'dateDeath',
  'bloodGroup',
  'disability',
  'benefitCode',
  'languages',
  'secretLevel',
  'promoter',
  'addressWork',
  'familyStatus',
  'educationLevel',
  'employment',
  'postalCode',
  'region',
  'district',
  'nameStreet',
  'numberStreet',
  'numberRoom',
  'postalCodeFact',
  'regionCodeFact',
  'regionFact',
  'districtFact',
  'nameCityFact',
  'nameStreetFact',
  'numberStreetFact',
  'numberRoomFact',
] as const satisfies readonly (keyof typeof Customer.fields)[]
const moreColumns: ReadonlySet<string> = new Set(more)

/** Named as in the list of customers and its export. */
export const columns = columnsFor(Customer, [
  { name: 'ФИО', also: FULL_NAMES, examples: ['', 'Орлова Анна Ильинична'] },
  { field: 'surname', required: false, also: ['surname', 'last name'], examples: ['Орлов', ''] },
  { field: 'name', also: ['first name', 'name'], examples: ['Илья', ''] },
  { field: 'middleName', also: ['middle name', 'patronymic'], examples: ['Петрович', ''] },
  { field: 'birthday', also: BIRTHDAYS, examples: ['09.02.1981', '2015-11-23'] },
  { field: 'gender', examples: ['Мужской', 'ж'] },
  { field: 'phone', also: PHONES, examples: ['+7 912 000-11-22', ''] },
  {
    field: 'phoneExtended',
    also: ['телефон 2', 'доп. телефон', ...PHONES, 'телефон'],
    examples: ['', ''],
  },
  { field: 'phoneMother', examples: ['', '8 (912) 000-33-44'] },
  { field: 'phoneFather', examples: ['', ''] },
  { field: 'phoneWork', examples: ['', ''] },
  { field: 'email', also: ['почта', 'email', 'e-mail'], examples: ['orlov@example.ru', ''] },
  { field: 'snils', examples: ['112-233-445 95', ''] },
  { name: 'Полис ОМС', also: ['енп', 'полис', 'номер полиса'], examples: ['7757910848000014', ''] },
  { field: 'inn', examples: ['', ''] },
  { field: 'documentType', also: ['вид документа'], examples: ['Паспорт РФ', ''] },
  {
    field: 'numberPassport',
    also: ['паспорт', 'номер документа'],
    examples: ['4504 123456', ''],
  },
  { field: 'datePassport', examples: ['', ''] },
  { field: 'issuedByPassport', examples: ['', ''] },
  { field: 'issuedByPassportCode', examples: ['', ''] },
  { field: 'cardNumber', also: ['№ карты', 'карта'], examples: ['А-100', ''] },
  { field: 'idSource', also: ['откуда узнал', 'откуда', 'рекламный источник', 'канал'], examples: ['Сайт', ''] },
  { name: 'Метки', also: ['теги', 'метка', 'категории', 'категория', 'группы'], examples: ['Постоянный, Скидка', ''] },
  { field: 'address', also: ['адрес'], examples: ['', ''] },
  { field: 'nameCity', examples: ['', ''] },
  { field: 'factAddressAsString', examples: ['', ''] },
  { field: 'work', examples: ['', ''] },
  { field: 'post', examples: ['', ''] },
  { field: 'allergies', examples: ['', ''] },
  { field: 'note', also: ['комментарий'], examples: ['', ''] },
  ...more.map((field) => ({ field, examples: ['', ''] as const })),
])
export const nameOfField = new Map(columns.flatMap(({ name, field }) => (field ? [[field, name] as const] : [])))

const genders: Readonly<Record<string, keyof typeof sexes>> = {
  ...Object.fromEntries(Object.entries(sexes).map(([key, label]) => [plainName(label), key as keyof typeof sexes])),
  м: 'male',
  муж: 'male',
  'муж.': 'male',
  ж: 'female',
  жен: 'female',
  'жен.': 'female',
}

/** The clinic's sources of customers by name, and whether missing ones are created. */
export interface Sources {
  sources: Map<string, { id: number }[]>
  /** The same by what tells them apart: see `sourceKey`. */
  alikeSources: ReadonlyMap<string, readonly { path: string }[]>
  createSources: boolean
}

/** What tells sources apart: «Реклама на сайте» and «Наш сайт» are one. */
export const sourceKey = (name: string): string =>
  plainName(name)
    .replace(
      /(?<!\p{L})(реклам[аыуе]|объявлени[еюя]|наш[аеи]?|клиники?|из|от|на|в|во|по|с|со|через|увидел[аи]?|узнал[аи]?)(?!\p{L})/gu,
      ' ',
    )
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
    .split(' ')
    .map((word) => (word.length > 4 ? word.replace(/[аеиоуыэюяйь]+$/u, '') : word))
    .toSorted()
    .join(' ')

/**
 * Parses a row; an empty cell sets nothing.
 * @param day today, `YYYY-MM-DD`
 */
export function readRow(ready: Sources, cells: Cells, day: string): ReadRow {
  const row = rowReader(columns, cells)
  const { errors, refuse, text } = row
  const body: Record<string, unknown> = {
    ...row.fields(),
    ...row.values(columns.filter(({ field }) => field !== undefined && moreColumns.has(field))),
  }
  if (!body.surname && text('ФИО')) {
    const { surname, name, middleName } = nameParts(text('ФИО'))
    Object.assign(body, { surname, ...(name && { name }), ...(middleName && { middleName }) })
  }
  const notes: FieldError[] = []
  readPhones(body, notes)
  if (isNoDay(text('Дата рождения'))) delete body.birthday
  if (body.birthday) body.birthday = russianDay(text('Дата рождения'), Number(day.slice(0, 4))) ?? text('Дата рождения')
  if (body.datePassport) body.datePassport = row.day('Дата выдачи')
  if (body.gender) body.gender = genders[plainName(text('Пол'))] ?? row.chosen('Пол', sexes)
  if (body.documentType) body.documentType = row.chosen('Документ', documentTypes)
  if (body.numberPassport) {
    const number = documentNumber(
      (body.documentType as keyof typeof documentTypes) ?? 'passport',
      text('Серия и номер'),
    )
    if (number.ok) body.numberPassport = number.value
    else refuse('Серия и номер', number.message)
  }
  delete body.idSource
  const source = knownSource(ready, text('Источник'), notes)
  if (source && ready.createSources && !ready.sources.has(plainName(source)))
    row.check(CustomerSource, { sourceName: source }, 'create', 'Источник')
  // One that is like another is known by now.
  else if (source && source === text('Источник'))
    row.named('Источник', ready.sources, 'такого источника нет', 'таких несколько, укажите с разделом')
  const tags = readList(text('Метки'))
  for (const name of tags)
    for (const { message } of checkBody(CustomerTag, { idCustomer: 1, name }, 'create').errors ?? [])
      refuse('Метки', message)
  if (errors.some(({ field }) => field === 'Метки')) tags.length = 0
  const policy = text('Полис ОМС') ? policyNumber('oms', text('Полис ОМС')) : undefined
  if (policy && !policy.ok) refuse('Полис ОМС', policy.message)
  if (!body.surname) refuse('Фамилия', 'Впишите фамилию или ФИО')
  const value = checkedCard(row, body, cells, day, notes)
  const number = policy?.ok ? policy.value : ''
  const doubt = number ? policyDoubts(number, value) : undefined
  return {
    body: value,
    policy: number,
    source,
    tags,
    errors,
    notes: doubt ? [...notes, { field: 'Полис ОМС', message: doubt }] : notes,
    keys: [],
    found: [],
  }
}

/** The name of the only source that is like this one, noted as a doubt; else the name itself. */
function knownSource({ sources, alikeSources }: Sources, name: string, notes: FieldError[]): string {
  if (!name || sources.has(plainName(name))) return name
  const key = sourceKey(name)
  const [alike, ...more] = key ? (alikeSources.get(key) ?? []) : []
  if (!alike || more.length > 0) return name
  notes.push({ field: 'Источник', message: `«${name.slice(0, 60)}» взят как «${alike.path}»` })
  return alike.path
}

/** Cells whose errors leave the row: a wrong name makes another person, and an unknown source has a choice of its own. */
const KEPT = new Set(['Фамилия', 'ФИО', 'Имя', 'Отчество', 'Источник'])
/** A cell that means «none». */
const NOTHING = /^(?:нет|не указан[аоы]?|неизвестн[оаы]|отсутствует|б\/н|[-–—.?0]+)$/i

/**
 * Checks a card. A cell at fault that is not the person's name is dropped: kept in the note of the card, and reported.
 * @param day today, `YYYY-MM-DD`
 */
function checkedCard(
  row: RowReader,
  body: Record<string, unknown>,
  cells: Cells,
  day: string,
  notes: FieldError[],
): Record<string, unknown> {
  const { errors, refuse } = row
  const fault = (body: Record<string, unknown>) => {
    const value = row.check(Customer, body) ?? {}
    const birthday = value.birthday as string | undefined
    const isReported = errors.some(({ field }) => field === 'Дата рождения')
    if (birthday && birthday.split('.').reverse().join('-') > day && !isReported)
      refuse('Дата рождения', 'Этот день ещё не наступил')
    for (const { field, message } of lifeErrors(value)) refuse(nameOfField.get(field) ?? field, message)
    return value
  }
  const value = fault(body)
  if (errors.length === 0 || errors.some(({ field }) => KEPT.has(field))) return value
  const lost = [...new Map(errors.map((error) => [error.field, error])).values()]
  errors.length = 0
  for (const { field, message } of lost) {
    const written = cells[field]?.trim() ?? ''
    const column = columns.find(({ name }) => name === field)
    if (column?.field) delete body[column.field]
    if (NOTHING.test(written)) continue
    body.note = [body.note, `${field}: ${written.slice(0, 200)}`].filter(Boolean).join('\n')
    notes.push(dropped(field, message, written))
  }
  return fault(body)
}

/**
 * Two numbers of one cell go to two fields, and the rest to the note, as do a local number and a foreign one
 * that no field takes.
 */
function readPhones(body: Record<string, unknown>, allNotes: FieldError[]): void {
  const notes: string[] = []
  for (const field of phoneFields) {
    const written = body[field]
    if (typeof written !== 'string') continue
    const column = nameOfField.get(field) ?? field
    const { phones, note } = phonesIn(written)
    const [first, ...others] = phones
    if (!first) {
      if (!phoneFromExchange(written)) continue
      delete body[field]
      notes.push(`${column}: ${written}`)
      allNotes.push({ field: column, message: `Номер не полный или не российский: «${written}» записано в примечание` })
      continue
    }
    body[field] = first
    const rest = note ? [note] : []
    for (const other of others)
      if (body.phoneExtended) rest.push(phoneText(other))
      else {
        body.phoneExtended = other
        allNotes.push({ field: column, message: `Второй номер ${phoneText(other)} записан дополнительным` })
      }
    if (rest.length === 0) continue
    notes.push(`${column} ${phoneText(first)}: ${rest.join(', ')}`)
    allNotes.push({ field: column, message: `«${rest.join(', ')}» записано в примечание` })
  }
  if (notes.length) body.note = [body.note, ...notes].filter(Boolean).join('\n')
}

/** The row as the card will store it: parsed names, dates, numbers and addresses. */
export function shownOf(cells: Cells, body: Readonly<Record<string, unknown>>): Cells {
  const shown = { ...cells }
  if (cells.ФИО?.trim() && !cells.Фамилия?.trim())
    shown.ФИО = [body.surname, body.name, body.middleName].filter(Boolean).join(' ')
  for (const { name, field = '' } of columns) {
    const value = body[field]
    if (!cells[name]?.trim() || typeof value !== 'string') continue
    if ((phoneFields as readonly string[]).includes(field)) shown[name] = phoneText(value)
    else if (['surname', 'name', 'middleName', 'birthday', 'email'].includes(field)) shown[name] = value
  }
  return shown
}

const russianDay = (written: string, latest: number): string | undefined =>
  readDay(written, latest)?.split('-').reverse().join('.')
