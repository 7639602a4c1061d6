/** Moves of deals into stages (spec §4; design §10 «canComplete», «Deal order»). */
import { DONE, LOSS, type Stage, WORK } from '@ordinator/model/areas/sales/funnel'
import { Lead } from '@ordinator/model/areas/sales/lead'
import { cannotComplete, type LeadFacts, lossErrors, mayGo, missingFields } from '@ordinator/model/areas/sales/rules'
import type { Create, Row, Update } from '@ordinator/model/entity'
import sql, { raw, type Sql } from 'sql-template-tag'
import type { Queryable, Tx } from '#platform/db.ts'
import { HttpError, ValidationError } from '#platform/errors.ts'
import type { WriteContext } from '#records/define.ts'
import { lockGroup } from '#records/move.ts'
import { offerStatusSql } from './offers.ts'

type LeadRow = Row<typeof Lead>

const offersOf = (idLead: Sql, more: Sql): Sql =>
  sql`exists (select 1 from sales_management_offers lo where lo."idLead" = ${idLead} and not lo."deleted" and ${more})`

/** Design §10: the funnel may require an offer, and no offer in work. Without a stage nothing is required. */
export const canCompleteSql = (idLead: Sql, idStage: Sql): Sql => sql`coalesce((
  select (lf."canCompleteDealsWithoutOffers" or ${offersOf(idLead, raw('true'))})
    and (lf."canCompleteDealsInWorkOfferStatus" or not ${offersOf(idLead, sql`${offerStatusSql(raw('lo'))} = 1`)})
  from sales_management_stages ls join sales_management_funnels lf on lf."id" = ls."idFunnel"
  where ls."id" = ${idStage}), true)`

/**
 * A new deal without a stage gets the first one of the first funnel. Deals created by the server, as in an import, are
 * exempt from the fields that the stage requires.
 */
export async function comeNew({ actor, tx }: WriteContext, value: Create<typeof Lead>): Promise<void> {
  value.idStage ??= await firstStage(tx)
  if (!value.idStage) return
  const stage = await lockStage(tx, value.idStage)
  if (stage.idType === DONE) await checkCompletable(tx, null, stage)
  // Contacts and offers can only be added after the deal itself.
  refuse([
    ...lossErrors(stage.idType, value),
    ...(actor.system
      ? []
      : missingFields(stage.requiredFields, value, { 'contacts.phone': 1, 'contacts.email': 1, offers: 1 })),
  ])
  Object.assign(value, came(stage))
}

/**
 * Checks a move to another stage and completes it: the place before the first, the dates, the loss reason.
 * @throws HttpError 409 cannotComplete; ValidationError that names the missing data
 */
export async function comeOver({ tx }: WriteContext, value: Update<typeof Lead>, before: LeadRow): Promise<void> {
  const lead = { ...before, ...value }
  if (value.idStage === undefined || value.idStage === before.idStage) {
    if (value.idLossReason === undefined && value.lossNote === undefined) return
    if (before.idStage) refuse(lossErrors((await stageAt(tx, before.idStage)).idType, lead))
    return
  }
  const left = before.idStage ? await stageAt(tx, before.idStage) : undefined
  if (value.idStage === null) {
    Object.assign(value, came(undefined), left?.idType === LOSS ? noLoss : {})
    return
  }
  const stage = await lockStage(tx, value.idStage)
  if (left && !mayGo(left.nextStages, stage.id)) {
    throw new ValidationError([
      { field: 'idStage', message: `С этапа «${left.name}» нельзя перейти на этап «${stage.name}»` },
    ])
  }
  if (stage.idType === DONE) await checkCompletable(tx, before.id, stage)
  refuse([
    ...lossErrors(stage.idType, lead),
    ...missingFields(stage.requiredFields, lead, await factsOf(tx, before.id, stage)),
  ])
  if (value.order === undefined) value.order = await beforeFirst(tx, stage.id)
  Object.assign(value, came(stage), left?.idType === LOSS && stage.idType !== LOSS ? noLoss : {})
}

/** Restores a deal whose stage was deleted meanwhile into the first one of the funnel. */
export async function comeBack({ records, tx }: WriteContext, lead: LeadRow): Promise<void> {
  if (!lead.idStage) return
  const gone = await tx.one<{ idFunnel: number }>(sql`select s."idFunnel" from sales_management_stages s
    join sales_management_funnels f on f."id" = s."idFunnel" where s."id" = ${lead.idStage} and (s."deleted" or f."deleted")`)
  if (!gone) return
  const idStage = (await firstStage(tx, gone.idFunnel)) ?? (await firstStage(tx)) ?? null
  await records.asSystem.updateWhere(
    Lead,
    ({ row }) => sql`${row}."id" = ${lead.id}`,
    { idStage, dateStage: raw('now()'), dateClosed: null },
    { pastHooks: 'nobody moves it: its stage is gone' },
  )
}

/** The first stage of work of the funnel, or of the first funnel that has one. */
export async function firstStage(tx: Queryable, idFunnel?: number): Promise<number | undefined> {
  const own = idFunnel === undefined ? raw('true') : sql`f."id" = ${idFunnel}`
  const found = await tx.one<{ id: number }>(sql`select s."id" from sales_management_stages s
    join sales_management_funnels f on f."id" = s."idFunnel" and not f."deleted"
    where ${own} and not s."deleted" order by f."order", f."id", s."idType" <> ${WORK}, s."order", s."id" limit 1`)
  return found?.id
}

type StageRow = Pick<Row<typeof Stage>, 'id' | 'name' | 'idType' | 'idFunnel' | 'requiredFields' | 'nextStages'>

async function stageAt(tx: Tx, id: number): Promise<StageRow> {
  return (await tx.one<StageRow>(sql`select * from sales_management_stages where "id" = ${id}`)) as StageRow
}

/** Locks a stage against its removal, which takes it FOR UPDATE. */
async function lockStage(tx: Tx, id: number): Promise<StageRow> {
  const stage = await tx.one<StageRow>(sql`select s.* from sales_management_stages s
    where s."id" = ${id} and not s."deleted"
      and exists (select 1 from sales_management_funnels f where f."id" = s."idFunnel" and not f."deleted") for share of s`)
  if (!stage) throw new ValidationError([{ field: 'idStage', message: 'Запись не найдена' }])
  return stage
}

async function checkCompletable(tx: Tx, idLead: number | null, stage: StageRow): Promise<void> {
  const found = await tx.one<{ can: boolean }>(
    sql`select ${canCompleteSql(sql`${idLead}::bigint`, sql`${stage.id}::bigint`)} as can`,
  )
  if (!found?.can) throw new HttpError(409, cannotComplete, { code: 'cannotComplete' })
}

async function factsOf(tx: Tx, idLead: number, stage: StageRow): Promise<LeadFacts> {
  const none: LeadFacts = { 'contacts.phone': 0, 'contacts.email': 0, offers: 0 }
  if (!stage.requiredFields?.some((field) => Object.hasOwn(none, field))) return none
  const contacts = raw('sales_management_contacts c where c."idLead" = l.id and not c."deleted"')
  const facts = await tx.one<LeadFacts>(sql`select
    (select count(c."phone")::int from ${contacts}) as "contacts.phone",
    (select count(nullif(c."email", ''))::int from ${contacts}) as "contacts.email",
    (select count(*)::int from sales_management_offers o where o."idLead" = l.id and not o."deleted") as "offers"
    from (select ${idLead}::bigint as id) l`)
  return facts ?? none
}

async function beforeFirst(tx: Tx, idStage: number): Promise<number> {
  await lockGroup(tx, Lead.path, { idStage })
  const found = await tx.one<{ place: string }>(sql`select coalesce(floor(min("order")) - 1, 1)::text as place
    from sales_management_leads where "idStage" = ${idStage} and not "deleted"`)
  return Number(found?.place)
}

/** Fields that the server sets on a deal that enters a stage now. */
function came(stage: StageRow | undefined): Partial<LeadRow> {
  const now = new Date().toISOString()
  return { dateStage: now, dateClosed: stage && stage.idType !== WORK ? now : null }
}

const noLoss = { idLossReason: null, lossNote: null }

function refuse(errors: ConstructorParameters<typeof ValidationError>[0]): void {
  if (errors.length) throw new ValidationError(errors)
}
