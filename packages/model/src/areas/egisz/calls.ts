import { z } from 'zod'
import { call, counting, day, id, idParams, oneOf, rowOf } from '../../call.ts'
import { exchangeStatuses } from '../exchange/exchangeMessage.ts'
import { base64, MAX_SIGNATURE } from '../signatures/calls.ts'
import { certificateKinds, signatureStates } from '../signatures/certificate.ts'
import { semdAccess, semdWork } from './access.ts'
import { eventKinds, eventLevels, Semd, semdStatuses, signerRoles } from './semd.ts'
import { MAX_EDITION_FILE } from './setUp.ts'

const MAX_REASON = 500
const reason = z.strictObject({
  reason: z.string().trim().min(1, 'Укажите причину').max(MAX_REASON, `Не больше ${MAX_REASON} знаков`),
})
export const MAX_SCHEMA_FILES = 100
const reports = ['viewReportEgiszOperationsLog', 'viewReportEgiszMessages'] as const

const signature = z.object({
  role: oneOf(signerRoles),
  owner: z.string(),
  thumbprint: z.string(),
  kind: oneOf(certificateKinds),
  state: oneOf(signatureStates),
  words: z.string(),
  date: z.iso.datetime(),
})

export const egiszCalls = {
  state: call({
    method: 'GET',
    path: '/egisz/state',
    summary: 'Подключена ли ЕГИСЗ, и если нет — что настроить',
    access: [...semdAccess, 'viewReportEgiszMessages'],
    answer: z.object({
      isSet: z.boolean(),
      words: z.string(),
      /** Missing setup steps, each with a link to its page. */
      steps: z.array(z.object({ words: z.string(), link: z.string() })),
    }),
  }),
  make: call({
    method: 'POST',
    path: '/egisz/semds/make',
    summary: 'Сделать ЭМД из осмотра или исследования: документ собирается по шаблону и проверяется весь сразу',
    access: semdWork,
    body: z.strictObject({ source: z.enum(['examinations', 'laboratory']), id }),
    status: 201,
    answer: rowOf(Semd),
  }),
  makeTax: call({
    method: 'POST',
    path: '/egisz/semds/tax',
    summary: 'Сделать справку об оплате медицинских услуг за год для налогового вычета',
    access: ['manageSignatures', 'editAccount'],
    body: z.strictObject({
      idCustomer: id,
      year: z.int().min(2024, 'Справки с 2024 года').max(2100),
      payerInn: z.string().regex(/^\d{12}$/, 'ИНН налогоплательщика — 12 цифр'),
      payerSurname: z.string().trim().min(1, 'Укажите фамилию').max(64),
      payerName: z.string().trim().min(1, 'Укажите имя').max(64),
      payerPatronymic: z.string().trim().max(64).optional(),
      relation: z.enum(['self', 'spouse', 'parent', 'child']),
      idUser: id,
    }),
    status: 201,
    answer: rowOf(Semd),
  }),
  check: call({
    method: 'POST',
    path: '/egisz/semds/:id/check',
    summary: 'Собрать документ заново по данным клиники и проверить: пока его никто не подписал',
    access: semdWork,
    params: idParams,
    answer: rowOf(Semd),
  }),
  content: call({
    method: 'GET',
    path: '/egisz/semds/:id/content',
    summary: 'Содержание документа, как оно подписывается (base64); просмотр остаётся в журнале доступа',
    access: semdAccess,
    params: idParams,
    answer: z.object({ content: z.string(), digest: z.string() }),
  }),
  details: call({
    method: 'GET',
    path: '/egisz/semds/:id/details',
    summary: 'Подписи документа и его история',
    access: semdAccess,
    params: idParams,
    answer: z.object({
      signatures: z.array(signature),
      events: z.array(
        z.object({ date: z.iso.datetime(), level: z.string(), text: z.string(), user: z.string().nullable() }),
      ),
      /** A connection for sending is configured. */
      isConnected: z.boolean(),
    }),
  }),
  sign: call({
    method: 'POST',
    path: '/egisz/semds/:id/sign',
    summary: 'Приложить отсоединённую подпись: врача, комиссии или организации. Подписывают те самые байты, что прочли',
    access: semdWork,
    params: idParams,
    body: z.strictObject({
      role: oneOf(signerRoles),
      digest: z.string().length(64, 'Нужен отпечаток прочитанного документа'),
      signature: base64(MAX_SIGNATURE, 'Нужна подпись'),
    }),
    answer: rowOf(Semd),
  }),
  send: call({
    method: 'POST',
    path: '/egisz/semds/:id/send',
    summary: 'Отправить подписанный документ на регистрацию',
    access: semdWork,
    params: idParams,
    answer: rowOf(Semd),
  }),
  cancel: call({
    method: 'POST',
    path: '/egisz/semds/:id/cancel',
    summary: 'Отменить документ; зарегистрированный отменяется и в РЭМД',
    access: semdWork,
    params: idParams,
    body: reason,
    answer: rowOf(Semd),
  }),
  revise: call({
    method: 'POST',
    path: '/egisz/semds/:id/revise',
    summary: 'Новая версия отклонённого или исправленного документа',
    access: semdWork,
    params: idParams,
    status: 201,
    answer: rowOf(Semd),
  }),
  figures: call({
    method: 'GET',
    path: '/egisz/figures',
    summary: 'Доля зарегистрированных, отказы по кодам, медиана до регистрации, ожидающие дольше суток, охват',
    access: reports,
    query: z.object({ from: day, to: day }),
    answer: z.object({
      total: z.int(),
      byStatus: z.array(z.object({ status: oneOf(semdStatuses), count: z.int() })),
      registered: z.int(),
      rejected: z.int(),
      /** Percent of the documents with a final answer; null: there are none. */
      registeredShare: z.number().nullable(),
      refusals: z.array(z.object({ code: z.string(), message: z.string(), count: z.int() })),
      medianSeconds: z.number().nullable(),
      late: z.int(),
      /** Percent of the signed examinations of kinds that are sent; null: there are none. */
      coverage: z.number().nullable(),
      toSend: z.int(),
      ...counting,
    }),
  }),
  messageFigures: call({
    method: 'GET',
    path: '/egisz/figures/messages',
    summary: 'Сообщения РЭМД и НСИ за период: сколько, доля с ошибками, повторы, ожидание, ошибки по кодам',
    access: 'viewReportEgiszMessages',
    query: z.object({ from: day, to: day }),
    answer: z.object({
      total: z.int(),
      /** The period has more documents; only the newest are counted. */
      isCut: z.boolean(),
      incoming: z.int(),
      byStatus: z.array(z.object({ status: oneOf(exchangeStatuses), count: z.int() })),
      failed: z.int(),
      /** Percent of all; null: there are none. */
      failedShare: z.number().nullable(),
      /** Sent more than once. */
      repeated: z.int(),
      waiting: z.int(),
      medianMs: z.int().nullable(),
      slowMs: z.int().nullable(),
      errors: z.array(z.object({ code: z.string(), text: z.string(), count: z.int() })),
    }),
  }),
  eventFigures: call({
    method: 'GET',
    path: '/egisz/figures/events',
    summary: 'События обмена с ЕГИСЗ за период: по уровням и по тому, о чём они',
    access: 'viewReportEgiszMessages',
    query: z.object({ from: day, to: day }),
    answer: z.object({
      total: z.int(),
      isCut: z.boolean(),
      byLevel: z.array(z.object({ level: oneOf(eventLevels), count: z.int() })),
      byKind: z.array(z.object({ kind: oneOf(eventKinds), count: z.int(), wrong: z.int() })),
      /** The latest event of level «Ошибка»; null: none. */
      lastError: z.object({ text: z.string(), date: z.iso.datetime() }).nullable(),
    }),
  }),
  callback: call({
    method: 'POST',
    path: '/egisz/callback',
    summary: 'Ответы и запросы РЭМД (SOAP). Ключ — в Authorization: Bearer; ответ сохраняется до того, как подтверждён',
    access: 'public',
    bodyType: 'raw',
    bodyLimit: 2 * 1024 * 1024,
  }),
  editionFiles: call({
    method: 'GET',
    path: '/egisz/editions/:id/files',
    summary: 'Файлы схем и шаблон редакции',
    access: 'mainSettings',
    params: idParams,
    answer: z.object({ items: z.array(z.object({ kind: z.string(), name: z.string(), size: z.int() })) }),
  }),
  putEditionFile: call({
    method: 'PUT',
    path: '/egisz/editions/:id/files',
    summary: 'Загрузить файл: шаблон, схему (XSD) или схематрон. Шаблон и схематрон один, файлов схемы до 100',
    access: 'mainSettings',
    params: idParams,
    body: z.strictObject({
      kind: z.enum(['template', 'xsd', 'schematron']),
      name: z
        .string()
        .trim()
        .min(1)
        .max(200)
        .refine(
          (value) => /^[\w.-]+(\/[\w.-]+)*$/.test(value) && !value.split('/').includes('..'),
          'Имя файла латиницей, без «..»',
        ),
      content: base64(Math.ceil(MAX_EDITION_FILE / 3) * 4, 'Нужен файл'),
    }),
    answer: z.object({ items: z.array(z.object({ kind: z.string(), name: z.string(), size: z.int() })) }),
  }),
  removeEditionFiles: call({
    method: 'DELETE',
    path: '/egisz/editions/:id/files',
    summary: 'Убрать файлы одного рода: шаблон, схемы или схематрон',
    access: 'mainSettings',
    params: idParams,
    body: z.strictObject({ kind: z.enum(['template', 'xsd', 'schematron']) }),
    status: 204,
  }),
  loadDictionary: call({
    method: 'POST',
    path: '/egisz/dictionaries/:id/load',
    summary: 'Загрузить последнюю версию справочника; прежняя действует, пока новая не загружена вся',
    access: 'mainSettings',
    params: idParams,
    status: 202,
    answer: z.object({ isQueued: z.boolean() }),
  }),
  terms: call({
    method: 'GET',
    path: '/egisz/dictionaries/:id/terms',
    summary: 'Поиск по загруженному справочнику',
    access: 'mainSettings',
    params: idParams,
    query: z.object({ q: z.string().max(100).optional() }),
    answer: z.object({ items: z.array(z.object({ code: z.string(), name: z.string() })) }),
  }),
}
