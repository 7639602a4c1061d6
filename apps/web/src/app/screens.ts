import { type PageKey, pageByKey, type RegistryKey, type ReportPageKey } from '@ordinator/model/pages'
import { screens as advertising } from '#areas/advertising/screens.ts'
import { screens as agents } from '#areas/agents/screens.ts'
import { screens as appeals } from '#areas/appeals/screens.ts'
import { screens as attachment } from '#areas/attachment/screens.ts'
import { screens as calls } from '#areas/calls/screens.ts'
import { screens as catalogue } from '#areas/catalogue/screens.ts'
import { screens as centre } from '#areas/centre/screens.ts'
import { screens as chats } from '#areas/chats/screens.ts'
import { screens as clinical } from '#areas/clinical/screens.ts'
import { screens as consents } from '#areas/consents/screens.ts'
import { screens as customers } from '#areas/customers/screens.ts'
import { screens as dashboard } from '#areas/dashboard/screens.ts'
import { screens as discounts } from '#areas/discounts/screens.ts'
import { screens as egisz } from '#areas/egisz/screens.ts'
import { screens as eln } from '#areas/eln/screens.ts'
import { screens as examinations } from '#areas/examinations/screens.ts'
import { screens as exchange } from '#areas/exchange/screens.ts'
import { screens as expenses } from '#areas/expenses/screens.ts'
import { screens as filials } from '#areas/filials/screens.ts'
import { screens as kpi } from '#areas/kpi/screens.ts'
import { screens as laboratory } from '#areas/laboratory/screens.ts'
import { screens as memberships } from '#areas/memberships/screens.ts'
import { screens as messages } from '#areas/messages/screens.ts'
import { screens as metrika } from '#areas/metrika/screens.ts'
import { screens as money } from '#areas/money/screens.ts'
import { screens as moving } from '#areas/moving/screens.ts'
import { screens as news } from '#areas/news/screens.ts'
import { screens as outside } from '#areas/outside/screens.ts'
import { screens as payers } from '#areas/payers/screens.ts'
import { screens as payroll } from '#areas/payroll/screens.ts'
import { screens as plans } from '#areas/plans/screens.ts'
import { screens as prints } from '#areas/prints/screens.ts'
import { screens as prompts } from '#areas/prompts/screens.ts'
import { screens as referrers } from '#areas/referrers/screens.ts'
import { screens as regulations } from '#areas/regulations/screens.ts'
import { screens as reports } from '#areas/reports/screens.ts'
import { screens as sales } from '#areas/sales/screens.ts'
import { screens as schedule } from '#areas/schedule/screens.ts'
import { screens as scripts } from '#areas/scripts/screens.ts'
import { screens as search } from '#areas/search/screens.ts'
import { screens as settings } from '#areas/settings/screens.ts'
import { screens as signatures } from '#areas/signatures/screens.ts'
import { screens as site } from '#areas/site/screens.ts'
import { screens as staff } from '#areas/staff/screens.ts'
import { screens as start } from '#areas/start/screens.ts'
import { screens as tasks } from '#areas/tasks/screens.ts'
import { screens as training } from '#areas/training/screens.ts'
import { screens as transcripts } from '#areas/transcripts/screens.ts'
import { screens as upkeep } from '#areas/upkeep/screens.ts'
import { screens as warehouse } from '#areas/warehouse/screens.ts'
import type { Screen } from '#base/screens.ts'

/**
 * The screen of each page, loaded when it is opened. A page without a screen here does not compile, unless it is the
 * registry of an entity or a report, which are rendered from their declarations.
 */
const screens: Record<Exclude<PageKey, RegistryKey | ReportPageKey>, Screen> &
  Partial<Record<RegistryKey | ReportPageKey, Screen>> = {
  ...advertising,
  ...agents,
  ...appeals,
  ...attachment,
  ...calls,
  ...catalogue,
  ...centre,
  ...chats,
  ...clinical,
  ...consents,
  ...customers,
  ...dashboard,
  ...discounts,
  ...egisz,
  ...eln,
  ...examinations,
  ...exchange,
  ...expenses,
  ...filials,
  ...kpi,
  ...laboratory,
  ...messages,
  ...metrika,
  ...money,
  ...moving,
  ...news,
  ...outside,
  ...payroll,
  ...memberships,
  ...payers,
  ...referrers,
  ...plans,
  ...prints,
  ...prompts,
  ...regulations,
  ...reports,
  ...sales,
  ...schedule,
  ...scripts,
  ...search,
  ...settings,
  ...signatures,
  ...site,
  ...staff,
  ...start,
  ...tasks,
  ...training,
  ...transcripts,
  ...upkeep,
  ...warehouse,
  login: () => import('./LoginPage.tsx'),
  error: () => import('./ErrorPage.tsx'),
}

/** The common screen of a registry, with the declaration of its entity. */
const registryScreen =
  (entity: string | undefined): Screen =>
  async () => {
    const loading = import('#records/declarations.ts').then(({ loadDeclarations }) =>
      loadDeclarations(entity === undefined ? [] : [entity]),
    )
    const screen = await import('#records/registry/RegistryScreen.tsx')
    await loading
    return screen
  }

export const screenOf = (key: PageKey): Screen =>
  screens[key] ??
  (pageByKey(key).report ? () => import('#areas/reports/ReportPage.tsx') : registryScreen(pageByKey(key).entity))
