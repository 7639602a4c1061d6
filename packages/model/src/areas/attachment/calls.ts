/** Calls of attachment applications beyond the records engine. */
import { z } from 'zod'
import { call, day, id, idParams, oneOf, rowOf } from '../../call.ts'
import { messages } from '../../messages.ts'
import { uploadCall } from '../files/calls.ts'
import { ApplicationPaper, AttachmentApplication } from './application.ts'
import { areaKinds } from './area.ts'
import { checkLevels } from './rules.ts'

const access = 'check_applications'
const application = rowOf(AttachmentApplication)
const reason = (max = 500) =>
  z.string(messages.string).trim().min(1, messages.required).max(max, messages.maxLength(max))
const version = { _version: z.int().optional() }

/** Limit of areas offered for a choice. */
export const MAX_AREAS = 200
/** Limit of cards that may match the applicant. */
export const MAX_CARDS = 10
/** Limit of card fields in an application. */
export const MAX_FIELDS = 30

const area = z.object({
  id,
  name: z.string(),
  kind: oneOf(areaKinds),
  idUser: id.nullable(),
  doctor: z.string().nullable(),
  attached: z.int(),
  norm: z.int(),
  /** The applicant's address belongs to it. */
  isTheirs: z.boolean(),
})

export const attachmentCalls = {
  uploadFile: uploadCall(ApplicationPaper),
  state: call({
    method: 'GET',
    path: '/attachment/applications/:id/state',
    summary:
      'Что известно о заявлении: карта заявителя и различия с ней, проверки, участки по адресу с нагрузкой врачей',
    access,
    params: idParams,
    answer: z.object({
      /** The applicant's card. */
      idCustomer: id.nullable(),
      /** Cards that may match the person, with the matching fields. */
      cards: z.array(z.object({ id, fio: z.string(), birthday: z.string().nullable(), by: z.string() })),
      differences: z.array(
        z.object({
          field: z.string(),
          label: z.string(),
          application: z.string().nullable(),
          card: z.string().nullable(),
          differs: z.boolean(),
        }),
      ),
      checks: z.array(z.object({ key: z.string(), level: oneOf(checkLevels), words: z.string() })),
      areas: z.array(area),
      urgency: z.enum(['late', 'red', 'calm']),
      exchange: z.object({ isSet: z.boolean(), words: z.string() }),
    }),
  }),
  card: call({
    method: 'POST',
    path: '/attachment/applications/:id/card',
    summary:
      'Карта заявителя: названная, или новая по данным заявления; в неё переносятся поля fields (телефон, адрес, документ …)',
    access: 'editCustomers',
    params: idParams,
    body: z.strictObject({
      idCustomer: id.optional(),
      fields: z.array(z.string().max(40)).max(MAX_FIELDS).default([]),
    }),
    answer: application,
  }),
  check: call({
    method: 'POST',
    path: '/attachment/applications/:id/check',
    summary: 'Заявление взято на проверку тем, кто спрашивает',
    access,
    params: idParams,
    body: z.strictObject(version),
    answer: application,
  }),
  ask: call({
    method: 'POST',
    path: '/attachment/applications/:id/ask',
    summary: 'У заявителя запрошены сведения',
    access,
    params: idParams,
    body: z.strictObject({ question: reason(1000), ...version }),
    answer: application,
  }),
  answer: call({
    method: 'POST',
    path: '/attachment/applications/:id/answer',
    summary: 'Заявитель ответил: заявление снова на проверке, и срок идёт сначала',
    access,
    params: idParams,
    body: z.strictObject({ answer: reason(1000), ...version }),
    answer: application,
  }),
  approve: call({
    method: 'POST',
    path: '/attachment/applications/:id/approve',
    summary: 'Заявление одобрено: нужны карта и участок, а ошибки проверок — с пояснением despite',
    access,
    params: idParams,
    body: z.strictObject({ attachedFrom: day.optional(), despite: z.string().trim().max(500).optional(), ...version }),
    answer: application,
  }),
  send: call({
    method: 'POST',
    path: '/attachment/applications/:id/send',
    summary: 'Одобренное заявление уходит в ТФОМС',
    access,
    params: idParams,
    body: z.strictObject(version),
    answer: application,
  }),
  attach: call({
    method: 'POST',
    path: '/attachment/applications/:id/attach',
    summary: 'Прикреплён: ТФОМС подтвердил не через обмен, или обмена у клиники нет',
    access,
    params: idParams,
    body: z.strictObject({ attachedFrom: day.optional(), ...version }),
    answer: application,
  }),
  refuse: call({
    method: 'POST',
    path: '/attachment/applications/:id/refuse',
    summary: 'Отказ с причиной из списка клиники',
    access,
    params: idParams,
    body: z.strictObject({ reason: reason(), ...version }),
    answer: application,
  }),
  withdraw: call({
    method: 'POST',
    path: '/attachment/applications/:id/withdraw',
    summary: 'Заявитель отозвал заявление',
    access,
    params: idParams,
    body: z.strictObject({ reason: reason(), ...version }),
    answer: application,
  }),
  reasons: call({
    method: 'GET',
    path: '/attachment/reasons',
    summary: 'Причины отказа, которые назвала клиника',
    access,
    answer: z.object({ reasons: z.array(z.string()) }),
  }),
  figures: call({
    method: 'GET',
    path: '/attachment/figures',
    summary: 'Сколько заявлений ждут ответа, срочных и просроченных, и нагрузка участков',
    access,
    answer: z.object({
      waiting: z.int(),
      urgent: z.int(),
      late: z.int(),
      decided30: z.int(),
      refused30: z.int(),
      /** Median working day to a decision is not kept; hours from filing to it, of the last thirty days. */
      hours: z.number().nullable(),
      areas: z.array(area),
      exchange: z.object({ isSet: z.boolean(), words: z.string() }),
    }),
  }),
}
