/** Parsing and validation of one row of a deals file. */
import { Company, Contact } from '@ordinator/model/areas/sales/contact'
import { DONE, type Funnel, WORK } from '@ordinator/model/areas/sales/funnel'
import { Lead, LeadTag, SalesSource } from '@ordinator/model/areas/sales/lead'
import { canCompleteDeal, cannotComplete, lossErrors } from '@ordinator/model/areas/sales/rules'
import { NO_NAME } from '@ordinator/model/areas/staff/names'
import { checkBody } from '@ordinator/model/check'
import type { Create, Entity, Row } from '@ordinator/model/entity'
import { formatDateTime, formatDay, formatMoney } from '@ordinator/model/format'
import { messages } from '@ordinator/model/messages'
import { phoneOf, phoneText } from '@ordinator/model/phone'
import {
  type Cells,
  type Checked,
  plainName,
  readList,
  readMoment,
  readMoney,
  readParagraphs,
  readParts,
} from '#areas/imports/index.ts'
import type { FieldError } from '#platform/errors.ts'
import { columns } from './importDealColumns.ts'
import { namesOf } from './newDeal.ts'

export interface Named {
  id: number
  name: string
}

/** Lookup data for rows; records are keyed by normalized name. */
export interface Ready {
  skipDuplicates: boolean
  createSources: boolean
  timeZone: string
  funnel: Row<typeof Funnel>
  stages: Map<string, (Named & { idType: number })[]>
  firstStage: (Named & { idType: number }) | undefined
  people: Map<string, Named[]>
  sources: Map<string, Named[]>
  reasons: Map<string, Named[]>
  /** Only those of the rows. */
  companies: Map<string, Named[]>
  /** Colours of tags by name. */
  colors: Map<string, string>
  /** Titles of open deals by phone; imported rows add theirs. */
  open: Map<string, string>
}

type ContactValues = Omit<Create<typeof Contact>, 'idLead'>

export interface DealValues {
  deal: Create<typeof Lead>
  people: number[]
  tags: string[]
  contacts: ContactValues[]
  /** By name: it may be created with the first row that has it. */
  company: string
  source: string
}

/** The phones of a cell in E.164; undefined for an invalid one, an empty string for a blank. */
export const readPhones = (text: string): (string | undefined)[] =>
  readParts(text.replace(/[;/]/g, ',')).map((one) => (one === '' ? '' : phoneOf(one)))

export function checkDeal(ready: Ready, cells: Cells): Checked<DealValues> {
  const errors: FieldError[] = []
  const text = (column: string) => (cells[column] ?? '').trim()
  const refuse = (field: string, message: string) => void errors.push({ field, message })

  const stage = text('Этап')
    ? oneOf('Этап', text('Этап'), ready.stages, 'такого этапа нет в воронке')
    : ready.firstStage
  if (!ready.firstStage) refuse('Этап', 'В воронке нет этапов')
  const reason = text('Причина отказа')
    ? oneOf('Причина отказа', text('Причина отказа'), ready.reasons, 'такой причины нет')
    : undefined
  const people = readList(text('Ответственный')).flatMap(
    (name) => oneOf('Ответственный', name, ready.people, 'такого сотрудника нет', ': укажите электронную почту') ?? [],
  )
  const deal = {
    title: text('Название'),
    description: text('Описание') ? readParagraphs(text('Описание')) : null,
    price: priceOf(),
    dateExpected: momentOf('Ожидаемая дата', 'UTC', 'ДД.ММ.ГГГГ')?.slice(0, 10) ?? null,
    nextStep: text('Следующий шаг') || null,
    dateNextStep: momentOf('Когда', ready.timeZone, 'ДД.ММ.ГГГГ ЧЧ:ММ') ?? null,
    idLossReason: reason?.id ?? null,
    lossNote: text('Пояснение к отказу') || null,
    ...(stage && { idStage: stage.id }),
  }
  check(Lead, deal, (field) => columns.find((column) => column.field === field)?.name)
  if (stage) {
    for (const { field, message } of lossErrors(stage.idType, deal))
      if (field !== 'idLossReason' || !text('Причина отказа'))
        refuse(columns.find((column) => column.field === field)?.name ?? '', message)
    if (stage.idType === DONE && !canCompleteDeal(ready.funnel, [])) refuse('Этап', cannotComplete)
  }
  const contacts = contactsOf()
  const tags = readList(text('Метки'))
  for (const name of tags) check(LeadTag, { name, idLead: 1 }, () => 'Метки', `«${name}»: `)
  const [company, source] = [text('Компания'), text('Источник')]
  if (company) check(Company, { name: company }, () => 'Компания')
  checkSource(source)
  if (errors.length) return { errors }

  const phones = contacts.flatMap(({ phone }) => phone || [])
  const same = phones.find((phone) => ready.open.has(phone))
  const notes = same === undefined ? [] : [{ field: 'Телефон', message: duplicate(same) }]
  const values = { deal, people: people.map(({ id }) => id), tags, contacts, company, source }
  const shown = shownOf()
  if (same !== undefined && ready.skipDuplicates) return { isSkipped: true, notes, shown }
  if (stage?.idType === WORK) for (const phone of phones) ready.open.set(phone, deal.title)
  return { values, notes, shown }

  function oneOf<T>(column: string, name: string, there: Map<string, T[]>, none: string, hint = ''): T | undefined {
    const found = there.get(plainName(name)) ?? []
    if (found.length === 0) refuse(column, `«${name}»: ${none}`)
    if (found.length > 1) refuse(column, `«${name}»: таких несколько${hint}`)
    return found.length === 1 ? found[0] : undefined
  }

  function check(entity: Entity, body: object, columnOf: (field: string) => string | undefined, about = ''): void {
    for (const { field, message } of checkBody(entity, body, 'create').errors ?? [])
      refuse(columnOf(field) ?? '', about + message)
  }

  function priceOf(): number | null {
    if (!text('Сумма')) return null
    const price = readMoney(text('Сумма'))
    if (price === undefined) refuse('Сумма', 'Нужно число рублей: 1234,50')
    return price ?? null
  }

  function momentOf(column: string, timeZone: string, pattern: string): string | undefined {
    if (!text(column)) return undefined
    const moment = readMoment(text(column), timeZone, '09:00')
    if (!moment) refuse(column, `Дата нужна как ${pattern}`)
    return moment
  }

  /** Names, phones and addresses are matched by position: the first phone belongs to the first contact. */
  function contactsOf(): ContactValues[] {
    const names = readParts(text('Контакт')).map((name) => (name === NO_NAME ? '' : name))
    const phones = readPhones(text('Телефон'))
    const emails = readParts(text('Электронная почта').replaceAll(';', ','))
    if (phones.includes(undefined)) refuse('Телефон', messages.phone)
    const found = Array.from({ length: Math.max(names.length, phones.length, emails.length) }, (_, at) => ({
      ...(names[at] && namesOf(names[at])),
      ...(phones[at] && { phone: phones[at] }),
      ...(emails[at] && { email: emails[at] }),
    })).filter((contact) => Object.keys(contact).length > 0)
    for (const contact of found)
      check(Contact, { ...contact, idLead: 1 }, (field) => (field === 'email' ? 'Электронная почта' : 'Контакт'))
    return found
  }

  function checkSource(name: string): void {
    if (!name) return
    if (ready.sources.has(plainName(name))) oneOf('Источник', name, ready.sources, '')
    else if (!ready.createSources) refuse('Источник', `«${name}»: такого источника нет`)
    else check(SalesSource, { name }, () => 'Источник')
  }

  function duplicate(phone: string): string {
    const found = `${phoneText(phone)} уже есть в открытой сделке «${ready.open.get(phone)}»`
    return ready.skipDuplicates ? `${found}: строка пропускается` : found
  }

  function shownOf(): Cells {
    const known = (there: Map<string, Named[]>, name: string) => there.get(plainName(name))?.[0]?.name
    return {
      Название: deal.title,
      Этап: stage?.name ?? '',
      Сумма: formatMoney(deal.price),
      Контакт: contacts.map((one) => [one.surname, one.name, one.middleName].filter(Boolean).join(' ')).join(', '),
      Телефон: phones.map(phoneText).join(', '),
      'Электронная почта': contacts.flatMap(({ email }) => email || []).join(', '),
      Компания: company && (known(ready.companies, company) ?? `${company} (новая)`),
      Ответственный: people.map(({ name }) => name).join(', '),
      Источник: source && (known(ready.sources, source) ?? `${source} (новый)`),
      'Ожидаемая дата': formatDay(deal.dateExpected),
      'Следующий шаг': deal.nextStep ?? '',
      Когда: formatDateTime(deal.dateNextStep, ready.timeZone),
      Метки: tags.join(', '),
      Описание: text('Описание'),
      'Причина отказа': reason?.name ?? '',
      'Пояснение к отказу': deal.lossNote ?? '',
    }
  }
}
