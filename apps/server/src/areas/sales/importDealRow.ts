/** Parsing and validation of one row of a deals file. */
import { Company, Contact } from '@ordinator/model/areas/sales/contact'
import { DONE, type Funnel, WORK } from '@ordinator/model/areas/sales/funnel'
import { Lead, LeadTag, SalesSource } from '@ordinator/model/areas/sales/lead'
import { canCompleteDeal, cannotComplete, lossErrors } from '@ordinator/model/areas/sales/rules'
import { NO_NAME } from '@ordinator/model/areas/staff/names'
import type { Create, Row } from '@ordinator/model/entity'
import { formatDateTime, formatDay, formatMoney } from '@ordinator/model/format'
import { messages } from '@ordinator/model/messages'
import { type PhonesRead, phonesIn, phoneText } from '@ordinator/model/phone'
import {
  type Cells,
  type Checked,
  plainName,
  readList,
  readParagraphs,
  readParts,
  rowReader,
} from '#areas/imports/index.ts'
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

/** What a row without these cells gives. */
const noDeal: Pick<
  Create<typeof Lead>,
  'title' | 'price' | 'dateExpected' | 'nextStep' | 'dateNextStep' | 'lossNote'
> = {
  title: '',
  price: null,
  dateExpected: null,
  nextStep: null,
  dateNextStep: null,
  lossNote: null,
}

/** The phones of a cell by contacts: each with the rest of its text; without a phone for a blank or an unreadable one. */
export const readPhones = (text: string): PhonesRead[] => readParts(text.replace(/[;/]/g, ',')).map(phonesIn)

const SEVERAL_PEOPLE = 'таких несколько: укажите электронную почту'

export function checkDeal(ready: Ready, cells: Cells): Checked<DealValues> {
  const { errors, text, refuse, named, check, ...row } = rowReader(columns, cells, ready.timeZone)

  const stage = text('Этап') ? named('Этап', ready.stages, 'такого этапа нет в воронке') : ready.firstStage
  if (!ready.firstStage) refuse('Этап', 'В воронке нет этапов')
  const reason = text('Причина отказа') ? named('Причина отказа', ready.reasons, 'такой причины нет') : undefined
  const people = readList(text('Ответственный')).flatMap(
    (name) => named('Ответственный', ready.people, 'такого сотрудника нет', SEVERAL_PEOPLE, name) ?? [],
  )
  const phonesOfCell = readPhones(text('Телефон'))
  const extras = phonesOfCell.flatMap(({ phones: [phone], note }) =>
    phone && note ? [`Телефон ${phoneText(phone)}: ${note}`] : [],
  )
  const description = [text('Описание'), ...extras].filter(Boolean).join('\n')
  const deal = {
    ...({ ...noDeal, ...row.values() } as typeof noDeal),
    description: description ? readParagraphs(description) : null,
    idLossReason: reason?.id ?? null,
    ...(stage && { idStage: stage.id }),
  }
  check(Lead, deal, 'create', '')
  if (stage) {
    for (const { field, message } of lossErrors(stage.idType, deal))
      if (field !== 'idLossReason' || !text('Причина отказа'))
        refuse(columns.find((column) => column.field === field)?.name ?? '', message)
    if (stage.idType === DONE && !canCompleteDeal(ready.funnel, [])) refuse('Этап', cannotComplete)
  }
  const contacts = contactsOf()
  const tags = readList(text('Метки'))
  for (const name of tags) check(LeadTag, { name, idLead: 1 }, 'create', 'Метки', `«${name}»: `)
  const [company, source] = [text('Компания'), text('Источник')]
  if (company) check(Company, { name: company }, 'create', 'Компания')
  checkSource(source)
  if (errors.length) return { errors }

  const phones = contacts.flatMap(({ phone }) => phone || [])
  const same = phones.find((phone) => ready.open.has(phone))
  const notes = extras.map((extra) => ({ field: 'Телефон', message: `«${extra}» записано в описание` }))
  if (same !== undefined) notes.push({ field: 'Телефон', message: duplicate(same) })
  const values = { deal, people: people.map(({ id }) => id), tags, contacts, company, source }
  const shown = shownOf()
  if (same !== undefined && ready.skipDuplicates) return { isSkipped: true, notes, shown }
  if (stage?.idType === WORK) for (const phone of phones) ready.open.set(phone, deal.title)
  return { values, notes, shown }

  /** Names, phones and addresses are matched by position: the first phone belongs to the first contact. */
  function contactsOf(): ContactValues[] {
    const names = readParts(text('Контакт')).map((name) => (name === NO_NAME ? '' : name))
    const phones = phonesOfCell.map((read) => read.phones[0] ?? '')
    const emails = readParts(text('Электронная почта').replaceAll(';', ','))
    if (phonesOfCell.some((read) => read.phones.length === 0 && read.note)) refuse('Телефон', messages.phone)
    const found = Array.from({ length: Math.max(names.length, phones.length, emails.length) }, (_, at) => ({
      ...(names[at] && namesOf(names[at])),
      ...(phones[at] && { phone: phones[at] }),
      ...(emails[at] && { email: emails[at] }),
    })).filter((contact) => Object.keys(contact).length > 0)
    for (const contact of found) check(Contact, { ...contact, idLead: 1 }, 'create', 'Контакт')
    return found
  }

  function checkSource(name: string): void {
    if (!name) return
    const isNew = !ready.sources.has(plainName(name)) && ready.createSources
    if (isNew) check(SalesSource, { name }, 'create', 'Источник')
    else named('Источник', ready.sources, 'такого источника нет')
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
