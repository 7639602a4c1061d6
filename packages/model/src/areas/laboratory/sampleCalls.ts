/** Calls of tubes: labels, scanning, shipments. */
/** Calls of the laboratory beyond the records engine: orders and tubes, values and checks, devices, figures. */
import { z } from 'zod'
import { call, id, idParams, idText, oneOf, rowOf } from '../../call.ts'
import { ordersView } from './access.ts'
import { LabShipment } from './sample.ts'
import { words } from './shapes.ts'
import { rejectReasons, sampleStatuses, sampleSteps } from './states.ts'
import { biomaterials, temperatures, urgencies } from './words.ts'

const sampleLine = z.object({
  id: z.int(),
  barcode: z.string(),
  status: oneOf(sampleStatuses),
  idOrder: z.int(),
  number: z.string().nullable(),
  patient: z.string(),
  birthday: z.string().nullable(),
  urgency: oneOf(urgencies),
  laboratory: z.string(),
  container: z.string().nullable(),
  cap: z.string().nullable(),
  biomaterial: oneOf(biomaterials),
  tempMode: oneOf(temperatures),
  tests: z.string(),
  rack: z.string().nullable(),
  place: z.string().nullable(),
  takenAt: z.string().nullable(),
  expiresAt: z.string().nullable(),
  /** Tubes of the same order that still need this step. */
  left: z.int(),
})

export type SampleLine = z.infer<typeof sampleLine>

export const sampleCalls = {
  labels: call({
    method: 'GET',
    path: '/laboratory/orders/:id/labels',
    summary: 'Этикетки пробирок заказа, 58 × 40 мм, Code 128',
    access: ordersView,
    params: idParams,
    file: 'application/pdf',
  }),
  zpl: call({
    method: 'GET',
    path: '/laboratory/orders/:id/zpl',
    summary: 'Те же этикетки на языке принтеров ZPL',
    access: ordersView,
    params: idParams,
    answer: z.object({ zpl: z.string() }),
  }),
  scan: call({
    method: 'POST',
    path: '/laboratory/samples/scan',
    summary: 'Сканирование пробирки: шаг sampleSteps; без шага только показывает её',
    access: [...ordersView, 'takeLabSamples'],
    body: z.strictObject({
      code: words(64).min(1, 'Отсканируйте штрихкод'),
      step: oneOf(sampleSteps).optional(),
      idShipment: id.optional(),
      rack: words(32).optional(),
      place: words(16).optional(),
      reason: oneOf(rejectReasons).optional(),
      note: words(500).optional(),
    }),
    answer: sampleLine,
  }),
  waiting: call({
    method: 'GET',
    path: '/laboratory/samples/waiting',
    summary: 'Пробы в состоянии, от давних к новым: что ещё не взято, не упаковано, не принято',
    access: ordersView,
    query: z.object({ status: oneOf(sampleStatuses), idFilial: idText.optional() }),
    answer: z.object({ items: z.array(sampleLine), total: z.int() }),
  }),
  ship: call({
    method: 'POST',
    path: '/laboratory/shipments/:id/ship',
    summary: 'Контейнер отправлен: акт передачи с температурой и курьером; заказы уходят партнёру',
    access: 'takeLabSamples',
    params: idParams,
    body: z.strictObject({
      temperature: z.number().min(-100).max(60),
      courier: words(128).min(1, 'Укажите курьера'),
      /** Sends although the temperature is outside the mode. */
      anyway: z.boolean().optional(),
    }),
    answer: rowOf(LabShipment),
  }),
  act: call({
    method: 'GET',
    path: '/laboratory/shipments/:id/act',
    summary: 'Акт передачи биоматериала с маршрутным листом, PDF',
    access: ordersView,
    params: idParams,
    file: 'application/pdf',
  }),
}
