import {
  Offer,
  OfferComment,
  OfferService,
  OfferServiceReason,
  OfferServiceStatus,
  OfferStatus,
} from '@ordinator/model/areas/sales/offer'
import sql, { raw, type Sql } from 'sql-template-tag'
import { records } from '../../records/define.ts'

/** Rubles of one line: quantity × price − discount, never below zero, to the kopeck. */
const lineTotal = (row: Sql): Sql =>
  sql`greatest(round(${row}."quantity" * coalesce(${row}."price", 0) - ${row}."discount", 2), 0)`

const lines = (row: Sql): Sql =>
  sql`sales_management_offer_services os where os."idOffer" = ${row}."id" and not os."deleted"`

/** Spec §4, design §10: any in process → 1; all accepted → 2; some → 3; none → 4. An empty offer is in process. */
export const offerStatusSql = (row: Sql): Sql => sql`(select case
    when count(*) = 0 or bool_or(os."idStatus" = 4) then 1
    when bool_and(os."idStatus" = 1) then 2
    when bool_or(os."idStatus" = 1) then 3
    else 4 end from ${lines(row)})`

export const offerStatuses = records(OfferStatus)
export const offerServiceStatuses = records(OfferServiceStatus)
export const offerServiceReasons = records(OfferServiceReason)

const sum = (row: Sql, more: Sql): Sql =>
  sql`(select coalesce(sum(${lineTotal(raw('os'))}), 0) from ${lines(row)} and ${more})`

export const offers = records(Offer, {
  computed: {
    idStatus: ({ row }) => offerStatusSql(row),
    total: ({ row }) => sum(row, sql`os."idStatus" <> 2`),
    totalAccepted: ({ row }) => sum(row, sql`os."idStatus" = 1`),
    commentsTotalCount: ({ row }) =>
      sql`(select count(*)::int from sales_management_offer_comments oc where oc."idOffer" = ${row}."id" and not oc."deleted")`,
  },
})

export const offerServices = records(OfferService, { computed: { total: ({ row }) => lineTotal(row) } })
export const offerComments = records(OfferComment)
