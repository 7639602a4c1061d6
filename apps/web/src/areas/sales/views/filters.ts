import type { Stage } from '@ordinator/model/areas/sales/funnel'
import type { AnyFilter } from '@ordinator/model/client'
import type { Row } from '@ordinator/model/entity'
import { midnight } from '../../../kit/dateText.ts'
import { type DealFilters, typeWords } from '../address.ts'

const DAY_MS = 24 * 3600_000

export interface FilterContext {
  idUser: number
  stages: readonly Pick<Row<typeof Stage>, 'id' | 'daysLimit'>[]
  /** The moment from which lateness and ages are reckoned. */
  now: Date
}

/** The filter of deals that an address stands for. */
export function dealFilter(wanted: DealFilters, { idUser, stages, now }: FilterContext): AnyFilter {
  const all: AnyFilter[] = []
  if (wanted.q) all.push(searchFilter(wanted.q))
  if (wanted.mine) all.push({ 'responsible.idUser': idUser })
  if (wanted.responsible) all.push({ 'responsible.idUser': { in: wanted.responsible } })
  if (wanted.source) all.push({ idSource: { in: wanted.source } })
  if (wanted.tags) all.push({ 'tags.name': { in: wanted.tags } })
  if (wanted.type) all.push({ typeStage: { in: wanted.type.map((type) => typeWords[type]) } })
  if (wanted.idle) all.push({ nextStep: null, dateNextStep: null, typeStage: typeWords.work })
  if (wanted.late) all.push({ dateNextStep: { lt: now.toISOString() }, typeStage: typeWords.work })
  if (wanted.stuck) all.push(stuckFilter(stages, now))
  const { createdFrom, createdTo, expectedFrom, expectedTo } = wanted
  if (createdFrom) all.push({ dateCreate: { gte: midnight(createdFrom) } })
  if (createdTo) all.push({ dateCreate: { lt: midnight(createdTo, 1) } })
  if (expectedFrom) all.push({ dateExpected: { gte: expectedFrom } })
  if (expectedTo) all.push({ dateExpected: { lte: expectedTo } })
  return all.length ? { and: all } : {}
}

/** Contacts by name and e-mail, and by phone in any spelling. */
function searchFilter(text: string): AnyFilter {
  const fields = ['title', 'contacts.fio', 'contacts.email', 'company.name']
  const digits = text.replace(/\D/g, '')
  const or: AnyFilter[] = fields.map((field) => ({ [field]: { ilike: text } }))
  if (digits.length >= MIN_DIGITS && !/\p{L}/u.test(text)) or.push({ 'contacts.phone': { ilike: text } })
  return { or }
}

/** Fewer digits than these are found in too many phones. */
const MIN_DIGITS = 3

/** No deal is stuck where no stage sets a limit. */
function stuckFilter(stages: FilterContext['stages'], now: Date): AnyFilter {
  const limited = stages.flatMap(({ id, daysLimit }) =>
    daysLimit ? [{ idStage: id, dateStage: { lt: new Date(now.getTime() - daysLimit * DAY_MS).toISOString() } }] : [],
  )
  return limited.length ? { or: limited } : { id: 0 }
}
