import { type Actor, type Refusal, refusal } from './access.ts'
import { advertisingPages } from './areas/advertising/pages.ts'
import { agentPages } from './areas/agents/pages.ts'
import { appealPages } from './areas/appeals/pages.ts'
import { attachmentPages, attachmentSetUp } from './areas/attachment/pages.ts'
import { callPages } from './areas/calls/pages.ts'
import { cataloguePages } from './areas/catalogue/pages.ts'
import { centrePages } from './areas/centre/pages.ts'
import { chatPages, chatSetUp } from './areas/chats/pages.ts'
import { clinicalPages } from './areas/clinical/pages.ts'
import { consentSetUp, incidentPages, requestPages } from './areas/consents/pages.ts'
import { accessLogPages, customerPages, customerSetUp } from './areas/customers/pages.ts'
import { discountPages } from './areas/discounts/pages.ts'
import { egiszPages } from './areas/egisz/pages.ts'
import { elnPages } from './areas/eln/pages.ts'
import { examinationPages, examinationSetUp } from './areas/examinations/pages.ts'
import { exchangePages } from './areas/exchange/pages.ts'
import { expensesPages } from './areas/expenses/pages.ts'
import { filialPages, filialSetUp } from './areas/filials/pages.ts'
import { kpiPages } from './areas/kpi/pages.ts'
import { laboratoryPages } from './areas/laboratory/pages.ts'
import { membershipPages } from './areas/memberships/pages.ts'
import { messagePages } from './areas/messages/pages.ts'
import { metrikaPages } from './areas/metrika/pages.ts'
import { moneyPages, moneySetUp } from './areas/money/pages.ts'
import { movingPages } from './areas/moving/pages.ts'
import { newsPages } from './areas/news/pages.ts'
import { outsidePages, outsideSetUp } from './areas/outside/pages.ts'
import { payerPages } from './areas/payers/pages.ts'
import { payrollPages } from './areas/payroll/pages.ts'
import { planPages } from './areas/plans/pages.ts'
import { printSetUp } from './areas/prints/pages.ts'
import { promptsPages } from './areas/prompts/pages.ts'
import { referrerPages } from './areas/referrers/pages.ts'
import { regulationPages } from './areas/regulations/pages.ts'
import { reportsPages } from './areas/reports/pages.ts'
import { salesPages } from './areas/sales/pages.ts'
import { scriptPages } from './areas/scripts/pages.ts'
import { searchPages } from './areas/search/pages.ts'
import { settingsPages, socketPages } from './areas/settings/pages.ts'
import { signaturesPages } from './areas/signatures/pages.ts'
import { sitePages } from './areas/site/pages.ts'
import { staffPages } from './areas/staff/pages.ts'
import { startPages } from './areas/start/pages.ts'
import { taskPages } from './areas/tasks/pages.ts'
import { trainingPages } from './areas/training/pages.ts'
import { transcriptsPages } from './areas/transcripts/pages.ts'
import { upkeepPages } from './areas/upkeep/pages.ts'
import { visitPages, visitSetUp } from './areas/visits/pages.ts'
import { warehousePages, warehouseSetUp } from './areas/warehouse/pages.ts'
import { oldCrmAddress } from './oldCrm.ts'
import type { Page, PageFamily } from './page.ts'
import { gateOf } from './tariff.ts'

/**
 * All screens of the product, declared by the areas in `areas/<area>/pages.ts`. Their order here is the order of the menu,
 * of the tabs of a family and of the cards of `/settings`: an area has a second list where another is between its
 * pages.
 */
export const pages = [
  {
    key: 'dashboard',
    path: '',
    title: 'Рабочий стол',
    help: 'Что требует внимания сегодня',
    icon: 'dashboard',
    menu: true,
  },
  ...searchPages,
  ...taskPages,
  ...visitPages,
  ...outsidePages,
  ...customerPages,
  ...requestPages,
  ...accessLogPages,
  ...incidentPages,
  ...examinationPages,
  ...callPages,
  ...centrePages,
  ...appealPages,
  ...chatPages,
  ...messagePages,
  ...planPages,
  ...moneyPages,
  ...membershipPages,
  ...customerSetUp,
  ...salesPages,
  ...discountPages,
  ...cataloguePages,
  ...regulationPages,
  ...scriptPages,
  ...newsPages,
  ...sitePages,
  ...staffPages,
  ...settingsPages,
  ...attachmentSetUp,
  ...filialPages,
  ...visitSetUp,
  ...warehouseSetUp,
  ...moneySetUp,
  ...filialSetUp,
  ...consentSetUp,
  ...printSetUp,
  ...examinationSetUp,
  ...chatSetUp,
  ...exchangePages,
  ...socketPages,
  ...advertisingPages,
  ...agentPages,
  ...attachmentPages,
  ...clinicalPages,
  ...egiszPages,
  ...elnPages,
  ...expensesPages,
  ...kpiPages,
  ...laboratoryPages,
  ...metrikaPages,
  ...movingPages,
  ...outsideSetUp,
  ...upkeepPages,
  ...payerPages,
  ...referrerPages,
  ...payrollPages,
  ...promptsPages,
  ...reportsPages,
  ...signaturesPages,
  ...startPages,
  ...trainingPages,
  ...transcriptsPages,
  ...warehousePages,
  {
    key: 'login',
    path: 'login',
    title: 'Вход',
    help: 'Вход в систему',
    public: true,
  },
  {
    key: 'error',
    path: 'error/:code',
    title: 'Ошибка',
    help: 'Страница не открылась',
    public: true,
  },
] as const satisfies readonly Page[]

export type PageKey = (typeof pages)[number]['key']

/** Pages whose screen can be generated from the declaration of their entity. */
export type RegistryKey = Extract<(typeof pages)[number], { entity: string }>['key']

/** Pages whose screen is generated from the declaration of their report. */
export type ReportPageKey = Extract<(typeof pages)[number], { report: true }>['key']

/** Old paths redirected to a page of the list. */
export const pageRedirects: Readonly<Record<string, PageKey>> = {
  'customers/view': 'customer',
  'users/view': 'person',
  service: 'services',
  dashboard: 'dashboard',
  home: 'dashboard',
  calls: 'calls',
  appeals: 'appeals',
  'appeals/:id': 'appeal',
  chats: 'chatJournal',
  'service-online/chats': 'onlineJournal',
  'settings/integrations': 'integrations',
}

/** Paths of whole families: they redirect to the first page accessible to the visitor. */
export const familyRedirects = { journal: 'journal' } as const satisfies Readonly<Record<string, PageFamily>>

/** The first page of a family accessible to the visitor; undefined: none. */
export const firstOfFamily = (family: PageFamily, visitor: Actor): Page | undefined =>
  (pages as readonly Page[]).find(
    (page) => page.family === family && !page.linked && !page.path.includes(':') && pageAllowed(page, visitor),
  )

/** Whether menus and searches offer the page: a replacement only while the older CRM serves the original. */
export const isOffered = (page: Page, oldCrmUrl: string | undefined): boolean =>
  page.insteadOf === undefined || oldCrmAddress(oldCrmUrl, pageByKey(page.insteadOf as PageKey).path) !== undefined

/** The page of this product itself, even if an older CRM serves its usual path. */
export function ourPage(key: PageKey, oldCrmUrl: string | undefined): Page {
  const all: readonly Page[] = pages
  return all.find((page) => page.insteadOf === key && isOffered(page, oldCrmUrl)) ?? pageByKey(key)
}

/** Why the page is closed to the visitor: tariff, module, permissions; undefined: it is open. */
export const pageRefusal = (page: Page, visitor: Actor): Refusal | undefined =>
  refusal(visitor, { ...gateOf(page.path), ...page })

/** Whether the visitor may open the page (undefined: without sign-in). The server enforces rights on its data. */
export function pageAllowed(page: Page, visitor: Actor | undefined): boolean {
  return page.public === true || (visitor !== undefined && !pageRefusal(page, visitor))
}

/** Pages offered by searches and commands: accessible to the visitor and without parameters. */
export const searchedPages = (visitor: Actor, oldCrmUrl: string | undefined): Page[] =>
  (pages as readonly Page[]).filter(
    (page) =>
      !page.public &&
      !page.linked &&
      !page.path.includes(':') &&
      isOffered(page, oldCrmUrl) &&
      pageAllowed(page, visitor),
  )

type PathOf<K extends PageKey> = Extract<(typeof pages)[number], { key: K }>['path']
type ParamsIn<P extends string> = P extends `${infer A}/${infer B}`
  ? ParamsIn<A> | ParamsIn<B>
  : P extends `:${infer N}`
    ? N
    : never
/** Parameters in the path of a page: `{ id }` of `funnels/:id`. */
export type PageParams<K extends PageKey> = { [N in ParamsIn<PathOf<K>>]: string | number }

/** The internal path of a page, with its parameters filled in: `/funnels/5`. */
export const pagePath = (key: PageKey, params: Readonly<Record<string, string | number>> = {}): string =>
  `/${pageByKey(key).path.replace(/:(\w+)/g, (_, name) => encodeURIComponent(String(params[name])))}`

export function pageByKey(key: PageKey): Page {
  return pages.find((page) => page.key === key) as Page
}
