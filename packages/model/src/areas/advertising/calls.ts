/** Calls of advertising beyond the records engine. */
import { z } from 'zod'
import { call, counting, day, id, idParams } from '../../call.ts'
import { advertisingAccess } from './campaign.ts'

export const MAX_COST_FILE = 2_097_152

const figures = z.object({
  /** null: no campaign. */
  idCampaign: id.nullable(),
  name: z.string(),
  channel: z.string().nullable(),
  status: z.string().nullable(),
  /** Rubles. */
  budget: z.number().nullable(),
  spend: z.number(),
  clicks: z.int(),
  appeals: z.int(),
  bookings: z.int(),
  visits: z.int(),
  newPatients: z.int(),
  paid: z.number(),
  cpl: z.number().nullable(),
  cac: z.number().nullable(),
  /** Percent. */
  romi: z.number().nullable(),
  toBooking: z.number().nullable(),
  toVisit: z.number().nullable(),
})
export type CampaignFigures = z.output<typeof figures>

export const advertisingCalls = {
  report: call({
    method: 'GET',
    path: '/advertising/report',
    summary:
      'Кампании за период: расход, обращения, записи, визиты, новые пациенты, оплачено, CPL, CAC, ROMI; touch: last — последнее непрямое касание за 30 дней, first — первое',
    access: advertisingAccess.view,
    query: z.strictObject({
      from: day,
      to: day,
      touch: z.enum(['last', 'first']).default('last'),
      filial: z.coerce.number<number>().int().positive().optional(),
    }),
    answer: z.object({
      rows: z.array(figures),
      total: figures,
      days: z.array(z.object({ day, spend: z.number(), appeals: z.int() })),
      ...counting,
    }),
  }),
  checks: call({
    method: 'GET',
    path: '/advertising/campaigns/:id/checks',
    summary: 'Чего закон требует от материалов кампании: предупреждение, erid, лицензия',
    access: advertisingAccess.view,
    params: idParams,
    answer: z.object({ checks: z.array(z.object({ rule: z.string(), message: z.string() })) }),
  }),
  importCosts: call({
    method: 'POST',
    path: '/advertising/costs/import',
    summary:
      'Расходы из CSV рекламного кабинета: столбцы «дата», «кампания» (название или utm_campaign), «расход», «клики», «показы»; день кампании заменяется',
    access: 'createAdvertising',
    query: z.strictObject({ campaign: z.coerce.number<number>().int().positive().optional() }),
    bodyType: 'raw',
    bodyLimit: MAX_COST_FILE,
    body: z.string().describe('Содержимое файла'),
    answer: z.object({ added: z.int(), changed: z.int(), problems: z.array(z.string()) }),
  }),
  collect: call({
    method: 'POST',
    path: '/advertising/collect',
    summary: 'Собрать касания и конверсии сейчас, не дожидаясь очереди',
    access: 'createAdvertising',
    answer: z.object({ touches: z.int(), conversions: z.int() }),
  }),
}
