import { z } from 'zod'
import { call, idParams, idText, oneOf, rowOf } from '../../call.ts'
import { FilialHandover, handoverWho } from './handover.ts'

const access = 'handOverFilial'

export const handoverCalls = {
  handOver: call({
    method: 'POST',
    path: '/filials/:id/handovers',
    summary: 'Собрать данные филиала для передачи покупателю, в фоне',
    access,
    fresh: true,
    params: idParams,
    body: z.strictObject({ who: oneOf(handoverWho) }),
    status: 201,
    limit: 30,
    answer: rowOf(FilialHandover),
  }),
  cancelHandover: call({
    method: 'POST',
    path: '/filials/handovers/:id/cancel',
    summary: 'Остановить сбор данных филиала',
    access,
    params: idParams,
    answer: rowOf(FilialHandover),
  }),
  handoverFile: call({
    method: 'GET',
    path: '/filials/handovers/:id/files/:number',
    summary: 'Скачать файл передачи; номера с единицы',
    access,
    fresh: true,
    params: z.object({ id: idText, number: idText }),
    file: 'application/zip',
  }),
} as const
