import type { Service } from '@ordinator/model/areas/catalogue/service'
import { salesCalls } from '@ordinator/model/areas/sales/calls'
import { Lead } from '@ordinator/model/areas/sales/lead'
import {
  ACCEPTED,
  discountErrors,
  IN_PROCESS,
  Offer,
  OfferComment,
  OfferService,
  OfferServiceReason,
  OfferServiceStatus,
  OfferStatus,
} from '@ordinator/model/areas/sales/offer'
import type { Row, Update } from '@ordinator/model/entity'
import { dayIn } from '@ordinator/model/zone'
import sql, { raw, type Sql } from 'sql-template-tag'
import { priceSql } from '#areas/catalogue/index.ts'
import type { Tx } from '#platform/db.ts'
import { ValidationError } from '#platform/errors.ts'
import { commentHooks } from '#records/commentThread.ts'
import { count, records, type WriteContext } from '#records/define.ts'
import { operation } from '#records/operation.ts'

/** Maximum number of lines of an offer in an expand. */
const MAX_LINES = 200
/** Default validity of an offer in days. */
const VALID_DAYS = 30
export const CANCELLED = 2

/** Rubles of one line: quantity × price − discount, never below zero, to the kopeck. */
const lineTotal = (row: Sql): Sql =>
  sql`greatest(round(${row}."quantity" * coalesce(${row}."price", 0) - ${row}."discount", 2), 0)`

const lines = (row: Sql): Sql =>
  sql`sales_management_offer_services os where os."idOffer" = ${row}."id" and not os."deleted"`

/** Spec §4, design §10: any in process → 1; all accepted → 2; some → 3; none → 4. An empty offer is in process. */
export const offerStatusSql = (row: Sql): Sql => sql`(select case
    when count(*) = 0 or bool_or(os."idStatus" = ${raw(String(IN_PROCESS))}) then 1
    when bool_and(os."idStatus" = ${raw(String(ACCEPTED))}) then 2
    when bool_or(os."idStatus" = ${raw(String(ACCEPTED))}) then 3
    else 4 end from ${lines(row)})`

export const offerStatuses = records(OfferStatus)
export const offerServiceStatuses = records(OfferServiceStatus)
export const offerServiceReasons = records(OfferServiceReason)

const isAccepted = sql`os."idStatus" = ${raw(String(ACCEPTED))}`

/** Rubles of all accepted lines in the offers of a deal. */
export const acceptedSql = (idLead: Sql): Sql =>
  sql`(select coalesce(sum(${lineTotal(raw('os'))}), 0) from sales_management_offers lo
    join sales_management_offer_services os on os."idOffer" = lo."id" and not os."deleted" and ${isAccepted}
    where lo."idLead" = ${idLead} and not lo."deleted")`

const sum = (row: Sql, more: Sql): Sql =>
  sql`(select coalesce(sum(${lineTotal(raw('os'))}), 0) from ${lines(row)} and ${more})`

export const offers = records(Offer, {
  computed: {
    idStatus: ({ row }) => offerStatusSql(row),
    total: ({ row }) => sum(row, sql`os."idStatus" <> ${raw(String(CANCELLED))}`),
    totalAccepted: ({ row }) => sum(row, isAccepted),
    commentsTotalCount: count('comments'),
  },
  hooks: {
    beforeCreate({ actor }, value) {
      if (value.dateValid === undefined)
        value.dateValid = dayIn(actor.timeZone, new Date(Date.now() + VALID_DAYS * 86_400_000))
    },
    afterDelete: (context, { idLead }) => sumOfDeal(context, idLead),
    afterRestore: (context, { idLead }) => sumOfDeal(context, idLead),
  },
})

export const offerServices = records(OfferService, {
  computed: { total: ({ row }) => lineTotal(row) },
  // Recorded in the log of the deal.
  about: {
    path: Lead.path,
    id: ({ row }) => sql`(select o."idLead" from sales_management_offers o where o."id" = ${row}."idOffer")`,
  },
  hooks: {
    async beforeCreate({ tx }, value) {
      await refuseTooMany(tx, value.idOffer)
      const service = await tx.one<{ active: boolean; price: string | null }>(
        sql`select s."active", ${priceSql(raw('s'), raw('s."id"'))}::text as price from services s
          where s."id" = ${value.idService} and not s."deleted"`,
      )
      if (service && !service.active)
        throw new ValidationError([{ field: 'idService', message: 'Услуга больше не оказывается' }])
      // The line keeps its price when the service's price changes.
      value.price ??= service?.price ? Number(service.price) : null
      await checkLine(tx, value, { ...newLine, ...value })
    },
    beforeUpdate: ({ tx }, value, before) => checkLine(tx, value, { ...before, ...value }),
    afterCreate: (context, { idOffer }) => touchOffer(context, idOffer),
    afterUpdate: (context, { idOffer }) => touchOffer(context, idOffer),
    afterDelete: (context, { idOffer }) => touchOffer(context, idOffer),
    afterRestore: (context, { idOffer }) => touchOffer(context, idOffer),
  },
})

/** Default values of a new line. */
const newLine = { quantity: 1, price: null, discount: 0, idStatus: IN_PROCESS, idReason: null }

type Line = Pick<Row<typeof OfferService>, 'quantity' | 'price' | 'discount' | 'idStatus' | 'idReason'>

/** Completes and validates a line: a status requires or excludes a reason. */
async function checkLine(tx: Tx, value: Update<typeof OfferService>, line: Line): Promise<void> {
  const errors = discountErrors(line)
  const status = await tx.one<{ isReason: boolean }>(
    sql`select "isReason" from sales_management_offer_service_status where "id" = ${line.idStatus}`,
  )
  if (status?.isReason && !line.idReason) errors.push({ field: 'idReason', message: 'Укажите причину' })
  if (errors.length) throw new ValidationError(errors)
  if (status && !status.isReason && line.idReason) value.idReason = null
}

async function refuseTooMany(tx: Tx, idOffer: number): Promise<void> {
  const found = await tx.one<{ count: number }>(
    sql`select count(*)::int as count from sales_management_offer_services where "idOffer" = ${idOffer} and not "deleted"`,
  )
  if ((found?.count ?? 0) >= MAX_LINES)
    throw new ValidationError([{ field: 'idOffer', message: `В предложении не больше ${MAX_LINES} строк` }])
}

/**
 * An offer changes with its lines: its status and sums do, and subscribers of it or of the deal's offers get an event.
 */
async function touchOffer(context: WriteContext, idOffer: number): Promise<void> {
  const { records, tx } = context
  await records.asSystem.updateWhere(Offer, ({ row }) => sql`${row}."id" = ${idOffer}`, {
    dateChange: raw('clock_timestamp()'),
  })
  const offer = await tx.one<{ idLead: number }>(
    sql`select "idLead" from sales_management_offers where "id" = ${idOffer}`,
  )
  if (offer) await sumOfDeal(context, offer.idLead)
}

/** Sets the computed sum of a deal from its accepted lines; none accepted means no sum. */
async function sumOfDeal({ records }: WriteContext, idLead: number): Promise<void> {
  const accepted = sql`nullif(${acceptedSql(sql`${idLead}::bigint`)}, 0)`
  await records.asSystem.updateWhere(
    Lead,
    ({ row }) =>
      sql`${row}."id" = ${idLead} and not ${row}."isPriceByHand" and ${row}."price" is distinct from ${accepted}`,
    { price: accepted },
    { pastHooks: 'the stage stays, and nobody has set the sum' },
  )
}

export const offerComments = records(OfferComment, {
  scope: { create: () => raw('true'), update: ({ row, me }) => sql`${row}."idUser" = ${me}` },
  hooks: commentHooks(),
})

export const copyOffer = operation(salesCalls.copyOffer, async ({ records, params, body }) => {
  const source = await records.row(Offer, params.id)
  return records.tx(async (inside) => {
    const { id } = await inside.create(Offer, {
      name: body.name ?? `${source.name.slice(0, 247)} (копия)`,
      idLead: body.idLead ?? source.idLead,
    })
    const lines = await inside.rows(OfferService, {
      'filter[idOffer]': String(source.id),
      expand: 'service',
      limit: String(MAX_LINES),
    })
    let skipped = 0
    for (const line of lines as (Row<typeof OfferService> & { service: Row<typeof Service> })[]) {
      if (!line.service.active || line.service.deleted) {
        skipped++
        continue
      }
      const { idService, quantity, price, discount } = line
      await inside.create(OfferService, { idOffer: id, idService, quantity, price, discount })
    }
    return { offer: await inside.row(Offer, id), skipped }
  })
})
