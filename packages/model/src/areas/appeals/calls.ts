import { z } from 'zod'
import { call, id, idParams, idText, oneOf, rowOf } from '../../call.ts'
import { Appeal, promiseKinds, promiseSources } from './appeal.ts'

const promise = z.object({
  kind: oneOf(promiseKinds),
  /** The kind of its source record. */
  source: oneOf(promiseSources),
  /** Id of the chat, the call or the appeal. */
  id,
  who: z.string().nullable(),
  /** The card of the waiting patient, if there is one that the reader may see. */
  idCustomer: id.nullable(),
  /** E.164. */
  phone: z.string().nullable(),
  about: z.string().nullable(),
  /** ISO 8601: due since. */
  dueAt: z.string(),
  /** null: any employee may take it. */
  idOwner: id.nullable(),
  owner: z.string().nullable(),
  filial: z.string().nullable(),
})
export type OpenPromise = z.output<typeof promise>

export const appealCalls = {
  promises: call({
    method: 'GET',
    path: '/promises',
    summary:
      'Никто не забыт: кому обещали ответить, перезвонить, сделать следующий шаг или записать итог, самые срочные первыми',
    access: ['viewCallJournal', 'viewAppeals', 'supportOperator'],
    query: z.strictObject({
      /** The requester's own, and those without an owner. */
      mine: z.literal('1').optional(),
      filial: idText.optional(),
      customer: idText.optional(),
      /** `next` of the previous page. */
      after: z.string().max(100).optional(),
    }),
    answer: z.object({ items: z.array(promise), next: z.string().nullable() }),
  }),
  ofCall: call({
    method: 'POST',
    path: '/calls/:id/appeal',
    summary: 'Обращение из звонка; у звонка оно одно: то же обращение, если оно уже есть',
    access: 'editAppeals',
    params: idParams,
    answer: rowOf(Appeal),
  }),
  ofChat: call({
    method: 'POST',
    path: '/live-assist/:id/appeal',
    summary: 'Обращение из чата; у чата оно одно: то же обращение, если оно уже есть',
    access: 'editAppeals',
    params: idParams,
    answer: rowOf(Appeal),
  }),
  makeLead: call({
    method: 'POST',
    path: '/appeals/:id/lead',
    summary: 'Сделка из обращения: на первом этапе воронки, с контактом, связана с обращением и его звонком',
    access: 'editAppeals',
    params: idParams,
    answer: z.object({ id, idFunnel: id }),
  }),
  makeTask: call({
    method: 'POST',
    path: '/appeals/:id/task',
    summary: 'Задача из обращения: в колонку новых выбранного пространства, связана с обращением',
    access: 'editAppeals',
    params: idParams,
    body: z.strictObject({
      name: z.string().trim().min(1, 'Введите название').max(255, 'Количество символов не должно превышать 255'),
      idBoard: id,
    }),
    answer: z.object({ id }),
  }),
}
