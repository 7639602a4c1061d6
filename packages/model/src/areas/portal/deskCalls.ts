import { z } from 'zod'
import { call, id, idParams, oneOf, shapeOf } from '../../call.ts'
import { type PaperKind, paperKinds } from './paperCalls.ts'

/** Papers and visits that can be attached to a dialogue with a patient; all are visible in the patients' room. */
export interface DialogThings {
  papers: { kind: PaperKind; id: number; name: string; day: string }[]
  /** Unpaid services, in rubles; null: none, or hidden from the user. */
  unpaid: { count: number; sum: number } | null
}

const staff = { access: 'onlineChat', params: idParams } as const

/** Calls of the staff in a dialogue with a patient. */
export const deskCalls = {
  things: call({
    method: 'GET',
    path: '/service-online/:id/things',
    summary: 'Документы пациента в его кабинете и сумма к оплате: то, на что можно сослаться в ответе',
    ...staff,
    answer: shapeOf<DialogThings>(),
  }),
  attach: call({
    method: 'POST',
    path: '/service-online/:id/papers',
    summary: 'Документ пациента файлом PDF, чтобы приложить его к ответу',
    ...staff,
    body: z.strictObject({ kind: oneOf(paperKinds), id }),
    status: 201,
    answer: z.object({ id, name: z.string() }),
  }),
  task: call({
    method: 'POST',
    path: '/service-online/:id/task',
    summary: 'Задача из диалога: в колонку новых выбранного пространства, с пациентом в списке клиентов',
    ...staff,
    body: z.strictObject({
      name: z.string().trim().min(1, 'Введите название').max(255, 'Количество символов не должно превышать 255'),
      idBoard: id,
    }),
    status: 201,
    answer: z.object({ id }),
  }),
}
