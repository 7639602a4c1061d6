/** Cost today of the services of an offer, with the discounts of the deal's customer. */
import { salesCalls } from '@ordinator/model/areas/sales/calls'
import { Offer } from '@ordinator/model/areas/sales/offer'
import sql from 'sql-template-tag'
import { type QuotedLine, quoteOf } from '#areas/discounts/index.ts'
import { operation } from '#records/operation.ts'
import { CANCELLED } from './offers.ts'

export const estimateOffer = operation(salesCalls.estimateOffer, async ({ app, records, params }) => {
  const { id, idLead } = await records.row(Offer, params.id)
  const { reads } = app.db
  const known = await reads.one<{ idCustomer: number }>(sql`
    select k."idCustomer" from sales_management_contacts k join customers c on c."id" = k."idCustomer" and not c."deleted"
    where k."idLead" = ${idLead} and not k."deleted" order by k."id" limit 1`)
  const lines = await reads.query<QuotedLine>(sql`
    select os."id", os."idService", null as "idUser", os."quantity"::float8 as quantity, os."price"::float8 as price,
      os."discount"::float8 as discount
    from sales_management_offer_services os join services v on v."id" = os."idService" and not v."deleted"
    where os."idOffer" = ${id} and not os."deleted" and os."idStatus" <> ${CANCELLED} and os."price" is not null
    order by os."order", os."id"`)
  // A deal without a card is priced as a new patient.
  return quoteOf(records.asSystem, reads, { idCustomer: known?.idCustomer ?? null, idFilial: null, lines })
})
