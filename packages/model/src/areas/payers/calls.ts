/** Calls of payers: trying a programme, who pays for a visit, registries. */
import { z } from 'zod'
import { call, day, id, idParams, onceKey, oneOf, rowOf } from '../../call.ts'
import { reason, sum, words } from '../money/callParts.ts'
import { visitAccess } from '../visits/visit.ts'
import { PayerRegistry } from './registry.ts'
import { cutTargets } from './rules.ts'

/** Lines decided at once. */
const MAX_DECIDED = 1000

const coverage = z.object({
  isCovered: z.boolean(),
  needsLetter: z.boolean(),
  /** Kopecks are rubles here. */
  total: z.number(),
  payer: z.number(),
  patient: z.number(),
  words: z.string(),
})

export const payerCalls = {
  check: call({
    method: 'POST',
    path: '/payer-contracts/:id/check',
    summary: 'Проверить услугу на программе: какое правило сработает и кто сколько заплатит',
    access: ['viewPayers', 'editPayers'],
    params: idParams,
    body: z.strictObject({
      idProgramme: id,
      idService: id,
      diagnosis: words(10).nullable().optional(),
      day: day.optional(),
    }),
    answer: coverage.extend({ rule: z.int().nullable() }),
  }),
  coverage: call({
    method: 'GET',
    path: '/appointments/:id/coverage',
    summary: 'Кто платит за услуги визита: программа, остаток лимита, нужно ли письмо',
    access: visitAccess.view,
    params: idParams,
    answer: z.object({
      /** Policy and programme of the patient; null: no list has the patient on the day. */
      insured: z.object({ id: z.int(), policy: z.string(), payer: z.string(), programme: z.string() }).nullable(),
      lines: z.array(coverage.extend({ id: z.int() })),
    }),
  }),
  letterTask: call({
    method: 'POST',
    path: '/appointments/:id/letter-task',
    summary: 'Задача попросить у плательщика гарантийное письмо: с текстом письма, в колонку новых пространства',
    access: visitAccess.update,
    params: idParams,
    body: z.strictObject({ name: words(255), idBoard: id }),
    status: 201,
    answer: z.object({ id }),
  }),
  ownPay: call({
    method: 'POST',
    path: '/coupon-services/:id/payer',
    summary: 'Кто платит за услугу визита: isOwn — сам пациент, иначе плательщик по программе',
    access: visitAccess.update,
    params: idParams,
    body: z.strictObject({ isOwn: z.boolean() }),
    answer: z.object({ insurer: z.number(), patient: z.number() }),
  }),
  closeAbsent: call({
    method: 'POST',
    path: '/payer-contracts/:id/close-absent',
    summary:
      'Закрыть тех, кого не было в полном списке этого дня; dryRun — только посчитать, сколько их и сколько осталось',
    access: 'editPayers',
    params: idParams,
    body: z.strictObject({ day, dryRun: z.boolean().default(false) }),
    answer: z.object({ closed: z.int(), kept: z.int() }),
  }),
  collect: call({
    method: 'POST',
    path: '/payer-registries/collect',
    summary: 'Собрать реестр договора за месяц; черновик собирается заново, отправленное не входит',
    access: 'editPayers',
    body: z.strictObject({ idContract: id, month: day }),
    answer: rowOf(PayerRegistry),
  }),
  lacks: call({
    method: 'GET',
    path: '/payer-registries/:id/lacks',
    summary: 'Чего не хватает в строках реестра: всё сразу, со ссылками',
    access: ['viewPayers', 'editPayers'],
    params: idParams,
    answer: z.object({
      items: z.array(
        z.object({
          idLine: z.int(),
          idCustomer: z.int(),
          idAppointment: z.int(),
          patient: z.string(),
          service: z.string(),
          lacks: z.array(z.string()),
        }),
      ),
    }),
  }),
  send: call({
    method: 'POST',
    path: '/payer-registries/:id/send',
    summary: 'Отметить реестр отправленным: его строки больше не меняются. 409 lacks — чего-то не хватает',
    access: 'editPayers',
    params: idParams,
    answer: rowOf(PayerRegistry),
  }),
  file: call({
    method: 'GET',
    path: '/payer-registries/:id/file',
    summary: 'Таблица реестра: XLSX по столбцам договора или DBF в CP866',
    access: ['viewPayers', 'editPayers'],
    params: idParams,
    query: z.strictObject({ format: oneOf({ xlsx: 'XLSX', dbf: 'DBF' }).default('xlsx') }),
    file: 'application/octet-stream',
  }),
  decide: call({
    method: 'POST',
    path: '/payer-registries/:id/decide',
    summary: 'Ответ плательщика: что принято, что снято и почему; повтор заменяет прежний ответ',
    access: 'editPayers',
    params: idParams,
    body: z.strictObject({
      /** Accepts every line that is not named. */
      isRestAccepted: z.boolean().default(false),
      lines: z
        .array(
          z.strictObject({
            id,
            cut: z.number().min(0, 'Сумма не бывает отрицательной').max(100_000_000),
            reason: words(500).optional(),
            code: words(32).optional(),
          }),
        )
        .max(MAX_DECIDED, `Не больше ${MAX_DECIDED} строк за раз`),
    }),
    answer: rowOf(PayerRegistry),
  }),
  settleCut: call({
    method: 'POST',
    once: true,
    path: '/payer-registries/lines/:id/settle',
    summary: 'Что делать со снятым: выставить снова, в долг пациента или списать',
    access: 'editPayers',
    params: idParams,
    body: z.strictObject({ key: onceKey, as: oneOf(cutTargets), reason }),
    answer: z.object({ id: z.int() }),
  }),
  pay: call({
    method: 'POST',
    once: true,
    path: '/payer-registries/:id/pay',
    summary: 'Оплата реестра плательщиком: деньги на счёт, без чека; не больше принятого',
    access: 'editPayers',
    params: idParams,
    body: z.strictObject({ key: onceKey, sum, date: day, document: words(64) }),
    answer: rowOf(PayerRegistry),
  }),
}
