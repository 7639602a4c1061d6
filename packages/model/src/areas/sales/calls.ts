/** Calls of deals, offers and funnel stages beyond the records engine. */
import { z } from 'zod'
import { anyRow, call, id, idParams, idText, rowOf, shapeOf } from '../../call.ts'
import type { ListMeta } from '../../client.ts'
import { quote } from '../discounts/estimate.ts'
import { uploadCall } from '../files/calls.ts'
import { SalesFile } from './file.ts'
import { Lead } from './lead.ts'
import { Offer } from './offer.ts'

/** Open deals and customers with the same phone or e-mail. */
export const sameContacts = z.object({
  leads: z.array(rowOf<typeof Lead, { stage: { name: string } | null }>(Lead)),
  customers: z.array(z.looseObject({ id, fio: z.string() })),
})

export const salesCalls = {
  uploadFile: uploadCall(SalesFile),
  duplicates: call({
    method: 'GET',
    path: '/sales-management/contacts/duplicates',
    summary: 'Открытые сделки и клиенты с этим телефоном (в любом написании) или почтой; idLead — кроме этой сделки',
    access: ['viewSalesManagement', 'editSalesManagement'],
    query: z.strictObject({
      phone: z.string().max(64).optional(),
      email: z.string().max(254).optional(),
      idLead: idText.optional(),
    }),
    answer: sameContacts,
  }),
  offerPdf: call({
    method: 'GET',
    path: '/sales-management/offers/:id/pdf',
    summary: 'Печатная форма предложения (PDF); отменённые строки в неё не входят',
    access: ['viewSalesManagement', 'editSalesManagement'],
    params: idParams,
    file: 'application/pdf',
  }),
  estimateOffer: call({
    method: 'GET',
    path: '/sales-management/offers/:id/estimate',
    summary:
      'Сколько стоили бы услуги предложения сегодня со скидками, которые подойдут клиенту сделки, и какие они; now — как стоит в предложении',
    access: ['viewSalesManagement', 'editSalesManagement'],
    params: idParams,
    answer: quote,
  }),
  copyOffer: call({
    method: 'POST',
    path: '/sales-management/offers/:id/copy',
    summary:
      'Копия предложения с ценами и скидками его строк; строки снова в работе, услуги, которых больше нет, пропускаются',
    access: 'editSalesManagement',
    params: idParams,
    body: z.strictObject({
      name: z.string().trim().min(1).max(255).optional(),
      /** Another deal; absent: the same one. */
      idLead: id.optional(),
    }),
    status: 201,
    answer: z.object({ offer: rowOf(Offer), skipped: z.int() }),
  }),
  archiveStage: call({
    method: 'POST',
    path: '/sales-management/stages/:id/archive',
    summary: 'Убрать этап, перенеся его сделки (idStage — на какой этап той же воронки)',
    access: 'editFunnels',
    params: idParams,
    body: z.strictObject({ idStage: id.optional() }),
    answer: z.object({ moved: z.int() }),
  }),
  bringBackStage: call({
    method: 'POST',
    path: '/sales-management/stages/:id/bring-back',
    summary: 'Вернуть убранный этап и его сделки, которых с тех пор не переносили',
    access: 'editFunnels',
    params: idParams,
    body: z.strictObject({}),
    answer: z.object({ moved: z.int() }),
  }),
  leadLogs: call({
    method: 'GET',
    path: '/sales-management/leads/:id/logs',
    summary: 'Журнал сделки словами: что, кто и когда сделал с ней и с её частями; новые сверху',
    access: ['viewSalesManagement', 'editSalesManagement'],
    params: idParams,
    query: z.strictObject({
      limit: z.coerce.number<number>().int().min(0).max(500).default(20),
      page: z.coerce.number<number>().int().min(1).max(1_000_000).default(1),
    }),
    answer: z.object({
      items: z.array(
        z.object({
          id: z.int(),
          idLead: z.int(),
          idUser: z.int().nullable(),
          user: shapeOf<{ id: number; fio?: string; shortFio?: string; avatar?: string | null }>().nullable(),
          dateCreate: z.string(),
          data: anyRow,
          method: z.string(),
          methodAlias: z.string(),
        }),
      ),
      _meta: shapeOf<ListMeta>(),
    }),
  }),
}
