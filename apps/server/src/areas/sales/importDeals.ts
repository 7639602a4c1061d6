import { can } from '@ordinator/model/access'
import { Company, Contact } from '@ordinator/model/areas/sales/contact'
import { Funnel } from '@ordinator/model/areas/sales/funnel'
import { Lead, LeadTag, SalesSource } from '@ordinator/model/areas/sales/lead'
import { Task } from '@ordinator/model/areas/tasks/task'
import sql, { raw } from 'sql-template-tag'
import { z } from 'zod'
import {
  byNames,
  type Cells,
  type ImportContext,
  type Importer,
  offerImporter,
  plainName,
  plainNameSql,
  readList,
  shortNames,
} from '#areas/imports/index.ts'
import { fioSql, loginSql, shortFioSql } from '#areas/staff/index.ts'
import type { Queryable } from '#platform/db.ts'
import { forbidden } from '#platform/errors.ts'
import type { AppContext } from '#records/context.ts'
import { columns } from './importDealColumns.ts'
import { checkDeal, type DealValues, type Named, type Ready, readPhones } from './importDealRow.ts'
import { giveTo } from './newDeal.ts'

const params = z.strictObject({
  idFunnel: z.int().positive(),
  /** Skip a row whose phone belongs to an open deal; else it is imported with a warning. */
  skipDuplicates: z.boolean().default(false),
  /** Create missing sources. */
  createSources: z.boolean().default(false),
})
type Params = z.output<typeof params>

/** Imports deals from a table into a funnel. Reads the export of the table of deals without loss. */
const importDeals: Importer<Params, Cells, Ready, DealValues> = {
  kind: 'leads',
  label: 'Сделки',
  access: 'editSalesManagement',
  params,
  columns,
  open,
  check: checkDeal,
  write,
  isHeld,
}

export const offerDeals = (app: AppContext): void => offerImporter(app, importDeals)

async function open({ records, tx, params }: ImportContext<Params>, rows: readonly Cells[]): Promise<Ready> {
  if (!can(records.actor, 'create', Lead)) throw forbidden('Вам нельзя создавать сделки')
  const funnel = await records.row(Funnel, params.idFunnel)
  const stages = await tx.query<Named & { idType: number }>(sql`select "id", "name", "idType"
    from sales_management_stages where "idFunnel" = ${funnel.id} and not "deleted" order by "idType", "order", "id"`)
  const people = await tx.query<Named & { login: string | null; email: string | null; shortFio: string }>(sql`
    select u."id", ${fioSql(raw('u'))} as name, ${shortFioSql(raw('u'))} as "shortFio", ${loginSql(raw('u'), records.actor)} as login, u."email" from users u
    where not u."deleted" and not u."isBlocked"`)
  const sources = await tx.query<Named & { UTM: string | null }>(
    sql`select "id", "name", "UTM" from sales_management_sources where not "deleted" order by "id"`,
  )
  const reasons = await tx.query<Named>(
    sql`select "id", "name" from "sales_management_loss_reasons" where not "deleted" order by "order", "id"`,
  )
  return {
    ...params,
    timeZone: records.actor.timeZone,
    funnel,
    stages: byNames(stages, ({ name }) => [name]),
    firstStage: stages[0],
    people: byNames(people, ({ name, login, email, shortFio }) => [name, login, email, ...shortNames(shortFio)]),
    sources: byNames(sources, ({ name, UTM }) => [name, UTM]),
    reasons: byNames(reasons, ({ name }) => [name]),
    companies: byNames(await companiesOf(tx, rows), ({ name }) => [name]),
    colors: await colorsOf(tx, rows),
    open: await openDeals(tx, rows),
  }
}

const textsOf = (rows: readonly Cells[], column: string): string[] => rows.flatMap((row) => row[column] || [])

const companiesOf = (db: Queryable, rows: readonly Cells[]): Promise<Named[]> =>
  db.query<Named>(sql`select "id", "name" from sales_management_companies where not "deleted"
    and ${plainNameSql('"name"')} = any(${textsOf(rows, 'Компания').map(plainName)}::text[]) order by "id"`)

async function colorsOf(db: Queryable, rows: readonly Cells[]): Promise<Map<string, string>> {
  const names = textsOf(rows, 'Метки').flatMap(readList)
  const found = await db.query<{ name: string; color: string }>(sql`select distinct on ("name") "name", "color"
    from sales_management_tags where "name" = any(${names}::text[]) order by "name", "id" desc`)
  return new Map(found.map(({ name, color }) => [name, color]))
}

/** Titles of the open deals by the phones of the rows. */
async function openDeals(db: Queryable, rows: readonly Cells[]): Promise<Map<string, string>> {
  const phones = [
    ...new Set(textsOf(rows, 'Телефон').flatMap((text) => readPhones(text).flatMap(({ phones }) => phones))),
  ]
  const found = await db.query<{ phone: string; title: string }>(sql`
    select o."phone", l."title" from (
      select c."phone", c."idLead" from sales_management_contacts c
      where c."phone" = any(${phones}::text[]) and not c."deleted"
      union all
      select c."phone", l."id" from sales_management_companies c
      join sales_management_leads l on l."idCompany" = c."id" where c."phone" = any(${phones}::text[])
    ) o
    join sales_management_leads l on l."id" = o."idLead" and not l."deleted"
    left join sales_management_stages s on s."id" = l."idStage"
    where l."idStage" is null or s."idType" = 1 order by l."id"`)
  return new Map(found.map(({ phone, title }) => [phone, title]))
}

async function write({ records, tx }: ImportContext<Params>, ready: Ready, values: DealValues) {
  const { deal, people, tags, contacts } = values
  const made: { path: string; id: number }[] = []
  const company = await named(ready.companies, values.company, Company)
  const source = await named(ready.sources, values.source, SalesSource)
  // With system rights: an imported deal is exempt from the stage's required fields.
  const lead = await records.asSystem.create(Lead, {
    ...deal,
    ...(company && { idCompany: company.id }),
    ...(source && { idSource: source.id }),
  })
  made.push({ path: Lead.path, id: lead.id }, ...(await tasksOf(tx, lead.id)))
  if (people.length) await giveTo(records, lead.id, people)
  for (const contact of contacts) await records.create(Contact, { ...contact, idLead: lead.id })
  for (const name of tags) {
    const color = ready.colors.get(name)
    await records.create(LeadTag, { idLead: lead.id, name, ...(color && { color }) })
  }
  // New deals come on top; those of a file keep its order, below the existing ones.
  await records.asSystem.move(Lead, lead.id, { at: 'last' })
  // Records created by a refused row are rolled back with it; register them for later rows only now.
  if (company) ready.companies.set(plainName(values.company), [company])
  if (source) ready.sources.set(plainName(values.source), [source])
  return made

  async function named(there: Map<string, Named[]>, name: string, entity: typeof Company | typeof SalesSource) {
    if (!name) return undefined
    const [found] = there.get(plainName(name)) ?? []
    if (found) return found
    const { id } = await records.create<typeof Company | typeof SalesSource>(entity, { name })
    made.push({ path: entity.path, id })
    return { id, name }
  }
}

/** Tasks created by the stage's actions for a new deal are removed with it. */
async function tasksOf(db: Queryable, idLead: number): Promise<{ path: string; id: number }[]> {
  const found = await db.query<{ id: number }>(sql`select a."idTask" as id from sales_management_lead_tasks t
    join tasks_management_assigned a on a."id" = t."idTaskAssignColumn" where t."idLead" = ${idLead}`)
  return found.map(({ id }) => ({ path: Task.path, id }))
}

/** Whether other deals have used this company or source since. */
async function isHeld(db: Queryable, { path, id }: { path: string; id: number }): Promise<boolean> {
  const field = { [Company.path]: '"idCompany"', [SalesSource.path]: '"idSource"' }[path]
  if (!field) return false
  const holder = await db.one(
    sql`select 1 from sales_management_leads where ${raw(field)} = ${id} and not "deleted" limit 1`,
  )
  return holder !== undefined
}
