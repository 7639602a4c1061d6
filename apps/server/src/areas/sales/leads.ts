import { Call } from '@ordinator/model/areas/calls/call'
import { LiveAssist } from '@ordinator/model/areas/chats/liveAssist'
import { Company, Contact } from '@ordinator/model/areas/sales/contact'
import { WORK } from '@ordinator/model/areas/sales/funnel'
import {
  Lead,
  LeadLink,
  type LeadLinkType,
  LeadResponsible,
  LeadTag,
  LeadTask,
  LossReason,
  SalesSource,
} from '@ordinator/model/areas/sales/lead'
import { LeadVisit } from '@ordinator/model/areas/sales/visit'
import { Task } from '@ordinator/model/areas/tasks/task'
import type { Entity, Update } from '@ordinator/model/entity'
import sql, { raw, type Sql } from 'sql-template-tag'
import { fioSql } from '#areas/staff/index.ts'
import { count, records, type WriteContext } from '#records/define.ts'
import { assertVisible } from '#records/reference.ts'
import { searchTarget } from '#records/searchTarget.ts'
import { runActions } from './automation.ts'
import { logsOfLeads } from './logs.ts'
import { canCompleteSql, comeBack, comeNew, comeOver } from './moves.ts'
import { notifyOfLead } from './notices.ts'
import { acceptedSql } from './offers.ts'

const stageOf = (row: Sql, field: string): Sql =>
  sql`(select ls.${raw(`"${field}"`)} from sales_management_stages ls where ls."id" = ${row}."idStage")`

const linksOf = (type: LeadLinkType) =>
  count('entities', { where: ({ row }) => sql`${row}."type" = ${raw(`'${type}'`)}` })

/** The address of a deal, in its funnel. */
const dealAddress = (id: Sql): Sql =>
  sql`'/deals?lead=' || ${id} || coalesce((select '&funnel=' || ls."idFunnel" from sales_management_leads l
    join sales_management_stages ls on ls."id" = l."idStage" where l."id" = ${id}), '')`

export const leads = records(Lead, {
  found: {
    on: 'deals',
    group: 'Сделки',
    by: ['title'],
    day: 'dateNextStep',
    narrowedBy: 'dateCreate',
    opens: ({ row }) => dealAddress(sql`${row}."id"`),
    hint: ({ row }) => stageOf(row, 'name'),
  },
  thread: {
    of: 'customers',
    kind: 'deals',
    name: 'Сделки',
    when: 'dateCreate',
    belongs: ({ row }, id) => sql`${row}."id" in (select lc."idLead" from sales_management_contacts lc
      where lc."idCustomer" = ${id} and not lc."deleted")`,
    title: ({ row }) => sql`${row}."title"`,
    hint: ({ row }) => stageOf(row, 'name'),
    opens: ({ row }) => dealAddress(sql`${row}."id"`),
  },
  // Deals with an overdue next step.
  awaiting: {
    page: 'deals',
    of: (me) => ({
      'filter[responsible.idUser]': me,
      'filter[stage.idType]': WORK,
      'filter[dateNextStep][lt]': new Date().toISOString(),
    }),
  },
  computed: {
    typeStage: ({ row }) => stageOf(row, 'idType'),
    idFunnel: ({ row }) => stageOf(row, 'idFunnel'),
    totalAccepted: ({ row }) => acceptedSql(sql`${row}."id"`),
    canComplete: ({ row }) => canCompleteSql(sql`${row}."id"`, sql`${row}."idStage"`),
    isEditable: ({ row, holds }) => sql`(${row}."id" is not null and ${raw(String(holds('editSalesManagement')))})`,
    commentsTotalCount: count('comments'),
    offersTotalCount: count('offers'),
    tasksTotalCount: count('tasks'),
    chatsTotalCount: linksOf('liveassist'),
    callsTotalCount: linksOf('call'),
    // Lines of the log: the deal's own and those of its parts, visible to all who see the deal.
    historyTotalCount: ({ row }) =>
      sql`((select count(*)::int from history lh where lh."path" = ${Lead.path} and lh."idEntity" = ${row}."id")
        + (select count(*)::int from history lh where lh."pathAbout" = ${Lead.path} and lh."idAbout" = ${row}."id"))`,
  },
  expandByCode: { logs: logsOfLeads },
  hooks: {
    async beforeCreate(context, value) {
      Object.assign(value, { isPriceByHand: typeof value.price === 'number' })
      await comeNew(context, value)
    },
    async afterCreate(context, lead) {
      const { actor, records } = context
      if (actor.id) await records.asSystem.create(LeadResponsible, { idLead: lead.id, idUser: actor.id })
      await runActions(context, lead)
    },
    async beforeUpdate(context, value, before) {
      if (value.dateNextStep !== undefined && moment(value.dateNextStep) !== moment(before.dateNextStep))
        Object.assign(value, { dateReminded: null })
      if (value.price !== undefined) await setPrice(context, value, before.id)
      await comeOver(context, value, before)
    },
    async afterUpdate(context, lead, before) {
      if (lead.idStage === before.idStage) return
      await runActions(context, lead)
      // Only a success stage closes without a reason.
      if (lead.dateClosed && !lead.idLossReason && !lead.price)
        await notifyOfLead(context, lead.id, { event: 'wonEmpty', title: 'Сделка завершена без суммы' })
    },
    afterRestore: comeBack,
  },
})

/** Clearing the sum restores the computed one from the offers. */
async function setPrice({ tx }: WriteContext, value: Update<typeof Lead>, id: number): Promise<void> {
  Object.assign(value, { isPriceByHand: value.price !== null })
  if (value.price !== null) return
  const found = await tx.one<{ sum: string }>(sql`select ${acceptedSql(sql`${id}::bigint`)}::text as sum`)
  value.price = Number(found?.sum) || null
}

const moment = (date: string | null): number | null => (date === null ? null : Date.parse(date))

export const leadResponsible = records(LeadResponsible, {
  hooks: {
    async afterCreate(context, { idLead, idUser }) {
      await notifyOfLead(context, idLead, { event: 'responsible', title: 'Вы ответственный по сделке', to: [idUser] })
    },
  },
})
export const leadTags = records(LeadTag)
export const leadTasks = records(LeadTask)
const linkedEntities: Record<LeadLinkType, Entity> = { task: Task, liveassist: LiveAssist, call: Call }
export const leadLinks = records(LeadLink, {
  hooks: {
    beforeCreate: ({ records }, { type, idEntity }) =>
      assertVisible(records, linkedEntities[type], idEntity, 'idEntity'),
  },
})
export const lossReasons = records(LossReason)
export const salesSources = records(SalesSource)
export const leadVisits = records(LeadVisit)
export const contacts = records(Contact, {
  found: {
    on: 'deals',
    group: 'Контакты',
    by: ['surname', 'name', 'middleName', 'phone', 'email'],
    day: 'birthday',
    opens: ({ row }) => dealAddress(sql`${row}."idLead"`),
    hint: ({ row }) => sql`coalesce(${row}."phone", ${row}."email")`,
  },
  computed: { fio: ({ row }) => fioSql(row) },
})
export const companies = records(Company, { found: searchTarget('companies', { by: ['name', 'phone', 'email'] }) })
