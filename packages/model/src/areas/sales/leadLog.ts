/** Log of a deal in words (spec §3 Lead log: method, methodAlias). */
import type { Entity } from '../../entity.ts'
import { labelsOf } from '../../fields/choice.ts'
import { formatDateTime, formatDay, formatMoney, formatNumber } from '../../format.ts'
import { phoneText } from '../../phone.ts'
import { Contact } from './contact.ts'
import { LeadFile } from './file.ts'
import { Lead, LeadComment, LeadLink, LeadResponsible, LeadTag, LeadTask, leadLinkTypes } from './lead.ts'
import { Offer, OfferService } from './offer.ts'

/** A history entry of a deal or of a part of it. */
export interface HistoryLine {
  path: string
  action: 'create' | 'update' | 'delete' | 'restore'
  /** `{ field: [from, to] }` */
  changes: Readonly<Record<string, readonly [unknown, unknown]>>
  /** Current title of the record, if the entry has none. */
  title?: string | null
}

/** Title of a referenced record by field: the stage's, the source's … Undefined: deleted. */
export type NameOf = (field: string, id: number) => string | undefined

/**
 * The action as a key (`create`, `move`, `update`, `contact.create` …) and in Russian: «Перемещена: Новая → В работе».
 * @param timeZone of the reader, for times
 */
export function leadLogWords(
  line: HistoryLine,
  nameOf: NameOf,
  timeZone: string,
): { method: string; methodAlias: string } {
  if (line.path !== Lead.path) return partWords(line, nameOf, timeZone)
  const { action, changes } = line
  if (action === 'create') return { method: 'create', methodAlias: 'Создана' }
  if (action === 'delete') return { method: 'delete', methodAlias: 'Удалена' }
  if (action === 'restore') return { method: 'restore', methodAlias: 'Восстановлена' }
  const value = (field: string, of: unknown) => valueText(field, of, nameOf, timeZone)
  const { idStage, idLossReason } = changes
  const others = Object.keys(changes).filter((field) => changedWords[field])
  if (idStage) {
    const reason = idLossReason?.[1] ? ` (причина: ${value('idLossReason', idLossReason[1])})` : ''
    const rest = others.filter((field) => !reason || field !== 'idLossReason').filter((field) => field !== 'lossNote')
    const move = `Перемещена: ${value('idStage', idStage[0])} → ${value('idStage', idStage[1])}${reason}`
    return { method: 'move', methodAlias: [move, ...rest.map(changed)].join('; ') }
  }
  if (others.length) return { method: 'update', methodAlias: others.map(changed).join('; ') }
  if (changes.dateReminded?.[1]) return { method: 'remind', methodAlias: 'Напомнили о следующем шаге' }
  if (changes.order) return { method: 'order', methodAlias: 'Изменён порядок на этапе' }
  return { method: 'update', methodAlias: 'Изменена' }

  function changed(field: string): string {
    const [from, to] = changes[field] as readonly [unknown, unknown]
    return wordless.has(field)
      ? (changedWords[field] as string)
      : `${changedWords[field]}: ${value(field, from)} → ${value(field, to)}`
  }
}

const changedWords: Record<string, string> = {
  title: 'Изменено название',
  description: 'Изменено описание',
  price: 'Изменена цена',
  idSource: 'Изменён источник',
  utm: 'Изменены UTM-метки',
  idCompany: 'Изменена компания',
  dateExpected: 'Изменена ожидаемая дата',
  nextStep: 'Изменён следующий шаг',
  dateNextStep: 'Изменено время следующего шага',
  idLossReason: 'Изменена причина отказа',
  lossNote: 'Изменено пояснение к отказу',
}
/** Fields too long for one line. */
const wordless = new Set(['description', 'utm', 'lossNote'])

function valueText(field: string, value: unknown, nameOf: NameOf, timeZone: string): string {
  if (value === null || value === undefined || value === '') return '(не задано)'
  if (field === 'price' || field === 'discount') return formatMoney(value as number)
  if (field === 'quantity') return formatNumber(value as number)
  if (field === 'phone') return phoneText(value as string)
  if (field === 'dateExpected' || field === 'dateValid') return formatDay(value as string)
  if (field === 'dateNextStep') return formatDateTime(value as string, timeZone)
  if (/^id[A-Z]/.test(field)) return nameOf(field, value as number) ?? '(удалено)'
  return String(value)
}

interface Part {
  method: string
  /** Verbs: added, changed, deleted, restored. */
  words: readonly [string, string, string, string]
  /** Title from the values of creation or deletion. */
  name?: (values: Readonly<Record<string, unknown>>, nameOf: NameOf) => string | undefined
  /** Fields whose changes are logged. */
  of?: Entity
  fields?: readonly string[]
}

const parts: Record<string, Part> = {
  [Contact.path]: {
    method: 'contact',
    words: ['Добавлен контакт', 'Изменён контакт', 'Удалён контакт', 'Восстановлен контакт'],
    name: ({ surname, name, middleName, phone }) =>
      [surname, name, middleName].filter(Boolean).join(' ') || text(phone),
    of: Contact,
    fields: ['surname', 'name', 'middleName', 'phone', 'email', 'gender', 'birthday', 'city', 'address'],
  },
  [LeadComment.path]: {
    method: 'comment',
    words: ['Добавлен комментарий', 'Изменён комментарий', 'Удалён комментарий', 'Восстановлен комментарий'],
  },
  [Offer.path]: {
    method: 'offer',
    words: ['Добавлено предложение', 'Изменено предложение', 'Удалено предложение', 'Восстановлено предложение'],
    name: ({ name }) => text(name),
    of: Offer,
    fields: ['name', 'dateValid'],
  },
  [OfferService.path]: {
    method: 'offerService',
    words: ['Добавлена услуга', 'Изменена услуга', 'Убрана услуга', 'Возвращена услуга'],
    name: ({ idService }, nameOf) => (typeof idService === 'number' ? nameOf('idService', idService) : undefined),
    of: OfferService,
    fields: ['quantity', 'price', 'discount', 'idStatus', 'idReason'],
  },
  [LeadResponsible.path]: {
    method: 'responsible',
    words: ['Назначен ответственный', 'Изменён ответственный', 'Снят ответственный', 'Возвращён ответственный'],
    name: ({ idUser }, nameOf) => (typeof idUser === 'number' ? nameOf('idUser', idUser) : undefined),
  },
  [LeadTag.path]: {
    method: 'tag',
    words: ['Добавлена метка', 'Изменена метка', 'Снята метка', 'Возвращена метка'],
    name: ({ name }) => text(name),
  },
  [LeadTask.path]: {
    method: 'task',
    words: ['Добавлена задача', 'Изменена задача', 'Убрана задача', 'Возвращена задача'],
  },
  [LeadLink.path]: {
    method: 'link',
    words: ['Добавлена связь', 'Изменена связь', 'Убрана связь', 'Возвращена связь'],
    name: ({ type, idEntity }) =>
      type ? `${leadLinkTypes[type as keyof typeof leadLinkTypes] ?? type} № ${idEntity}` : undefined,
  },
  [LeadFile.path]: {
    method: 'file',
    words: ['Прикреплён файл', 'Изменён файл', 'Убран файл', 'Возвращён файл'],
  },
}

function partWords(line: HistoryLine, nameOf: NameOf, timeZone: string): { method: string; methodAlias: string } {
  const part = parts[line.path]
  if (!part) return { method: line.action, methodAlias: 'Изменена' }
  const changes = line.action === 'update' ? changesText(part, line, nameOf, timeZone) : ''
  const at = line.action === 'create' ? 0 : line.action === 'update' ? 1 : line.action === 'delete' ? 2 : 3
  const side = line.action === 'delete' ? 0 : 1
  const values = Object.fromEntries(Object.entries(line.changes).map(([field, change]) => [field, change[side]]))
  const system = line.path === LeadComment.path && line.action === 'create' && values.isSystem === true
  if (system) return { method: 'automation', methodAlias: plain(values.message) }
  const name = (line.action === 'update' ? undefined : part.name?.(values, nameOf)) ?? line.title
  return {
    method: `${part.method}.${line.action}`,
    methodAlias: `${part.words[at]}${name ? `: ${name}` : ''}${changes}`,
  }
}

/** « (Скидка: (не задано) → 100 ₽; …)»: changes of a part. */
function changesText({ of, fields = [] }: Part, { changes }: HistoryLine, nameOf: NameOf, timeZone: string): string {
  const words = fields.flatMap((field) => {
    const f = of?.all[field]
    const change = changes[field]
    if (!f || !change) return []
    const labels = labelsOf(f)
    const [from, to] = change.map((value) =>
      typeof value === 'string' && labels[value] ? labels[value] : valueText(field, value, nameOf, timeZone),
    )
    return `${f.options.label}: ${from} → ${to}`
  })
  return words.length ? ` (${words.join('; ')})` : ''
}

const text = (value: unknown): string | undefined => (typeof value === 'string' && value ? value : undefined)

/** Text of a comment generated by the server. */
const plain = (html: unknown): string =>
  String(html)
    .replace(/<[^<>]*>/g, '')
    .replace(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code)))
    .replace(/&lt;/g, '<')
    .replace(/&gt;/g, '>')
    .replace(/&amp;/g, '&')
