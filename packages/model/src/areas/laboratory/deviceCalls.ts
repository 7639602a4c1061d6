/** Calls of devices: connection, messages, controls. */
/** Calls of the laboratory beyond the records engine: orders and tubes, values and checks, devices, figures. */
import { z } from 'zod'
import { call, id, idParams, idText, oneOf, rowOf } from '../../call.ts'
import { deviceAccess, resultsView } from './access.ts'
import { LabControlRun } from './control.ts'
import { messageStates } from './device.ts'
import { words } from './shapes.ts'

export const deviceCalls = {
  lamps: call({
    method: 'GET',
    path: '/laboratory/devices/lamps',
    summary: 'Связь с анализаторами: слушает ли порт, молчит ли, сколько байт ждёт конца сообщения',
    access: deviceAccess.view,
    answer: z.object({
      items: z.array(
        z.object({
          id: z.int(),
          name: z.string(),
          /** Address of a refused connection that a person decides on. */
          askedHost: z.string().nullable(),
          state: z.enum(['ok', 'quiet', 'waiting', 'error', 'off']),
          words: z.string(),
          connections: z.int(),
          lastSeen: z.string().nullable(),
          open: z.int(),
        }),
      ),
    }),
  }),
  settleAddress: call({
    method: 'POST',
    path: '/laboratory/devices/:id/address',
    summary: 'Отклонённый адрес: это наш прибор — принимать с него, или нет',
    access: 'editLaboratories',
    params: idParams,
    body: z.strictObject({ accept: z.boolean() }),
    answer: z.object({ address: z.string().nullable() }),
  }),
  log: call({
    method: 'GET',
    path: '/laboratory/devices/:id/log',
    summary: 'Журнал прибора: сообщения как они пришли, от новых к старым',
    access: deviceAccess.view,
    params: idParams,
    query: z.object({ before: idText.optional() }),
    answer: z.object({
      items: z.array(
        z.object({
          id: z.int(),
          at: z.string(),
          state: oneOf(messageStates),
          direction: z.enum(['in', 'out']),
          bytes: z.int(),
          text: z.string(),
          cut: z.boolean(),
          note: z.string().nullable(),
          results: z.int(),
        }),
      ),
      next: z.int().nullable(),
    }),
  }),
  reread: call({
    method: 'POST',
    path: '/laboratory/log/:id/reread',
    summary: 'Сообщение прибора разобрать заново — после исправления кодов',
    access: 'editLaboratories',
    params: idParams,
    answer: z.object({ results: z.int(), strays: z.int() }),
  }),
  resend: call({
    method: 'POST',
    path: '/laboratory/samples/:id/resend',
    summary: 'Отправить задание пробы анализатору ещё раз (двусторонний обмен)',
    access: 'enterLabResults',
    params: idParams,
    body: z.strictObject({ idDevice: id }),
    answer: z.object({ sent: z.boolean() }),
  }),
  settleStray: call({
    method: 'POST',
    path: '/laboratory/strays/:id/settle',
    summary: 'Значение из неразобранного отнесено человеком к пробе и показателю',
    access: 'enterLabResults',
    params: idParams,
    body: z.strictObject({
      barcode: words(12).optional(),
      idAnalyte: id.optional(),
      /** In the analyte's unit; absent: the device's value, converted by its code. */
      value: words(1000).optional(),
      /** Why it belongs there; stays beside the value. */
      reason: words(500).optional(),
      drop: z.boolean().optional(),
    }),
    answer: z.object({ status: z.string() }),
  }),
  mean: call({
    method: 'POST',
    path: '/laboratory/strays/:id/mean',
    summary:
      'Слово прибора получило значение из списка показателя (или «нет результата»); сообщения с ним разобраны заново',
    access: 'editLaboratories',
    params: idParams,
    body: z.strictObject({ value: words(255).optional(), none: z.boolean().optional() }),
    answer: z.object({ results: z.int(), strays: z.int() }),
  }),
  chart: call({
    method: 'GET',
    path: '/laboratory/controls/:id/chart',
    summary: 'Контрольная карта: измерения контроля, среднее и границы, нарушенные правила Вестгарда',
    access: [...resultsView, 'editLaboratories'],
    params: idParams,
    answer: z.object({
      name: z.string(),
      analyte: z.string(),
      device: z.string(),
      level: z.string(),
      lot: z.string(),
      unit: z.string().nullable(),
      expiresOn: z.string().nullable(),
      mean: z.number().nullable(),
      sd: z.number().nullable(),
      tea: z.number().nullable(),
      expected: z.string().nullable(),
      observedMean: z.number().nullable(),
      observedSd: z.number().nullable(),
      sigma: z.number().nullable(),
      runs: z.array(rowOf(LabControlRun)),
    }),
  }),
  controlStates: call({
    method: 'GET',
    path: '/laboratory/controls/states',
    summary: 'Контроли с последним измерением и тем, что они держат',
    access: [...resultsView, 'editLaboratories'],
    answer: z.object({
      items: z.array(
        z.object({
          id: z.int(),
          name: z.string(),
          analyte: z.string(),
          device: z.string(),
          level: z.string(),
          lot: z.string(),
          lastAt: z.string().nullable(),
          lastValue: z.string().nullable(),
          broken: z.array(z.string()),
          rejected: z.boolean(),
          expired: z.boolean(),
          held: z.int(),
        }),
      ),
    }),
  }),
}
