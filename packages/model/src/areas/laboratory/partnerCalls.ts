/** Calls of partner laboratories and of the state's dictionaries. */
/** Calls of the laboratory beyond the records engine: orders and tubes, values and checks, devices, figures. */
import { z } from 'zod'
import { call, idParams } from '../../call.ts'
import { catalogueAccess } from './access.ts'
import { words } from './shapes.ts'

export const partnerCalls = {
  partnerPrice: call({
    method: 'GET',
    path: '/laboratory/list/:id/price',
    summary: 'Прайс партнёра рядом со своими исследованиями и услугами: что нашлось по коду, разница, маржа',
    access: catalogueAccess.update,
    params: idParams,
    answer: z.object({
      items: z.array(
        z.object({
          code: z.string(),
          name: z.string(),
          cost: z.number(),
          termDays: z.int(),
          idTest: z.int().nullable(),
          ownCost: z.number().nullable(),
          price: z.number().nullable(),
          /** By the laboratory's rule: cost plus a percent. */
          advised: z.number().nullable(),
          margin: z.number().nullable(),
          state: z.enum(['new', 'same', 'changed', 'gone']),
        }),
      ),
    }),
  }),
  takePrice: call({
    method: 'POST',
    path: '/laboratory/list/:id/price',
    summary: 'Прайс партнёра принят: себестоимость и сроки найденных исследований, новые добавляются',
    access: catalogueAccess.update,
    params: idParams,
    body: z.strictObject({ codes: z.array(words(64)).min(1).max(2000) }),
    answer: z.object({ changed: z.int(), created: z.int() }),
  }),
  takeNsi: call({
    method: 'POST',
    path: '/laboratory/units/nsi',
    summary:
      'Единицы измерения из справочника НСИ 1358: строки как их отдаёт служба (list из column и value) или по именам колонок',
    access: 'editLaboratories',
    query: z.object({}),
    bodyType: 'raw',
    bodyLimit: 8 * 1024 * 1024,
    body: z.unknown(),
    answer: z.object({ created: z.int(), changed: z.int(), skipped: z.int() }),
  }),
}
