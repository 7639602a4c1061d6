/** Actions of a stage when a deal enters it, and reminders. All are recorded in the deal's log. */
import { can } from '@ordinator/model/access'
import { StageAction } from '@ordinator/model/areas/sales/funnel'
import { Lead, LeadComment, LeadResponsible, LeadTask } from '@ordinator/model/areas/sales/lead'
import { TaskLink } from '@ordinator/model/areas/tasks/link'
import type { Row } from '@ordinator/model/entity'
import { formatDateTime } from '@ordinator/model/format'
import sql, { raw, type Sql } from 'sql-template-tag'
import { copyTask, mayCopyCard } from '#areas/tasks/index.ts'
import { actorOfUser } from '#auth/index.ts'
import { forbidden, HttpError } from '#platform/errors.ts'
import { type ServerActor, systemActor } from '#records/actor.ts'
import type { AppContext } from '#records/context.ts'
import type { WriteContext } from '#records/define.ts'
import { oneByOne } from '#records/oneByOne.ts'
import { notifyOfLead } from './notices.ts'

/** Maximum number of deals per run of a job: the next minute continues. */
const AT_ONCE = 200

/** Runs the actions of the stage that the deal has just entered. They move no deal, so they cannot loop. */
export async function runActions(context: WriteContext, lead: Row<typeof Lead>): Promise<void> {
  const { records, tx } = context
  await tx.query(sql`delete from sales_management_reminders where "idLead" = ${lead.id}`)
  if (!lead.idStage) return
  const actions = await records.asSystem.rows(StageAction, {
    'filter[idStage]': String(lead.idStage),
    'filter[isActive]': 'true',
    limit: '100',
  })
  for (const action of actions) {
    await note(context, lead, await attempt(context, () => run[action.type](context, lead, action)))
  }
}

type Run = (context: WriteContext, lead: Row<typeof Lead>, action: Row<typeof StageAction>) => Promise<string>

const run: Record<Row<typeof StageAction>['type'], Run> = {
  async task(context, lead, action) {
    const { records, tx } = context
    const template = await tx.one<{ idTask: number; idColumn: number; name: string }>(sql`
      select a."idTask", a."idColumn", t."name" from tasks_management_assigned a
      join tasks_management_tasks t on t."id" = a."idTask" and t."isTemplate" and not t."deleted"
      join tasks_management_columns c on c."id" = a."idColumn" and not c."deleted"
      join tasks_management_boards b on b."id" = c."idBoard" and not b."deleted"
      where a."id" = ${action.idTemplate} and not a."deleted"`)
    if (!template) throw new HttpError(404, 'шаблон задачи не найден')
    // The user who moves the deal need not see the template: the task is created for the action's author, with that
    // person's rights.
    const author = await authorOf(context, action)
    const by = { ...context, actor: author, records: context.records.as(author) }
    if (!(await mayCopyCard(by, action.idTemplate as number)))
      throw forbidden('настроившему действие нельзя создавать задачи в этом рабочем пространстве')
    const made = await copyTask(by, template.idTask, {
      idColumn: template.idColumn,
      shiftTo: null,
      withSubtasks: true,
    })
    const system = records.asSystem
    await system.create(LeadTask, { idLead: lead.id, idTaskAssignColumn: made.idAssigned })
    await system.create(TaskLink, { idTask: made.idTask, type: 'lead', idEntity: lead.id })
    return `создана задача «${template.name}»`
  },

  async responsible(context, lead, action) {
    const { records, tx } = context
    if (!can(await authorOf(context, action), 'create', LeadResponsible))
      throw forbidden('настроившему действие нельзя изменять сделки')
    const user = await tx.one<{ id: number; fio: string }>(sql`select "id", concat_ws(' ', "surname", "name") as fio
      from users where "id" = ${action.idUser} and not "deleted"`)
    if (!user) throw new HttpError(404, 'сотрудник не найден')
    const there = await tx.one(
      sql`select 1 from sales_management_responsible where "idLead" = ${lead.id} and "idUser" = ${user.id}`,
    )
    if (!there) await records.asSystem.create(LeadResponsible, { idLead: lead.id, idUser: user.id })
    return `назначен ответственный: ${user.fio}`
  },

  async remind({ actor, tx }, lead, { id, hours, text }) {
    const made = await tx.one<{ dateRemind: string }>(sql`
      insert into sales_management_reminders ("idLead", "idAction", "dateRemind")
      values (${lead.id}, ${id}, now() + make_interval(hours => ${hours ?? 0}::int))
      on conflict ("idLead", "idAction") do update set "dateRemind" = excluded."dateRemind" returning "dateRemind"`)
    return `напоминание на ${formatDateTime(made?.dateRemind, actor.timeZone)}${text ? `: ${text}` : ''}`
  },
}

/** The author of the action, with current rights. */
async function authorOf({ tx }: WriteContext, { idAuthor }: Row<typeof StageAction>): Promise<ServerActor> {
  const living = await tx.one(sql`select 1 from users where "id" = ${idAuthor} and not "deleted" and not "isBlocked"`)
  const author = living && idAuthor ? await actorOfUser(tx, idAuthor) : undefined
  if (!author) throw forbidden('настроившего действие больше нет среди сотрудников: сохраните действие заново')
  return author
}

/** A failing action does not block the move; its partial changes are rolled back. */
async function attempt({ tx }: WriteContext, work: () => Promise<string>): Promise<string> {
  await tx.query(raw('savepoint automation'))
  try {
    const done = await work()
    await tx.query(raw('release savepoint automation'))
    return done
  } catch (error) {
    if (!(error instanceof HttpError)) throw error
    await tx.query(raw('rollback to savepoint automation'))
    return `не выполнено: ${error.message}`
  }
}

/** Adds a line to the deal's log. */
async function note({ actor, records }: WriteContext, lead: Row<typeof Lead>, text: string): Promise<void> {
  await records.asSystem.create(LeadComment, {
    idLead: lead.id,
    idUser: actor.id || lead.idUser,
    isSystem: true,
    message: `<p>Автоматически: ${text.replace(/[&<>]/g, (c) => `&#${c.charCodeAt(0)};`)}</p>`,
  })
}

/** Registers the jobs that remind of due next steps and of stage reminders. */
export function startReminders(app: AppContext): void {
  const { db, engine, jobs } = app
  const every = (name: string, due: Sql, work: (context: WriteContext, id: number) => Promise<void>) =>
    jobs.register(name, {
      cron: '* * * * *',
      async handler(_, { signal }) {
        const ids = await db.query<{ id: number }>(sql`${due} limit ${AT_ONCE}`)
        const one = ({ id }: { id: number }) =>
          engine.for(systemActor).tx((records, tx) => work({ actor: systemActor, records, tx }, id))
        await oneByOne(app, name, ids, one, signal)
      },
    })
  every('sales.nextStep', sql`select l."id" ${nextStepDue} order by l."dateNextStep", l."id"`, remindNextStep)
  every(
    'sales.remind',
    sql`select r."idLead" as "id" from sales_management_reminders r where ${stageDue}
      group by r."idLead" order by min(r."dateRemind"), 1`,
    remindOfStage,
  )
}

/** SQL of the deals `l` with a due next step. */
const nextStepDue = sql`from sales_management_leads l left join sales_management_stages s on s."id" = l."idStage"
  where l."dateNextStep" <= now() and l."dateReminded" is null and not l."deleted" and coalesce(s."idType", 1) = 1`

async function remindNextStep(context: WriteContext, id: number): Promise<void> {
  const [lead] = await context.records.asSystem.updateWhere(
    Lead,
    { rows: sql`select l."id" ${nextStepDue} and l."id" = ${id} for update of l skip locked` },
    { dateReminded: raw('now()') },
    { fields: ['id', 'title', 'nextStep'], pastHooks: 'neither the stage nor the term changes' },
  )
  if (lead)
    await notifyOfLead(context, id, {
      event: 'nextStep',
      title: `Следующий шаг: ${lead.nextStep || 'пора связаться'}`,
      text: lead.title,
    })
}

/** SQL condition: the stage reminder `r` is due. */
const stageDue = sql`r."dateRemind" <= now()`

async function remindOfStage(context: WriteContext, id: number): Promise<void> {
  const due = await context.tx.query<{ title: string; text: string | null }>(sql`
    with due as (
      select r."idLead", r."idAction" from sales_management_reminders r where ${stageDue} and r."idLead" = ${id} for update skip locked
    ), gone as (
      delete from sales_management_reminders r using due
      where r."idLead" = due."idLead" and r."idAction" = due."idAction" returning r."idLead", r."idAction"
    )
    select l."title", a."text" from gone
    join sales_management_leads l on l."id" = gone."idLead" and not l."deleted"
    join sales_management_stage_actions a on a."id" = gone."idAction" and a."idStage" = l."idStage" order by a."id"`)
  for (const { title, text } of due)
    await notifyOfLead(context, id, { event: 'remind', title: text || 'Напоминание по сделке', text: title })
}
