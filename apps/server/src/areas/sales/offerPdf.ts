/** An offer on paper: A4, for the patient. */
import { salesCalls } from '@ordinator/model/areas/sales/calls'
import { Offer } from '@ordinator/model/areas/sales/offer'
import sql from 'sql-template-tag'
import { letterheadOf } from '#areas/filials/index.ts'
import { sendPdf } from '#platform/disposition.ts'
import { drawing, pressOf } from '#platform/pdfPool.ts'
import { operation } from '#records/operation.ts'
import type { OfferPrint, Sums } from './drawOffer.ts'

const drawn = drawing<typeof import('./drawOffer.ts')>(new URL('./drawOffer.ts', import.meta.url))

export const offerPdf = operation(salesCalls.offerPdf, async ({ app, records, actor, params, reply }) => {
  const offer: OfferPrint = JSON.parse(
    await records.view(Offer, params.id, {
      expand: 'services.service,services.status,user,lead.contacts,lead.company,lead.responsible.user',
    }),
  )
  const all = (await app.db.one<Sums>(sql`
      select coalesce(sum(round("quantity" * coalesce("price", 0), 2)), 0)::text as gross,
        coalesce(sum("discount"), 0)::text as discount
      from sales_management_offer_services where "idOffer" = ${offer.id} and not "deleted" and "idStatus" <> 2`)) as Sums
  const head = await letterheadOf(app.db)
  const bytes = await pressOf(app).run(drawn, { offer, all, head, timeZone: actor.timeZone }, actor)
  return sendPdf(reply, `Предложение ${offer.id}.pdf`, bytes)
})
