import { type PageKey, pageByKey, type RegistryKey, type ReportPageKey } from '@ordinator/model/pages'
import {
  IconHospital,
  IconLayoutDashboard,
  IconListDetails,
  IconReportMoney,
  IconSchool,
  IconSettings,
  type TablerIcon,
} from '@tabler/icons-react'
import { advertising } from '#areas/advertising/area.ts'
import { agents } from '#areas/agents/area.ts'
import { appeals } from '#areas/appeals/area.ts'
import { attachment } from '#areas/attachment/area.ts'
import { calls } from '#areas/calls/area.ts'
import { catalogue } from '#areas/catalogue/area.ts'
import { centre } from '#areas/centre/area.ts'
import { chats } from '#areas/chats/area.ts'
import { clinical } from '#areas/clinical/area.ts'
import { consents } from '#areas/consents/area.ts'
import { customers } from '#areas/customers/area.ts'
import { dashboard } from '#areas/dashboard/area.ts'
import { discounts } from '#areas/discounts/area.ts'
import { egisz } from '#areas/egisz/area.ts'
import { eln } from '#areas/eln/area.ts'
import { examinations } from '#areas/examinations/area.ts'
import { exchange } from '#areas/exchange/area.ts'
import { expenses } from '#areas/expenses/area.ts'
import { filials } from '#areas/filials/area.ts'
import { kpi } from '#areas/kpi/area.ts'
import { laboratory } from '#areas/laboratory/area.ts'
import { memberships } from '#areas/memberships/area.ts'
import { messages } from '#areas/messages/area.ts'
import { metrika } from '#areas/metrika/area.ts'
import { money } from '#areas/money/area.ts'
import { moving } from '#areas/moving/area.ts'
import { news } from '#areas/news/area.ts'
import { outside } from '#areas/outside/area.ts'
import { payers } from '#areas/payers/area.ts'
import { payroll } from '#areas/payroll/area.ts'
import { plans } from '#areas/plans/area.ts'
import { prints } from '#areas/prints/area.ts'
import { prompts } from '#areas/prompts/area.ts'
import { referrers } from '#areas/referrers/area.ts'
import { regulations } from '#areas/regulations/area.ts'
import { reports } from '#areas/reports/area.ts'
import { sales } from '#areas/sales/area.ts'
import { schedule } from '#areas/schedule/area.ts'
import { scripts } from '#areas/scripts/area.ts'
import { search } from '#areas/search/area.ts'
import { settings } from '#areas/settings/area.ts'
import { signatures } from '#areas/signatures/area.ts'
import { site } from '#areas/site/area.ts'
import { staff } from '#areas/staff/area.ts'
import { start } from '#areas/start/area.ts'
import { tasks } from '#areas/tasks/area.ts'
import { training } from '#areas/training/area.ts'
import { transcripts } from '#areas/transcripts/area.ts'
import { upkeep } from '#areas/upkeep/area.ts'
import { warehouse } from '#areas/warehouse/area.ts'
import type { Area } from '#base/area.ts'
import type { Screen } from '#base/screens.ts'

/** The areas with pages. */
const areas = [
  advertising,
  agents,
  appeals,
  attachment,
  calls,
  catalogue,
  centre,
  chats,
  clinical,
  consents,
  customers,
  dashboard,
  discounts,
  egisz,
  eln,
  examinations,
  exchange,
  expenses,
  filials,
  kpi,
  laboratory,
  memberships,
  messages,
  metrika,
  money,
  moving,
  news,
  outside,
  payers,
  payroll,
  plans,
  prints,
  prompts,
  referrers,
  regulations,
  reports,
  sales,
  schedule,
  scripts,
  search,
  settings,
  signatures,
  site,
  staff,
  start,
  tasks,
  training,
  transcripts,
  upkeep,
  warehouse,
] as const satisfies readonly Area[]

/** Screens of one area by the keys of its pages. */
type ScreensOf<A> = A extends { screens: infer S } ? keyof S : never
type Shown = ScreensOf<(typeof areas)[number]>

/**
 * The screen of each page. A page without a screen does not compile, unless it is the registry of an entity or a report,
 * which are rendered from their declarations.
 */
const screens: Record<Exclude<PageKey, RegistryKey | ReportPageKey>, Screen> &
  Partial<Record<RegistryKey | ReportPageKey, Screen>> = {
  ...(Object.assign({}, ...areas.map((area) => area.screens)) as Record<Shown, Screen>),
  // Pages that join parts of several areas.
  customers: () => import('./CustomersScreen.tsx'),
  customer: () => import('./CustomerScreen.tsx'),
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

/** Icons that several areas share, by their keys in the page list. */
const shared: Readonly<Record<string, TablerIcon>> = {
  dashboard: IconLayoutDashboard,
  lists: IconListDetails,
  finance: IconReportMoney,
  knowledge: IconSchool,
  clinic: IconHospital,
  settings: IconSettings,
}

/** Icons by their keys in the page list. */
export const icons: Readonly<Record<string, TablerIcon | undefined>> = Object.assign(
  {},
  shared,
  ...areas.map((area: Area) => area.icons),
)
