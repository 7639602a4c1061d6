/** Figures of a funnel and of a deal, each with the filter of the list of its deals. */
import { z } from 'zod'
import { call, counting, idParams, listFilter } from '../../call.ts'
import { isDay } from '../../fields/date.ts'
import { messages } from '../../messages.ts'

const access = ['viewSalesManagement', 'editSalesManagement'] as const
const day = z.string().refine(isDay, messages.date)
/** `{ 'filter[a]': 'b' }`: query of the list of deals. */
const filter = z.record(z.string(), z.string())
const figure = z.object({ count: z.int(), sum: z.number(), filter })
const counted = z.object({ count: z.int(), filter })
/** 0 to 1. */
const share = z.number().nullable()
const id = z.int().nullable()
const group = { ...figure.shape, name: z.string().nullable(), won: figure, lost: figure, wonShare: share }
const total = { count: z.int(), sum: z.number() }

/** A count, with the filter of its deals. */
export type Counted = z.output<typeof counted>
/** As `counted`, with rubles. */
export type Figure = z.output<typeof figure>

export const analyticsCalls = {
  funnelTotals: call({
    method: 'GET',
    path: '/sales-management/funnels/:id/totals',
    summary: 'Число и сумма сделок по этапам воронки; filter[…] — как у списка сделок',
    access: ['viewSalesManagement', 'editSalesManagement'],
    params: idParams,
    query: z.looseObject({ filter: listFilter }),
    answer: z.object({ ...total, items: z.array(z.object({ idStage: z.int(), ...total })) }),
  }),
  funnelAnalytics: call({
    method: 'GET',
    path: '/sales-management/funnels/:id/analytics',
    summary:
      'Аналитика воронки за период (даты включительно; без них — последние 90 дней). Время — в секундах, доли — от 0 до 1',
    access,
    params: idParams,
    query: z.strictObject({ dateStart: day.optional(), dateEnd: day.optional() }),
    answer: z.object({
      dateStart: z.string(),
      dateEnd: z.string(),
      created: figure,
      open: figure,
      won: figure,
      lost: figure,
      stages: z.array(
        z.object({
          idStage: z.int(),
          name: z.string(),
          color: z.string(),
          idType: z.int(),
          entered: counted,
          passed: counted,
          lost: counted,
          conversion: share,
          medianSeconds: z.number().nullable(),
          meanSeconds: z.number().nullable(),
          now: figure,
        }),
      ),
      lossReasons: z.array(z.object({ idLossReason: id, name: z.string().nullable(), ...figure.shape })),
      responsible: z.array(z.object({ idUser: id, ...group })),
      sources: z.array(z.object({ idSource: id, ...group })),
      forecast: z.array(z.object({ month: z.string().nullable(), ...figure.shape })),
      ...counting,
    }),
  }),
  leadAnalytics: call({
    method: 'GET',
    path: '/sales-management/leads/:id/analytics',
    summary: 'Аналитика сделки: время на каждом этапе, перемещения и суммы',
    access,
    params: idParams,
    answer: z.object({
      price: z.number().nullable(),
      offersSum: z.number(),
      acceptedSum: z.number(),
      seconds: z.number(),
      movesCount: z.int(),
      stages: z.array(
        z.object({
          idStage: z.int(),
          name: z.string(),
          color: z.string(),
          idType: z.int(),
          visits: z.int(),
          seconds: z.number(),
          isCurrent: z.boolean(),
        }),
      ),
      moves: z.array(
        z.object({
          idStage: z.int(),
          name: z.string(),
          dateStart: z.string(),
          dateEnd: z.string().nullable(),
          seconds: z.number(),
        }),
      ),
    }),
  }),
}

export type FunnelFigures = z.output<(typeof analyticsCalls)['funnelAnalytics']['answer']>
export type LeadFigures = z.output<(typeof analyticsCalls)['leadAnalytics']['answer']>
