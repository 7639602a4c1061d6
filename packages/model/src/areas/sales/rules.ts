/** Rules of deals (spec §4, §5; design §10), shared by client and server. */
import type { FieldError } from '../../check.ts'
import { isWritable } from '../../fields/field.ts'
import { messages } from '../../messages.ts'
import { LOSS } from './funnel.ts'
import { Lead } from './lead.ts'

/** Error when a deal enters a done stage too early (spec §4, literally). */
export const cannotComplete = 'Сделка не может быть завершена'

/** Initial stages of a new funnel. */
export const defaultStages = [
  { name: 'Новая', color: '#228be6', idType: 1 },
  { name: 'В работе', color: '#f59f00', idType: 1 },
  { name: 'Предложение', color: '#7950f2', idType: 1 },
  { name: 'Успешно', color: '#2f9e44', idType: 2 },
  { name: 'Отказ', color: '#e03131', idType: 3 },
] as const

/** Set by the move itself, so a stage cannot require them. */
const neverRequired: ReadonlySet<string> = new Set(['title', 'order', 'idStage', 'idLossReason', 'lossNote'])

/** Fields that a stage can require, with their labels. */
export const requirableFields: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    Object.entries(Lead.fields)
      .filter(([name, f]) => isWritable(f) && !neverRequired.has(name))
      .map(([name, f]) => [name, f.options.label]),
  ),
  dateNextStep: 'Дата следующего шага',
  'contacts.phone': 'Телефон контакта',
  'contacts.email': 'Почта контакта',
  offers: 'Предложение',
}

/** Numbers of contacts with a phone, of contacts with an e-mail, and of offers. */
export type LeadFacts = Record<'contacts.phone' | 'contacts.email' | 'offers', number>

/** Required fields of a stage that the deal lacks. */
export function missingFields(
  required: readonly string[] | null,
  lead: Readonly<Record<string, unknown>>,
  facts: LeadFacts,
): FieldError[] {
  return (required ?? [])
    .filter((field) => Object.hasOwn(requirableFields, field))
    .filter((field) => (Object.hasOwn(facts, field) ? facts[field as keyof LeadFacts] === 0 : isEmpty(lead[field])))
    .map((field) => ({ field, message: `Заполните, чтобы перейти на этап: ${requirableFields[field]}` }))
}

/** True when the transition is allowed; an empty list allows all. */
export const mayGo = (nextStages: readonly number[] | null | undefined, idStage: number): boolean =>
  !nextStages?.length || nextStages.includes(idStage)

/** A loss stage requires the reason and a note (anchors, Frappe CRM). */
export function lossErrors(
  idType: number,
  lead: { idLossReason?: number | null; lossNote?: string | null },
): FieldError[] {
  if (idType !== LOSS) return []
  const errors: FieldError[] = []
  if (!lead.idLossReason) errors.push({ field: 'idLossReason', message: 'Укажите причину отказа' })
  if (!lead.lossNote?.trim()) errors.push({ field: 'lossNote', message: 'Поясните причину отказа' })
  return errors
}

/** True when the funnel's switches allow completing a deal with these offer statuses. */
export const canCompleteDeal = (
  funnel: { canCompleteDealsWithoutOffers: boolean; canCompleteDealsInWorkOfferStatus: boolean },
  offerStatuses: readonly number[],
): boolean =>
  (funnel.canCompleteDealsWithoutOffers || offerStatuses.length > 0) &&
  (funnel.canCompleteDealsInWorkOfferStatus || !offerStatuses.includes(1))

/** Unknown names among a stage's required fields. */
export const wrongRequired = (fields: readonly string[]): FieldError[] =>
  fields
    .filter((field) => !Object.hasOwn(requirableFields, field))
    .map((field) => ({ field: 'requiredFields', message: `Нельзя потребовать поле «${field}»` }))

/** Missing fields of a stage's action, by kind. */
export function actionErrors(action: {
  type: string
  idTemplate?: number | null
  idUser?: number | null
  hours?: number | null
}): FieldError[] {
  const needs = { task: 'idTemplate', responsible: 'idUser', remind: 'hours' } as const
  const field = needs[action.type as keyof typeof needs]
  return field && (action[field] === null || action[field] === undefined) ? [{ field, message: messages.required }] : []
}

const isEmpty = (value: unknown): boolean =>
  value === null ||
  value === undefined ||
  (typeof value === 'string' && value.replace(/<[^<>]*>|&nbsp;/g, '').trim() === '') ||
  (typeof value === 'object' && Object.keys(value).length === 0)
