/** Calls of results: the matrix, approvals, corrections, critical values. */
/** Calls of the laboratory beyond the records engine: orders and tubes, values and checks, devices, figures. */
import { z } from 'zod'
import { call, id, idParams, idText, oneOf } from '../../call.ts'
import { messages } from '../../messages.ts'
import { publishedView, resultsView } from './access.ts'
import { valueKinds } from './reading.ts'
import { flag, point, words } from './shapes.ts'
import { dropReasons, resultStatuses, reviewReasons } from './states.ts'
import { sections, urgencies } from './words.ts'

export const MAX_VALUES = 500

const cell = z.object({
  idResult: z.int().nullable(),
  value: z.string().nullable(),
  unit: z.string().nullable(),
  normText: z.string().nullable(),
  flag,
  delta: z.number().nullable(),
  status: oneOf(resultStatuses).nullable(),
  kind: oneOf(valueKinds).nullable(),
  preliminary: z.boolean(),
  /** Why it was attached, corrected or overruled. */
  reason: z.string().nullable(),
  former: z.string().nullable(),
  formerAt: z.string().nullable(),
  comment: z.string().nullable(),
  device: z.string().nullable(),
  deviceFlags: z.string().nullable(),
  /** Other values of the same tube to choose from. */
  others: z.array(
    z.object({ id: z.int(), value: z.string(), device: z.string().nullable(), preliminary: z.boolean(), flag }),
  ),
  /** Values that lost the place: when, why and by whom. */
  struck: z.array(
    z.object({ value: z.string(), why: oneOf(dropReasons), at: z.string().nullable(), by: z.string().nullable() }),
  ),
  review: oneOf(reviewReasons).nullable(),
  needsCall: z.boolean(),
  /** The row to report: the value, or another one beside it. */
  idCall: z.int().nullable(),
  /** Held by a failed control. */
  held: z.boolean(),
  derived: z.boolean(),
})

export type MatrixCell = z.infer<typeof cell>

const analyte = z.object({
  id: z.int(),
  name: z.string(),
  shortName: z.string().nullable(),
  code: z.string(),
  unit: z.string().nullable(),
  type: z.string(),
  decimals: z.int(),
  choices: z.array(z.object({ value: z.string(), normal: z.boolean() })),
  derived: z.boolean(),
})

export type MatrixAnalyte = z.infer<typeof analyte>

const matrixRow = z.object({
  idOrder: z.int(),
  number: z.string().nullable(),
  idCustomer: z.int(),
  patient: z.string(),
  birthday: z.string().nullable(),
  sex: z.string().nullable(),
  urgency: oneOf(urgencies),
  takenAt: z.string().nullable(),
  dueAt: z.string().nullable(),
  barcodes: z.string(),
  /** By analyte id: the line of the order and its value. */
  cells: z.record(z.string(), z.object({ idItem: z.int(), ...cell.shape })),
})

export type MatrixRow = z.infer<typeof matrixRow>

const written = z.object({ count: z.int() })

const ids = z.array(id).min(1).max(MAX_VALUES, messages.listMax(MAX_VALUES))

export const resultCalls = {
  matrix: call({
    method: 'GET',
    path: '/laboratory/results/matrix',
    summary: 'Рабочий список: пациенты × показатели отдела, прибора, срочности',
    access: resultsView,
    query: z.object({
      section: oneOf(sections).optional(),
      idDevice: idText.optional(),
      urgency: oneOf(urgencies).optional(),
      /** Work to list: values to enter, technical approval, medical approval, or all. */
      stage: z.enum(['enter', 'technical', 'medical', 'all']).default('all'),
      search: words(64).optional(),
      idOrder: idText.optional(),
    }),
    answer: z.object({ analytes: z.array(analyte), rows: z.array(matrixRow), isMore: z.boolean() }),
  }),
  enter: call({
    method: 'POST',
    path: '/laboratory/results/enter',
    summary: 'Значения введены вручную; расчётные показатели пересчитываются. Подтверждённое не меняется',
    access: 'enterLabResults',
    body: z.strictObject({
      values: z
        .array(
          z.strictObject({
            idItem: id,
            idAnalyte: id,
            value: words(1000),
            /** The measurement gave nothing: `value` is the reason. */
            noResult: z.boolean().optional(),
            comment: words(1000).nullable().optional(),
          }),
        )
        .min(1)
        .max(MAX_VALUES, messages.listMax(MAX_VALUES)),
    }),
    answer: written,
  }),
  technical: call({
    method: 'POST',
    path: '/laboratory/results/technical',
    summary: 'Значения проверены технически',
    access: 'enterLabResults',
    body: z.strictObject({ ids }),
    answer: written,
  }),
  medical: call({
    method: 'POST',
    path: '/laboratory/results/medical',
    summary: 'Значения подтверждены врачом и опубликованы; критические — только после звонка',
    access: 'approveLabResults',
    body: z.strictObject({ ids }),
    answer: written,
  }),
  back: call({
    method: 'POST',
    path: '/laboratory/results/back',
    summary: 'Значения возвращены на проверку (ещё не опубликованные)',
    access: resultsView,
    body: z.strictObject({ ids, reason: words(500).optional() }),
    answer: written,
  }),
  repeat: call({
    method: 'POST',
    path: '/laboratory/results/repeat',
    summary: 'Измерить заново: место пусто, прежнее значение остаётся рядом',
    access: resultsView,
    body: z.strictObject({ ids, reason: words(500).optional() }),
    answer: written,
  }),
  choose: call({
    method: 'POST',
    path: '/laboratory/results/:id/choose',
    summary: 'Из нескольких значений одной пробы основным выбрано это',
    access: 'enterLabResults',
    params: idParams,
    answer: written,
  }),
  correct: call({
    method: 'POST',
    path: '/laboratory/results/:id/correct',
    summary: 'Опубликованное значение исправлено: остаются оба, с причиной',
    access: 'approveLabResults',
    params: idParams,
    body: z.strictObject({
      value: words(1000).min(1, messages.required),
      noResult: z.boolean().optional(),
      reason: words(500).min(1, messages.required),
    }),
    answer: z.object({ id: z.int() }),
  }),
  critical: call({
    method: 'POST',
    path: '/laboratory/results/:id/critical',
    summary: 'О критическом значении сообщили: кому, когда, повторили ли в ответ',
    access: resultsView,
    params: idParams,
    body: z.strictObject({
      to: words(255).min(1, 'Укажите, кому сообщили'),
      at: z.iso.datetime({ offset: true }),
      readBack: z.literal(true, 'Попросите повторить значение в ответ'),
    }),
    answer: written,
  }),
  reviews: call({
    method: 'GET',
    path: '/laboratory/results/reviews',
    summary: 'Опубликованные значения, которые просят пересмотреть: что изменится',
    access: 'approveLabResults',
    answer: z.object({
      items: z.array(
        z.object({
          id: z.int(),
          idOrder: z.int(),
          number: z.string().nullable(),
          patient: z.string(),
          analyte: z.string(),
          unit: z.string().nullable(),
          value: z.string(),
          normText: z.string().nullable(),
          flag,
          why: oneOf(reviewReasons),
          newValue: z.string(),
          newNorm: z.string().nullable(),
          newFlag: flag,
        }),
      ),
    }),
  }),
  review: call({
    method: 'POST',
    path: '/laboratory/results/:id/review',
    summary: 'Опубликованное значение пересмотрено: исправлено (остаются оба) или оставлено как есть, с причиной',
    access: 'approveLabResults',
    params: idParams,
    body: z.strictObject({ accept: z.boolean(), reason: words(500).min(1, messages.required) }),
    answer: z.object({ id: z.int() }),
  }),
  criticals: call({
    method: 'GET',
    path: '/laboratory/results/criticals',
    summary: 'Критические значения, о которых ещё никому не сообщили',
    access: publishedView,
    answer: z.object({
      items: z.array(
        z.object({
          id: z.int(),
          idOrder: z.int(),
          number: z.string().nullable(),
          patient: z.string(),
          doctor: z.string().nullable(),
          phone: z.string().nullable(),
          analyte: z.string(),
          value: z.string(),
          unit: z.string().nullable(),
          normText: z.string().nullable(),
          flag,
          since: z.string(),
        }),
      ),
    }),
  }),
  history: call({
    method: 'GET',
    path: '/laboratory/results/history',
    summary: 'Опубликованные значения показателя у пациента, от новых к старым',
    access: publishedView,
    query: z.object({ idCustomer: idText, idAnalyte: idText }),
    answer: z.object({
      analyte,
      norm: z.object({ low: z.number().nullable(), high: z.number().nullable() }),
      points: z.array(point),
    }),
  }),
}
