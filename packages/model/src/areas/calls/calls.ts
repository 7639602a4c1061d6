import { z } from 'zod'
import { call, id, idParams } from '../../call.ts'

/** Bars of a drawn recording. */
export const PEAKS = 200

export const callCalls = {
  record: call({
    method: 'GET',
    path: '/calls/:id/record',
    summary: 'Запись разговора; по частям (Range). Свои разговоры слушает каждый, чужие — с правом listenCalls',
    access: 'public',
    params: idParams,
    query: z.object({ download: z.string().optional() }),
    file: 'audio/wav',
  }),
  peaks: call({
    method: 'GET',
    path: '/calls/:id/peaks',
    summary: `Громкость записи ${PEAKS} столбиками от 0 до 100 и длительность в секундах`,
    access: 'signed-in',
    params: idParams,
    answer: z.object({ peaks: z.array(z.int()), seconds: z.number() }),
  }),
  originate: call({
    method: 'POST',
    path: '/calls/originate',
    summary: 'Звонок с экрана: АТС звонит на телефон сотрудника, потом набирает номер; ответ — строка журнала',
    access: 'viewCallJournal',
    body: z.strictObject({ phone: z.string().max(40) }),
    answer: z.object({ id }),
  }),
  customer: call({
    method: 'POST',
    path: '/calls/:id/customer',
    summary: 'Кто звонил: клиент выбран сотрудником; null — никто из известных',
    access: 'viewCallJournal',
    params: idParams,
    body: z.strictObject({ idCustomer: id.nullable() }),
  }),
}
