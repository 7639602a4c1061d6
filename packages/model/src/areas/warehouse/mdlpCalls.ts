/** Calls of the exchange with МДЛП. */

import { z } from 'zod'
import { call, day, id, idParams, oneOf, rowOf } from '../../call.ts'
import { base64, MAX_SIGNATURE } from '../signatures/calls.ts'
import { warehouseView } from './access.ts'
import { MAX_FILE, nullableText, scanned } from './callParts.ts'
import { codeStatuses, destructionGrounds, MdlpDocument } from './mdlp.ts'

const signature = base64(MAX_SIGNATURE, 'Нужна подпись')
const mdlpDocument = rowOf(MdlpDocument)

const destruction = z.strictObject({
  /** Destroying organization, with ИНН and КПП. */
  idOrganization: id,
  fias: z.guid('Адрес ФИАС пишется так: 8-4-4-4-12 знаков'),
  actNumber: z.string().trim().min(1, 'Укажите номер акта').max(200),
  actDate: day,
  ground: oneOf(destructionGrounds),
})

export const mdlpCalls = {
  codes: call({
    method: 'GET',
    path: '/mdlp/documents/:id/codes',
    summary: 'Коды документа МДЛП: что в нём и что отсканировано',
    access: warehouseView,
    params: idParams,
    answer: z.object({
      items: z.array(
        z.object({
          sgtin: z.string(),
          sscc: nullableText,
          product: nullableText,
          price: z.number().nullable(),
          scanned: z.boolean(),
        }),
      ),
    }),
  }),
  scan: call({
    method: 'POST',
    path: '/mdlp/documents/:id/scan',
    summary: 'Отметить код входящего документа отсканированным',
    access: 'editMdlp',
    params: idParams,
    body: z.strictObject({ code: scanned }),
    answer: z.object({ message: z.string(), scanned: z.int(), total: z.int() }),
  }),
  accept: call({
    method: 'POST',
    path: '/mdlp/documents/:id/accept',
    summary: 'Принять входящий целиком или только отсканированное; об остальном отправляется отказ 252',
    access: 'editMdlp',
    params: idParams,
    body: z.strictObject({ only: z.enum(['all', 'scanned']).default('all'), idWarehouse: id }),
    answer: z.object({ document: mdlpDocument, idStockDocument: z.int() }),
  }),
  refuse: call({
    method: 'POST',
    path: '/mdlp/documents/:id/refuse',
    summary: 'Отказаться от входящего целиком, с причиной (252)',
    access: 'editMdlp',
    params: idParams,
    body: z.strictObject({ reason: z.string().trim().min(3, 'Укажите причину').max(200) }),
    answer: mdlpDocument,
  }),
  send: call({
    method: 'POST',
    path: '/warehouse/documents/:id/mdlp',
    summary:
      'Сообщить в МДЛП о проведённом документе с кодами: схема следует из типа; destruction — списание на уничтожение, 541',
    access: 'editMdlp',
    params: idParams,
    body: z.strictObject({ destruction: destruction.optional() }),
    answer: mdlpDocument,
  }),
  retry: call({
    method: 'POST',
    path: '/mdlp/documents/:id/retry',
    summary: 'Отправить отклонённый или не дошедший документ ещё раз; о не дошедшем сперва спрашивают МДЛП',
    access: 'editMdlp',
    params: idParams,
    answer: mdlpDocument,
  }),
  recall: call({
    method: 'POST',
    path: '/mdlp/documents/:id/recall',
    summary: 'Отказаться от документа, которого МДЛП не принял; принятые 431 и 541 отзывает документ 250',
    access: 'editMdlp',
    params: idParams,
    body: z.strictObject({ reason: z.string().trim().min(3, 'Укажите причину').max(200) }),
    answer: mdlpDocument,
  }),
  content: call({
    method: 'GET',
    path: '/mdlp/documents/:id/content',
    summary: 'Документ, который ждёт подписи: его байты в base64',
    access: 'editMdlp',
    params: idParams,
    answer: z.object({ content: z.string() }),
  }),
  sign: call({
    method: 'POST',
    path: '/mdlp/documents/:id/sign',
    summary: 'Приложить отсоединённую подпись (CMS) и поставить документ в очередь',
    access: 'editMdlp',
    params: idParams,
    body: z.strictObject({ signature }),
    answer: mdlpDocument,
  }),
  code: call({
    method: 'POST',
    path: '/mdlp/login/code',
    summary: 'Начать вход в МДЛП: код, который подписывают',
    access: 'editMdlp',
    answer: z.object({ code: z.string(), content: z.string() }),
    limit: 30,
  }),
  login: call({
    method: 'POST',
    path: '/mdlp/login',
    summary: 'Войти в МДЛП подписью кода; вход держится, пока МДЛП не закончит его (30 минут)',
    access: 'editMdlp',
    body: z.strictObject({ code: z.string().min(1).max(200), signature }),
    answer: z.object({ until: z.string() }),
    limit: 30,
  }),
  sync: call({
    method: 'POST',
    path: '/mdlp/sync',
    summary: 'Спросить МДЛП о входящих и квитанциях сейчас',
    access: 'editMdlp',
    limit: 10,
  }),
  openBox: call({
    method: 'POST',
    path: '/mdlp/boxes/open',
    summary: 'Вскрыть короб: коды выходят из него, в МДЛП уходит 912',
    access: 'editMdlp',
    body: z.strictObject({ code: scanned }),
    answer: mdlpDocument,
  }),
  differences: call({
    method: 'GET',
    path: '/mdlp/differences',
    summary: 'Где наше состояние кода расходится с МДЛП',
    access: warehouseView,
    answer: z.object({
      items: z.array(
        z.object({
          id: z.int(),
          sgtin: z.string(),
          product: nullableText,
          ours: oneOf(codeStatuses),
          theirs: oneOf(codeStatuses),
          warehouse: nullableText,
        }),
      ),
    }),
  }),
  state: call({
    method: 'GET',
    path: '/mdlp/state',
    summary: 'Подключён ли МДЛП, по какой версии схем, места деятельности',
    access: warehouseView,
    answer: z.object({
      mode: z.enum(['off', 'simulator', 'test', 'prod']),
      version: nullableText,
      schemas: z.int(),
      /** End of the session; null: the next request signs in automatically, or needs a user. */
      until: nullableText,
      /** Sign-in needs a user's signature in the browser. */
      needsPerson: z.boolean(),
      places: z.array(z.object({ idWarehouse: z.int(), name: z.string(), place: nullableText })),
    }),
  }),
  schemas: call({
    method: 'POST',
    path: '/mdlp/schemas',
    summary: 'Загрузить набор XSD МДЛП (ZIP); документы проверяются по нему перед отправкой',
    access: 'mainSettings',
    query: z.object({ version: z.string().regex(/^\d+\.\d+$/, 'Версия пишется так: 1.37') }),
    bodyType: 'raw',
    bodyLimit: MAX_FILE,
    answer: z.object({ version: z.string(), files: z.int() }),
  }),
}
