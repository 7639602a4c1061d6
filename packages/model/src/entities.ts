import { entities as advertising } from './areas/advertising/entities.ts'
import { entities as agents } from './areas/agents/entities.ts'
import { entities as appeals } from './areas/appeals/entities.ts'
import { entities as attachment } from './areas/attachment/entities.ts'
import { entities as calls } from './areas/calls/entities.ts'
import { entities as catalogue } from './areas/catalogue/entities.ts'
import { entities as chats } from './areas/chats/entities.ts'
import { entities as clinical } from './areas/clinical/entities.ts'
import { entities as consents } from './areas/consents/entities.ts'
import { entities as customers } from './areas/customers/entities.ts'
import { entities as discounts } from './areas/discounts/entities.ts'
import { entities as egisz } from './areas/egisz/entities.ts'
import { entities as eln } from './areas/eln/entities.ts'
import { entities as examinations } from './areas/examinations/entities.ts'
import { entities as exchange } from './areas/exchange/entities.ts'
import { entities as expenses } from './areas/expenses/entities.ts'
import { entities as filials } from './areas/filials/entities.ts'
import { entities as handover } from './areas/handover/entities.ts'
import { entities as imports } from './areas/imports/entities.ts'
import { entities as kpi } from './areas/kpi/entities.ts'
import { entities as laboratory } from './areas/laboratory/entities.ts'
import { entities as memberships } from './areas/memberships/entities.ts'
import { entities as messages } from './areas/messages/entities.ts'
import { entities as metrika } from './areas/metrika/entities.ts'
import { entities as money } from './areas/money/entities.ts'
import { entities as moving } from './areas/moving/entities.ts'
import { entities as news } from './areas/news/entities.ts'
import { entities as notifications } from './areas/notifications/entities.ts'
import { entities as outside } from './areas/outside/entities.ts'
import { entities as payers } from './areas/payers/entities.ts'
import { entities as payroll } from './areas/payroll/entities.ts'
import { entities as plans } from './areas/plans/entities.ts'
import { entities as prints } from './areas/prints/entities.ts'
import { entities as prompts } from './areas/prompts/entities.ts'
import { entities as referrers } from './areas/referrers/entities.ts'
import { entities as regulations } from './areas/regulations/entities.ts'
import { entities as reports } from './areas/reports/entities.ts'
import { entities as sales } from './areas/sales/entities.ts'
import { entities as scripts } from './areas/scripts/entities.ts'
import { entities as settings } from './areas/settings/entities.ts'
import { entities as signatures } from './areas/signatures/entities.ts'
import { entities as site } from './areas/site/entities.ts'
import { entities as staff } from './areas/staff/entities.ts'
import { entities as tasks } from './areas/tasks/entities.ts'
import { entities as transcripts } from './areas/transcripts/entities.ts'
import { entities as upkeep } from './areas/upkeep/entities.ts'
import { entities as visits } from './areas/visits/entities.ts'
import { entities as warehouse } from './areas/warehouse/entities.ts'
import type { Entity } from './entity.ts'

/** All entities of the product; the server, the web and the tests know only these. */
export const entities = [
  ...staff,
  ...settings,
  ...notifications,
  ...imports,
  ...filials,
  ...customers,
  ...consents,
  ...chats,
  ...calls,
  ...transcripts,
  ...appeals,
  ...catalogue,
  ...upkeep,
  ...visits,
  ...discounts,
  ...money,
  ...memberships,
  ...payers,
  ...agents,
  ...expenses,
  ...payroll,
  ...advertising,
  ...reports,
  ...kpi,
  ...scripts,
  ...sales,
  ...tasks,
  ...referrers,
  ...regulations,
  ...prints,
  ...news,
  ...outside,
  ...site,
  ...exchange,
  ...plans,
  ...examinations,
  ...laboratory,
  ...clinical,
  ...prompts,
  ...messages,
  ...moving,
  ...handover,
  ...warehouse,
  ...attachment,
  ...eln,
  ...egisz,
  ...signatures,
  ...metrika,
] as const

/** Built once by path: searching all entities for each path would slow the compiler down. */
type Known = { [E in (typeof entities)[number] as E['path']]: E }
/** An entity's type by its path. */
export type EntityAt<P extends string> = P extends keyof Known ? Known[P] : Entity

const byPath = new Map<string, Entity>(entities.map((e) => [e.path, e as Entity]))

/** The entity at a path, if any. */
export const entityAt = (path: string): Entity | undefined => byPath.get(path)
