import { z } from 'zod'
import { call, id, idParams, idText, rowOf } from '../../call.ts'
import { OPENED_HOURS, REASON } from '../../sealed.ts'
import { uploadCall } from '../files/calls.ts'
import { type AccessAction, accessActions } from './access.ts'
import { Customer } from './customer.ts'
import { CustomerFile, CustomerPhoto } from './files.ts'
import { CustomerMerge } from './merge.ts'
import { type SameReason, sameReasons } from './similar.ts'

const similar = z.object({
  id: z.int(),
  fio: z.string(),
  birthday: z.string().nullable(),
  phone: z.string().nullable(),
  cardNumber: z.string().nullable(),
  because: z.array(z.enum(Object.keys(sameReasons) as [SameReason, ...SameReason[]])),
  /** True when no two patients can have this in common. */
  certain: z.boolean(),
})
export type SimilarCustomer = z.output<typeof similar>

const pairedCard = z.object({
  id: z.int(),
  fio: z.string(),
  birthday: z.string().nullable(),
  phone: z.string().nullable(),
  cardNumber: z.string().nullable(),
  snils: z.string().nullable(),
  dateCreate: z.string(),
})
export type PairedCard = z.output<typeof pairedCard>
const pair = z.object({
  id: z.int(),
  because: z.array(z.enum(Object.keys(sameReasons) as [SameReason, ...SameReason[]])),
  certain: z.boolean(),
  first: pairedCard,
  second: pairedCard,
})
export type DuplicatePair = z.output<typeof pair>
/** Pairs per response. */
export const DUPLICATES_PAGE = 20

const typed = z.string().max(255).optional()

/** Journal entries per response. */
const MAX_LINES = 100

const accessLine = z.object({
  id: z.int(),
  dt: z.string(),
  action: z.string(),
  /** Label of the entity. */
  label: z.string().nullable(),
  idEntity: z.int().nullable(),
  idCustomer: z.int().nullable(),
  customer: z.string().nullable(),
  idUser: z.int().nullable(),
  user: z.string().nullable(),
  ip: z.string().nullable(),
  basis: z.string().nullable(),
  requestId: z.string().nullable(),
})
export type AccessLine = z.output<typeof accessLine>

const accessAlert = z.object({
  kind: z.enum(['many', 'export', 'unusual', 'secret', 'link', 'phone']),
  idUser: z.int(),
  user: z.string(),
  /** The hour, or the moment. */
  dt: z.string(),
  count: z.int(),
  what: z.string().nullable(),
})
export type AccessAlert = z.output<typeof accessAlert>

const recordsOfKind = z.object({ path: z.string(), label: z.string(), count: z.int() })
const personalFate = z.object({
  /** Destroyed. */
  erased: z.array(recordsOfKind),
  /** Stays for the counts of the clinic, without the patient and without words. */
  parted: z.array(recordsOfKind),
  kept: z.array(z.object({ why: z.string(), law: z.string(), until: z.string(), records: z.array(recordsOfKind) })),
  /** Labels of the fields of the card that are emptied. */
  fields: z.array(z.string()),
  /** What must be finished before; empty: nothing. */
  unfinished: z.string(),
})
export type PersonalFate = z.output<typeof personalFate>

const moment = z.iso.datetime({ offset: true, error: 'Нужны дата и время' }).optional()
/** Cursor of a journal entry: its moment to the microsecond and its number. */
const place = z
  .string()
  .regex(/^20\d\d-.{1,35}_\d{1,15}$/, 'Такого места в журнале нет')
  .refine((value) => z.iso.datetime().safeParse(value.split('_')[0]).success, 'Такого места в журнале нет')

export const customerCalls = {
  uploadFile: uploadCall(CustomerFile),
  uploadPhoto: uploadCall(CustomerPhoto),
  similar: call({
    method: 'GET',
    path: '/customers/similar',
    summary: 'Карты, которые могут быть того же клиента; людей одной семьи с общим телефоном среди них нет',
    access: 'viewCustomers',
    query: z.strictObject({
      surname: typed,
      name: typed,
      middleName: typed,
      birthday: typed,
      phone: typed,
      phoneMother: typed,
      snils: typed,
      policy: typed,
      /** The card that is open; it is excluded. */
      except: idText.optional(),
    }),
    answer: z.object({ items: z.array(similar) }),
  }),
  duplicates: call({
    method: 'GET',
    path: '/customers/duplicates',
    summary:
      'Пары карт, которые могут быть одного клиента, сначала несомненные; after — номер пары, после которой читать дальше',
    access: 'editCustomers',
    query: z.strictObject({ after: idText.optional() }),
    answer: z.object({ items: z.array(pair), next: z.int().nullable() }),
  }),
  dismissPair: call({
    method: 'POST',
    path: '/customers/duplicates/:id',
    summary: 'different: true — это разные клиенты, больше не предлагать; false — предлагать снова',
    access: 'editCustomers',
    params: idParams,
    body: z.strictObject({ different: z.boolean() }),
  }),
  mergePreview: call({
    method: 'GET',
    path: '/customers/:id/merge',
    summary: 'Что станет с двумя картами, если их объединить: поля, которые различаются, и сколько записей перейдёт',
    access: 'editCustomers',
    params: idParams,
    query: z.strictObject({ idMerged: idText }),
    answer: z.object({
      fields: z.array(z.object({ field: z.string(), kept: z.unknown(), merged: z.unknown() })),
      links: z.array(z.object({ path: z.string(), label: z.string(), count: z.int() })),
    }),
  }),
  merge: call({
    method: 'POST',
    path: '/customers/:id/merge',
    summary: 'Объединение: карта idMerged присоединяется к этой, поля take берутся из неё, все её записи переходят',
    access: 'editCustomers',
    fresh: true,
    params: idParams,
    body: z.strictObject({ idMerged: id, take: z.array(z.string().max(64)).max(100).default([]) }),
    answer: rowOf(CustomerMerge),
  }),
  personalCopy: call({
    method: 'GET',
    path: '/customers/:id/personal-copy',
    summary: 'Все данные клиента одним архивом: таблица на каждый вид записей и файлы (152-ФЗ, ст. 14)',
    access: 'personalData',
    fresh: true,
    limit: 10,
    params: idParams,
    file: 'application/zip',
  }),
  personalFate: call({
    method: 'GET',
    path: '/customers/:id/personal-data',
    summary: 'Что будет уничтожено, если клиент отозвал согласие, что закон велит хранить и до какого дня, что мешает',
    access: 'personalData',
    params: idParams,
    answer: personalFate,
  }),
  personalErase: call({
    method: 'POST',
    path: '/customers/:id/personal-data/erase',
    summary: 'Уничтожает данные клиента, которые не велит хранить закон; необратимо. surname — фамилия с карты',
    access: 'personalData',
    fresh: true,
    limit: 10,
    params: idParams,
    body: z.strictObject({
      surname: z.string().max(64),
      reason: z
        .string()
        .trim()
        .min(REASON.min, 'Напишите основание: заявление, его номер и день')
        .max(REASON.max, `Не больше ${REASON.max} символов`),
    }),
    answer: personalFate,
  }),
  accessLog: call({
    method: 'GET',
    path: '/access-log',
    summary:
      'Журнал доступа к данным клиентов, новые строки первыми; before — место, с которого читать дальше (next прошлого ответа)',
    access: 'viewAccessLog',
    query: z.strictObject({
      idCustomer: idText.optional(),
      idUser: idText.optional(),
      action: z.enum(Object.keys(accessActions) as [AccessAction, ...AccessAction[]]).optional(),
      from: moment,
      to: moment,
      before: place.optional(),
      limit: z.coerce.number<number>().int().min(1).max(MAX_LINES).default(50),
    }),
    answer: z.object({ items: z.array(accessLine), next: place.nullable() }),
  }),
  open: call({
    method: 'POST',
    path: '/customers/:id/open',
    summary: `Открывает карту с ограниченным доступом: причина ложится в журнал и действует ${OPENED_HOURS} часов`,
    access: 'viewCustomers',
    params: idParams,
    body: z.strictObject({
      reason: z
        .string()
        .trim()
        .min(REASON.min, 'Напишите причину словами: её прочтёт руководитель')
        .max(REASON.max, `Не больше ${REASON.max} символов`),
    }),
  }),
  accessAlerts: call({
    method: 'GET',
    path: '/access-log/alerts',
    summary: 'На что обратить внимание за неделю: много карт за час, выгрузки, карты, которые открывали по причине',
    access: 'viewAccessLog',
    answer: z.object({ items: z.array(accessAlert) }),
  }),
  unmerge: call({
    method: 'POST',
    path: '/customers/merges/:id/undo',
    summary: 'Разъединение: присоединённая карта возвращается со своими записями, взятые из неё значения уходят',
    access: 'editCustomers',
    fresh: true,
    params: idParams,
    answer: rowOf(Customer),
  }),
}
