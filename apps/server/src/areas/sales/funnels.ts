import {
  Funnel,
  FunnelScript,
  FunnelStageType,
  Stage,
  StageAction,
  stageTypes,
  WORK,
} from '@ordinator/model/areas/sales/funnel'
import { Lead } from '@ordinator/model/areas/sales/lead'
import { actionErrors, defaultStages, wrongRequired } from '@ordinator/model/areas/sales/rules'
import type { FieldError } from '@ordinator/model/check'
import type { Row, Update } from '@ordinator/model/entity'
import sql, { join, raw } from 'sql-template-tag'
import { z } from 'zod'
import type { Tx } from '../../platform/db.ts'
import { HttpError, ValidationError } from '../../platform/errors.ts'
import { records, type WriteContext } from '../../records/define.ts'
import { lockGroup } from '../../records/move.ts'
import { noteMade } from '../../records/noted.ts'
import { operation } from '../../records/operation.ts'

const nameOfType = join(
  Object.entries(stageTypes).map(([id, name]) => sql`when ${Number(id)} then ${name}`),
  ' ',
)

export const stageType = records(FunnelStageType)
export const funnelScripts = records(FunnelScript)

export const funnels = records(Funnel, {
  computed: {
    leadsCount: ({ row }) => sql`(select count(*)::int from sales_management_leads fl
      join sales_management_stages fs on fs."id" = fl."idStage" where fs."idFunnel" = ${row}."id" and not fl."deleted")`,
  },
  hooks: {
    async afterCreate({ records }, funnel) {
      for (const stage of defaultStages) await records.asSystem.create(Stage, { ...stage, idFunnel: funnel.id })
    },
    async beforeDelete({ tx }, funnel) {
      await tx.query(
        sql`select 1 from sales_management_stages where "idFunnel" = ${funnel.id} order by "id" for update`,
      )
      const count = await leadsIn(tx, sql`select "id" from sales_management_stages where "idFunnel" = ${funnel.id}`)
      if (count) throw notEmpty(`В воронке есть сделки (${count}). Перенесите их в другую воронку`)
    },
  },
})

export const stages = records(Stage, {
  computed: { nameType: ({ row }) => sql`(case ${row}."idType" ${nameOfType} end)::text` },
  hooks: {
    beforeCreate: ({ tx }, value) => checkStage(tx, value, value.idFunnel),
    async beforeUpdate({ tx }, value, before) {
      await checkStage(tx, value, before.idFunnel)
      if (value.idType !== undefined && value.idType !== WORK) await keepWorkStage(tx, before, 'idType')
    },
    async afterUpdate(context, row, before) {
      if (row.idType !== before.idType) await closeLeads(context, row)
    },
    async beforeDelete({ tx }, stage) {
      await keepWorkStage(tx, stage)
      const count = await leadsIn(tx, sql`${stage.id}`)
      if (count) throw notEmpty(`На этапе есть сделки (${count}). Выберите, куда их перенести`)
    },
  },
})

export const stageActions = records(StageAction, {
  hooks: {
    prepare(value, before) {
      const errors = actionErrors({ ...before, ...value } as Row<typeof StageAction>)
      if (errors.length) throw new ValidationError(errors)
    },
    beforeCreate: ({ tx }, value) => checkTemplate(tx, value.idTemplate),
    beforeUpdate: ({ tx }, value) => checkTemplate(tx, value.idTemplate),
  },
})

export const archiveStage = operation({
  method: 'POST',
  path: '/sales-management/stages/:id/archive',
  summary: 'Убрать этап, перенеся его сделки (idStage — на какой этап той же воронки)',
  access: 'editSalesManagement',
  params: z.object({ id: z.coerce.number().int().positive().max(Number.MAX_SAFE_INTEGER) }),
  body: z.strictObject({ idStage: z.int().positive().max(Number.MAX_SAFE_INTEGER).optional() }),
  answer: z.object({ moved: z.number().int() }),
  async handler({ records, params, body }) {
    const stage = await records.row(Stage, params.id)
    return records.tx(async (inside, tx) => {
      await tx.query(sql`select 1 from sales_management_stages where "id" = ${stage.id} for update`)
      let moved = 0
      if (body.idStage !== undefined) {
        const target = await tx.one<Target>(sql`select "id", "idType" from sales_management_stages
          where "id" = ${body.idStage} and "idFunnel" = ${stage.idFunnel} and "id" <> ${stage.id} and not "deleted" for share`)
        if (!target) throw new ValidationError([{ field: 'idStage', message: 'Нужен другой этап этой же воронки' }])
        moved = await pourLeads({ actor: inside.actor, tx }, stage.id, target)
      }
      await inside.remove(Stage, stage.id)
      return { moved }
    })
  },
})

export const bringBackStage = operation({
  method: 'POST',
  path: '/sales-management/stages/:id/bring-back',
  summary: 'Вернуть убранный этап и его сделки, которых с тех пор не переносили',
  access: 'editSalesManagement',
  params: z.object({ id: z.coerce.number().int().positive().max(Number.MAX_SAFE_INTEGER) }),
  body: z.strictObject({}),
  answer: z.object({ moved: z.number().int() }),
  handler: ({ records, params: { id } }) =>
    records.tx(async (inside, tx) => {
      await inside.restore(Stage, id)
      return { moved: await drawBack({ actor: inside.actor, tx }, id) }
    }),
})

type Target = Pick<Row<typeof Stage>, 'id' | 'idType'>

/** Moves all deals of a stage to the end of another one in their order. Neither the stage's demands nor its actions apply. */
async function pourLeads({ actor, tx }: Pick<WriteContext, 'actor' | 'tx'>, from: number, to: Target): Promise<number> {
  await lockGroup(tx, Lead.path, { idStage: to.id })
  const closed = to.idType === WORK ? raw('null::timestamptz') : sql`coalesce(l."dateClosed", now())`
  const found = await tx.one<{ moved: number }>(sql`
    with places as (
      select l."id", l."order" as was, l."dateStage" as since, l."dateClosed" as closed, (
        select coalesce(ceil(max(t."order")), 0) from sales_management_leads t where t."idStage" = ${to.id} and not t."deleted"
      ) + row_number() over (order by l."order", l."id") as place
      from sales_management_leads l where l."idStage" = ${from} and not l."deleted"
    ), made as (
      update sales_management_leads l set "idStage" = ${to.id}, "order" = places.place, "dateStage" = now(),
        "dateClosed" = ${closed}, "dateChange" = now(), "_version" = l."_version" + 1
      from places where l."id" = places."id" returning l.*, places.was, places.since, places.closed
    ), noted as (${noteMade({
      path: Lead.path,
      action: 'update',
      actor,
      changes: sql`jsonb_build_object('idStage', jsonb_build_array(${from}::bigint, ${to.id}::bigint), 'order', jsonb_build_array(made.was, made."order"),
        'dateStage', jsonb_build_array(made.since, made."dateStage"), 'dateClosed', jsonb_build_array(made.closed, made."dateClosed"))`,
    })})
    select count(*)::int as moved from made`)
  return found?.moved ?? 0
}

/**
 * Undoes `pourLeads` of the stage's last archiving, which stands in history as one transaction: the deals get back their
 * stage, place and dates. Who has been moved on meanwhile stays there.
 */
async function drawBack({ actor, tx }: Pick<WriteContext, 'actor' | 'tx'>, idStage: number): Promise<number> {
  await lockGroup(tx, Lead.path, { idStage })
  const found = await tx.one<{ moved: number }>(sql`
    with gone as (
      select "xid" from history where "path" = ${Stage.path} and "idEntity" = ${idStage} and "action" = 'delete'
      order by "id" desc limit 1
    ), poured as (
      select h."id", h."idEntity", h."changes" from history h join gone on gone."xid" = h."xid"
      where h."path" = ${Lead.path} and h."changes" -> 'idStage' ->> 0 = ${String(idStage)}
    ), stood as (
      select l."id", l."idStage" as from_stage, l."order" as from_order, poured."changes" from poured
      join sales_management_leads l on l."id" = poured."idEntity" and not l."deleted"
      where not exists (select 1 from history later where later."path" = ${Lead.path}
        and later."idEntity" = poured."idEntity" and later."id" > poured."id" and later."changes" ? 'idStage')
      for update of l
    ), made as (
      update sales_management_leads l set "idStage" = ${idStage}, "order" = (stood."changes" -> 'order' ->> 0)::numeric,
        "dateStage" = (stood."changes" -> 'dateStage' ->> 0)::timestamptz,
        "dateClosed" = (stood."changes" -> 'dateClosed' ->> 0)::timestamptz,
        "dateChange" = now(), "_version" = l."_version" + 1
      from stood where l."id" = stood."id" returning l.*, stood.from_stage, stood.from_order
    ), noted as (${noteMade({
      path: Lead.path,
      action: 'update',
      actor,
      changes: sql`jsonb_build_object('idStage', jsonb_build_array(made.from_stage, made."idStage"), 'order', jsonb_build_array(made.from_order, made."order"))`,
    })})
    select count(*)::int as moved from made`)
  return found?.moved ?? 0
}

/** A stage that becomes one of work opens its deals again, and one that becomes an end closes them. */
async function closeLeads({ actor, tx }: WriteContext, stage: Row<typeof Stage>): Promise<void> {
  const closed = stage.idType !== WORK
  await tx.query(sql`
    with made as (
      update sales_management_leads set "dateClosed" = case when ${closed} then now() end, "_version" = "_version" + 1
      where "idStage" = ${stage.id} and not "deleted" and ("dateClosed" is null) = ${closed} returning *
    ) ${noteMade({
      path: Lead.path,
      action: 'update',
      actor,
      changes: sql`jsonb_build_object('dateClosed', jsonb_build_array(null, made."dateClosed"))`,
    })}`)
}

async function checkStage(tx: Tx, value: Update<typeof Stage>, idFunnel: number): Promise<void> {
  const errors: FieldError[] = wrongRequired(value.requiredFields ?? [])
  const next = [...new Set(value.nextStages ?? [])]
  if (next.length) {
    const own = await tx.one<{ count: number }>(sql`select count(*)::int as count from sales_management_stages
      where "idFunnel" = ${idFunnel} and "id" in (${join(next)}) and not "deleted"`)
    if (own?.count !== next.length)
      errors.push({ field: 'nextStages', message: 'Перейти можно только на этапы этой же воронки' })
  }
  if (errors.length) throw new ValidationError(errors)
}

/** A funnel keeps a stage of work: new deals have to come somewhere. Two who take away the last two wait for each other. */
async function keepWorkStage(tx: Tx, stage: Row<typeof Stage>, field?: string): Promise<void> {
  if (stage.idType !== WORK) return
  await tx.query(sql`select 1 from sales_management_funnels where "id" = ${stage.idFunnel} for no key update`)
  const other = await tx.one(sql`select 1 from sales_management_stages
    where "idFunnel" = ${stage.idFunnel} and "id" <> ${stage.id} and "idType" = ${WORK} and not "deleted" limit 1`)
  if (other) return
  const message = 'В воронке должен остаться хотя бы один этап работы'
  throw field ? new ValidationError([{ field, message }]) : new HttpError(409, message, { code: 'lastStage' })
}

async function leadsIn(tx: Tx, stages: ReturnType<typeof sql>): Promise<number> {
  const found = await tx.one<{ count: number }>(
    sql`select count(*)::int as count from sales_management_leads where "idStage" in (${stages}) and not "deleted"`,
  )
  return found?.count ?? 0
}

const notEmpty = (message: string) => new HttpError(409, message, { code: 'notEmpty' })

async function checkTemplate(tx: Tx, idTemplate: number | null | undefined): Promise<void> {
  if (!idTemplate) return
  const template = await tx.one(sql`select 1 from tasks_management_assigned a
    join tasks_management_tasks t on t."id" = a."idTask" and t."isTemplate" and not t."deleted"
    where a."id" = ${idTemplate} and not a."deleted"`)
  if (!template) throw new ValidationError([{ field: 'idTemplate', message: 'Нужна карточка шаблона задачи' }])
}
