import { salesCalls } from '@ordinator/model/areas/sales/calls'
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
import { mayCopyCard } from '#areas/tasks/index.ts'
import type { Tx } from '#platform/db.ts'
import { HttpError, ValidationError } from '#platform/errors.ts'
import { records, type WriteContext } from '#records/define.ts'
import { lockGroup } from '#records/move.ts'
import { operation } from '#records/operation.ts'

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
    async beforeCreate(context, value) {
      await checkTemplate(context, value.idTemplate)
      Object.assign(value, { idAuthor: context.actor.id || null, ...value })
    },
    async beforeUpdate(context, value, before) {
      const { actor } = context
      const isNew = (field: 'idStage' | 'type' | 'idTemplate' | 'idUser') =>
        value[field] !== undefined && value[field] !== before[field]
      if (isNew('idTemplate')) await checkTemplate(context, value.idTemplate)
      // The editor of an action becomes its author: it runs with the editor's own rights.
      if (before.idAuthor === null || isNew('idStage') || isNew('type') || isNew('idTemplate') || isNew('idUser'))
        Object.assign(value, { idAuthor: actor.id || before.idAuthor })
    },
  },
})

export const archiveStage = operation(salesCalls.archiveStage, async ({ records, params, body }) => {
  const stage = await records.row(Stage, params.id)
  return records.tx(async (inside, tx) => {
    await tx.query(sql`select 1 from sales_management_stages where "id" = ${stage.id} for update`)
    let moved = 0
    if (body.idStage !== undefined) {
      const target = await tx.one<Target>(sql`select "id", "idType" from sales_management_stages
          where "id" = ${body.idStage} and "idFunnel" = ${stage.idFunnel} and "id" <> ${stage.id} and not "deleted" for share`)
      if (!target) throw new ValidationError([{ field: 'idStage', message: 'Нужен другой этап этой же воронки' }])
      moved = await pourLeads({ records: inside, tx }, stage.id, target)
    }
    await inside.remove(Stage, stage.id)
    return { moved }
  })
})

export const bringBackStage = operation(salesCalls.bringBackStage, ({ records, params: { id } }) =>
  records.tx(async (inside, tx) => {
    await inside.restore(Stage, id)
    return { moved: await drawBack({ records: inside, tx }, id) }
  }),
)

type Target = Pick<Row<typeof Stage>, 'id' | 'idType'>

/** Moves all deals of a stage to the end of another one in order, without the stage's requirements and actions. */
async function pourLeads(
  { records, tx }: Pick<WriteContext, 'records' | 'tx'>,
  from: number,
  to: Target,
): Promise<number> {
  await lockGroup(tx, Lead.path, { idStage: to.id })
  const poured = await records.asSystem.updateWhere(
    Lead,
    {
      rows: sql`select l."id", (
          select coalesce(ceil(max(t."order")), 0) from sales_management_leads t where t."idStage" = ${to.id} and not t."deleted"
        ) + row_number() over (order by l."order", l."id") as place
        from sales_management_leads l where l."idStage" = ${from} and not l."deleted"`,
    },
    ({ row, picked }) => ({
      idStage: to.id,
      order: sql`${picked}.place`,
      dateStage: raw('now()'),
      dateClosed: to.idType === WORK ? null : sql`coalesce(${row}."dateClosed", now())`,
    }),
    { pastHooks: 'the stage goes, whatever the other one demands' },
  )
  return poured.length
}

/**
 * Undoes `pourLeads` of the stage's last archiving, which is one transaction in history: the deals get back their
 * stage, place and dates. Deals moved since then stay.
 */
async function drawBack({ records, tx }: Pick<WriteContext, 'records' | 'tx'>, idStage: number): Promise<number> {
  await lockGroup(tx, Lead.path, { idStage })
  const drawn = await records.asSystem.updateWhere(
    Lead,
    {
      rows: sql`with gone as (
          select "xid" from history where "path" = ${Stage.path} and "idEntity" = ${idStage} and "action" = 'delete'
          order by "id" desc limit 1
        ), poured as (
          select h."id", h."idEntity", h."changes" from history h join gone on gone."xid" = h."xid"
          where h."path" = ${Lead.path} and h."changes" -> 'idStage' ->> 0 = ${String(idStage)}
        ) select l."id", poured."changes" from poured
        join sales_management_leads l on l."id" = poured."idEntity" and not l."deleted"
        where not exists (select 1 from history later where later."path" = ${Lead.path}
          and later."idEntity" = poured."idEntity" and later."id" > poured."id" and later."changes" ? 'idStage')
        for update of l`,
    },
    ({ row, picked }) => {
      // Fields unchanged by the move are not in its history line.
      const former = (field: string) =>
        sql`case when ${picked}."changes" ? ${field}::text then ${picked}."changes" -> ${field}::text ->> 0 else ${row}.${raw(`"${field}"`)}::text end`
      return {
        idStage,
        order: sql`(${former('order')})::numeric`,
        dateStage: sql`(${former('dateStage')})::timestamptz`,
        dateClosed: sql`(${former('dateClosed')})::timestamptz`,
      }
    },
    { pastHooks: 'they come back as they were' },
  )
  return drawn.length
}

/** Reopens the deals of a stage that becomes one of work, and closes those of one that becomes final. */
async function closeLeads({ records }: WriteContext, stage: Row<typeof Stage>): Promise<void> {
  const closed = stage.idType !== WORK
  await records.asSystem.updateWhere(
    Lead,
    ({ row }) => sql`${row}."idStage" = ${stage.id} and (${row}."dateClosed" is null) = ${closed}`,
    { dateClosed: closed ? raw('now()') : null },
    { pastHooks: 'no deal moves' },
  )
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

/** Ensures that a funnel keeps a stage of work for new deals. Serializes concurrent removals of the last two. */
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

async function checkTemplate(context: WriteContext, idTemplate: number | null | undefined): Promise<void> {
  if (!idTemplate) return
  const template = await context.tx.one(sql`select 1 from tasks_management_assigned a
    join tasks_management_tasks t on t."id" = a."idTask" and t."isTemplate" and not t."deleted"
    where a."id" = ${idTemplate} and not a."deleted"`)
  if (!template) throw new ValidationError([{ field: 'idTemplate', message: 'Нужна карточка шаблона задачи' }])
  if (!(await mayCopyCard(context, idTemplate))) {
    const message = 'В рабочем пространстве этого шаблона вам нельзя создавать задачи'
    throw new ValidationError([{ field: 'idTemplate', message }])
  }
}
