import {
  IconCircle,
  IconHospital,
  IconLayoutDashboard,
  IconListDetails,
  IconReportMoney,
  IconSchool,
  IconSettings,
  type TablerIcon,
} from '@tabler/icons-react'
import { icons as advertising } from '#areas/advertising/icons.ts'
import { icons as agents } from '#areas/agents/icons.ts'
import { icons as appeals } from '#areas/appeals/icons.ts'
import { icons as attachment } from '#areas/attachment/icons.ts'
import { icons as calls } from '#areas/calls/icons.ts'
import { icons as catalogue } from '#areas/catalogue/icons.ts'
import { icons as centre } from '#areas/centre/icons.ts'
import { icons as chats } from '#areas/chats/icons.ts'
import { icons as clinical } from '#areas/clinical/icons.ts'
import { icons as consents } from '#areas/consents/icons.ts'
import { icons as customers } from '#areas/customers/icons.ts'
import { icons as discounts } from '#areas/discounts/icons.ts'
import { icons as egisz } from '#areas/egisz/icons.ts'
import { icons as eln } from '#areas/eln/icons.ts'
import { icons as examinations } from '#areas/examinations/icons.ts'
import { icons as exchange } from '#areas/exchange/icons.ts'
import { icons as expenses } from '#areas/expenses/icons.ts'
import { icons as filials } from '#areas/filials/icons.ts'
import { icons as kpi } from '#areas/kpi/icons.ts'
import { icons as laboratory } from '#areas/laboratory/icons.ts'
import { icons as memberships } from '#areas/memberships/icons.ts'
import { icons as messages } from '#areas/messages/icons.ts'
import { icons as metrika } from '#areas/metrika/icons.ts'
import { icons as money } from '#areas/money/icons.ts'
import { icons as moving } from '#areas/moving/icons.ts'
import { icons as news } from '#areas/news/icons.ts'
import { icons as outside } from '#areas/outside/icons.ts'
import { icons as payers } from '#areas/payers/icons.ts'
import { icons as payroll } from '#areas/payroll/icons.ts'
import { icons as plans } from '#areas/plans/icons.ts'
import { icons as prints } from '#areas/prints/icons.ts'
import { icons as prompts } from '#areas/prompts/icons.ts'
import { icons as referrers } from '#areas/referrers/icons.ts'
import { icons as regulations } from '#areas/regulations/icons.ts'
import { icons as reports } from '#areas/reports/icons.ts'
import { icons as sales } from '#areas/sales/icons.ts'
import { icons as schedule } from '#areas/schedule/icons.ts'
import { icons as scripts } from '#areas/scripts/icons.ts'
import { icons as search } from '#areas/search/icons.ts'
import { icons as settings } from '#areas/settings/icons.ts'
import { icons as signatures } from '#areas/signatures/icons.ts'
import { icons as site } from '#areas/site/icons.ts'
import { icons as staff } from '#areas/staff/icons.ts'
import { icons as start } from '#areas/start/icons.ts'
import { icons as tasks } from '#areas/tasks/icons.ts'
import { icons as training } from '#areas/training/icons.ts'
import { icons as transcripts } from '#areas/transcripts/icons.ts'
import { icons as upkeep } from '#areas/upkeep/icons.ts'
import { icons as warehouse } from '#areas/warehouse/icons.ts'

/** Icons by their keys in the page list: those of the areas and of what several areas share. */
const icons: Readonly<Record<string, TablerIcon>> = {
  dashboard: IconLayoutDashboard,
  lists: IconListDetails,
  finance: IconReportMoney,
  knowledge: IconSchool,
  clinic: IconHospital,
  settings: IconSettings,
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
}

export function pageIcon(key: string | undefined): TablerIcon {
  return icons[key ?? ''] ?? IconCircle
}
