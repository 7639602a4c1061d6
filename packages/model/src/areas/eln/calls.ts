/** Sick leaves beyond the engine's calls: numbers, signatures, the exchange with the Social Fund. */
import { z } from 'zod'
import { call, day, id, idParams, oneOf, rowOf } from '../../call.ts'
import { messages } from '../../messages.ts'
import { dueKinds, isNumber, MAX_NUMBERS, sfrStates } from './rules.ts'
import { NumberRequest, SickLeave, SickNumber } from './sickLeave.ts'

const view = 'viewElnList'
const edit = 'editEln'
const leave = rowOf(SickLeave)
const version = { _version: z.int().optional() }
const reason = z.string(messages.string).trim().min(1, messages.required).max(500, messages.maxLength(500))
const lnCode = z
  .string()
  .transform((text) => text.replace(/\s/g, ''))
  .refine(isNumber, 'Номер листка — 12 цифр')
const codes = z.array(z.object({ code: z.string(), name: z.string() }))
const code = z.string().regex(/^\d{2,3}$/, 'Код — две или три цифры')

/** Base64 of a signature, and of what it signs. */
const MAX_SIGNATURE = 40_000
/** Maximum signatures per call: a day of a commission. */
export const MAX_SIGNED = 200
/** Maximum sheets per search by СНИЛС. */
export const MAX_FOUND = 100

export const signatureStates = {
  none: 'Нет',
  valid: 'Верна',
  unchecked: 'Не проверена',
  stale: 'Устарела: данные изменены',
} as const

const part = z.object({
  /** `row`, `breach`, `result`, `period:12`, `chairman:12`. */
  key: z.string(),
  title: z.string(),
  purpose: z.enum(['doctor', 'chairman', 'organization']),
  idUser: id.nullable(),
  signer: z.string().nullable(),
  state: oneOf(signatureStates),
  signedAt: z.iso.datetime().nullable(),
  /** The user signs this part. */
  isMine: z.boolean(),
  /** Base64 of the data to sign: the canonical `SignedInfo` of this part. */
  bytes: z.string(),
})

const fault = z.object({
  field: z.string(),
  message: z.string(),
  level: z.enum(['error', 'warning']),
  period: z.int().optional(),
  /** Another sheet that the message is about. */
  idOther: z.int().optional(),
})

/** A difference between this sheet and the Social Fund's copy. */
const difference = z.object({ label: z.string(), ours: z.string(), theirs: z.string() })

export const elnCalls = {
  codes: call({
    method: 'GET',
    path: '/eln/codes',
    summary: 'Коды листков, действующие в этот день',
    access: view,
    query: z.object({ day: day.optional() }),
    answer: z.object({ reason: codes, reasonAdd: codes, breach: codes, result: codes, relation: codes }),
  }),
  state: call({
    method: 'GET',
    path: '/eln/:id/state',
    summary: 'Что известно о листе: что в нём не так, кто подписал и кто ещё должен, что ответил СФР, что сделать',
    access: view,
    params: idParams,
    answer: z.object({
      faults: z.array(fault),
      parts: z.array(part),
      /** First day of the next period. */
      nextStart: z.string().nullable(),
      aloneUntil: z.string().nullable(),
      mseDay: z.string().nullable(),
      /** First day of the whole case. */
      began: z.string().nullable(),
      daysAll: z.int(),
      differences: z.array(difference),
      signatures: z.object({ isSet: z.boolean(), words: z.string() }),
      exchange: z.object({ isSet: z.boolean(), words: z.string() }),
      freeNumbers: z.int(),
      events: z.array(z.object({ date: z.iso.datetime(), words: z.string(), isBad: z.boolean() })),
    }),
  }),
  extend: call({
    method: 'POST',
    path: '/eln/:id/extend',
    summary: 'Следующий период: начинается назавтра после последнего',
    access: edit,
    params: idParams,
    body: z.strictObject({
      dateTo: day,
      idDoctor: id.optional(),
      idChairman: id.nullable().optional(),
      protocolNumber: z.string().trim().max(40).optional(),
      protocolDate: day.optional(),
      ...version,
    }),
    answer: leave,
  }),
  close: call({
    method: 'POST',
    path: '/eln/:id/close',
    summary: 'Закрыть лист: день выхода на работу или иной исход с днём',
    access: edit,
    params: idParams,
    body: z.strictObject({
      workFrom: day.nullable().optional(),
      resultCode: code.nullable().optional(),
      resultDate: day.nullable().optional(),
      ...version,
    }),
    answer: leave,
  }),
  reopen: call({
    method: 'POST',
    path: '/eln/:id/reopen',
    summary: 'Закрытый, но ещё не отправленный лист снова открыт',
    access: edit,
    params: idParams,
    body: z.strictObject(version),
    answer: leave,
  }),
  ready: call({
    method: 'POST',
    path: '/eln/:id/ready',
    summary:
      'Отдать лист на подпись: проверяется целиком и получает номер из запаса; ready: false возвращает в черновики',
    access: edit,
    params: idParams,
    body: z.strictObject({ ready: z.boolean().default(true), ...version }),
    answer: leave,
  }),
  sign: call({
    method: 'POST',
    path: '/eln/sign',
    summary:
      'Подписи частей листов, каждая сама по себе: отказ по одной не мешает другим. bytes — то, что подписано (SignedInfo части в каноническом виде, подпись без контейнера): если часть с тех пор изменилась, подпись не принимается',
    access: view,
    body: z.strictObject({
      parts: z
        .array(
          z.strictObject({
            id,
            key: z.string().max(40),
            bytes: z.string().max(MAX_SIGNATURE),
            signature: z.string().max(MAX_SIGNATURE),
            /** Of the signing certificate; empty only for a stand-in of the simulator. */
            thumbprint: z.string().max(40).default(''),
          }),
        )
        .min(1)
        .max(MAX_SIGNED),
    }),
    answer: z.object({
      signed: z.int(),
      refused: z.array(z.object({ id, key: z.string(), message: z.string() })),
    }),
  }),
  waitingParts: call({
    method: 'GET',
    path: '/eln/parts',
    summary: 'Всё, что спрашивающему осталось подписать в листах',
    access: view,
    answer: z.object({ parts: z.array(part.extend({ idSickLeave: id, patient: z.string() })) }),
  }),
  send: call({
    method: 'POST',
    path: '/eln/:id/send',
    summary: 'Отправить подписанный лист в СФР',
    access: edit,
    params: idParams,
    body: z.strictObject(version),
    answer: leave,
  }),
  refresh: call({
    method: 'POST',
    path: '/eln/:id/refresh',
    summary: 'Спросить у СФР, что с листом сейчас',
    access: view,
    params: idParams,
    answer: leave,
  }),
  settle: call({
    method: 'POST',
    path: '/eln/:id/settle',
    summary: 'Разобрать расхождение: theirs — взять то, что в СФР; ours — оставить своё и отправить поверх',
    access: edit,
    params: idParams,
    body: z.strictObject({ take: z.enum(['ours', 'theirs']), ...version }),
    answer: leave,
  }),
  next: call({
    method: 'POST',
    path: '/eln/:id/next',
    summary: 'Лист-продолжение закрытого с кодом 31',
    access: edit,
    params: idParams,
    status: 201,
    body: z.strictObject({}),
    answer: leave,
  }),
  duplicate: call({
    method: 'POST',
    path: '/eln/:id/duplicate',
    summary: 'Дубликат с другим номером; действие этого листа прекращают после того, как СФР примет дубликат',
    access: edit,
    params: idParams,
    status: 201,
    body: z.strictObject({ reason }),
    answer: leave,
  }),
  cancel: call({
    method: 'POST',
    path: '/eln/:id/cancel',
    summary: 'Прекратить действие листа в СФР, с причиной',
    access: edit,
    params: idParams,
    body: z.strictObject({ reason, ...version }),
    answer: leave,
  }),
  bySnils: call({
    method: 'GET',
    path: '/eln/by-snils',
    summary: 'Листы пациента в СФР, в том числе других клиник',
    access: edit,
    query: z.object({ idCustomer: z.coerce.number<number>().int().positive() }),
    limit: 20,
    answer: z.object({
      found: z.array(
        z.object({
          lnCode: z.string(),
          dateFrom: z.string().nullable(),
          dateTo: z.string().nullable(),
          state: oneOf(sfrStates).nullable(),
          lpu: z.string().nullable(),
          isOurs: z.boolean(),
        }),
      ),
    }),
  }),
  requestNumbers: call({
    method: 'POST',
    path: '/eln/number-requests',
    summary: 'Запросить номера у СФР; если исход неизвестен, запрос не повторяется сам',
    access: edit,
    status: 201,
    body: z.strictObject({ count: z.int().min(1, messages.min(1)).max(MAX_NUMBERS, messages.max(MAX_NUMBERS)) }),
    answer: rowOf(NumberRequest),
  }),
  settleNumbers: call({
    method: 'POST',
    path: '/eln/number-requests/:id/settle',
    summary: 'Что вышло из запроса, ответ на который потерялся: номера из кабинета СФР, или пусто — их не выдали',
    access: edit,
    params: idParams,
    body: z.strictObject({ numbers: z.array(lnCode).max(MAX_NUMBERS) }),
    answer: rowOf(NumberRequest),
  }),
  spoil: call({
    method: 'POST',
    path: '/eln/numbers/:id/spoil',
    summary: 'Свободный номер больше не выдавать, с пояснением',
    access: edit,
    params: idParams,
    body: z.strictObject({ note: z.string().trim().min(1, messages.required).max(300) }),
    answer: rowOf(SickNumber),
  }),
  figures: call({
    method: 'GET',
    path: '/eln/figures',
    summary:
      'Сколько листов открыто и что сделать сегодня; средняя длительность по группам МКБ, доля продлённых через ВК и отказов за 90 дней',
    access: view,
    answer: z.object({
      open: z.int(),
      due: z.array(z.object({ kind: oneOf(dueKinds), count: z.int() })),
      freeNumbers: z.int(),
      poolIsLow: z.boolean(),
      unknownRequests: z.int(),
      closed90: z.int(),
      days: z.number().nullable(),
      byGroup: z.array(z.object({ group: z.string(), count: z.int(), days: z.number() })),
      /** Shares of sheets of 90 days, 0 to 1. */
      byCommission: z.number().nullable(),
      rejected: z.number().nullable(),
      exchange: z.object({ isSet: z.boolean(), words: z.string() }),
    }),
  }),
}
