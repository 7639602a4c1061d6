import { z } from 'zod'
import { call, id, idParams, rowOf } from '../../call.ts'
import { Appeal } from './appeal.ts'

export const appealCalls = {
  ofCall: call({
    method: 'POST',
    path: '/calls/:id/appeal',
    summary: 'Обращение из звонка; у звонка оно одно: то же обращение, если оно уже есть',
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
