import type { PageKey, RegistryKey } from '@ordinator/model/pages'
import type { ComponentType } from 'react'

type Screen = () => Promise<{ default: ComponentType }>

/**
 * The screen of each page, loaded when it is opened. A page without a screen here does not compile, unless it is the
 * registry of an entity, whose declaration says enough.
 */
const screens: Record<Exclude<PageKey, RegistryKey>, Screen> & Partial<Record<RegistryKey, Screen>> = {
  dashboard: () => import('../areas/dashboard/DashboardPage.tsx'),
  tasks: () => import('../areas/tasks/TasksPage.tsx'),
  myTasks: () => import('../areas/tasks/mine/MyTasksPage.tsx'),
  invitation: () => import('../areas/tasks/workspace/InvitationPage.tsx'),
  calendar: () => import('../areas/schedule/CalendarPage.tsx'),
  daySheet: () => import('../areas/schedule/sheet/DaySheetPage.tsx'),
  waitingList: () => import('../areas/schedule/waiting/WaitingPage.tsx'),
  customers: () => import('../areas/customers/CustomersPage.tsx'),
  duplicates: () => import('../areas/customers/duplicates/DuplicatesPage.tsx'),
  patientRequests: () => import('../areas/consents/RequestsPage.tsx'),
  incidents: () => import('../areas/consents/IncidentsPage.tsx'),
  accessLog: () => import('../areas/customers/access/AccessLogPage.tsx'),
  customer: () => import('../areas/customers/card/CustomerPage.tsx'),
  calls: () => import('../areas/calls/CallsPage.tsx'),
  appeals: () => import('../areas/appeals/AppealsPage.tsx'),
  appeal: () => import('../areas/appeals/AppealPage.tsx'),
  domainmap: () => import('../areas/chats/DomainsPage.tsx'),
  liveAssist: () => import('../areas/chats/LiveAssistPage.tsx'),
  cash: () => import('../areas/money/desk/CashPage.tsx'),
  deals: () => import('../areas/sales/SalesPage.tsx'),
  funnels: () => import('../areas/sales/funnels/FunnelsPage.tsx'),
  funnel: () => import('../areas/sales/funnels/FunnelPage.tsx'),
  dealRequests: () => import('../areas/sales/requests/RequestsPage.tsx'),
  funnelAnalytics: () => import('../areas/sales/analytics/FunnelAnalyticsPage.tsx'),
  dealAnalytics: () => import('../areas/sales/analytics/LeadAnalyticsPage.tsx'),
  regulations: () => import('../areas/regulations/RegulationsPage.tsx'),
  scripts: () => import('../areas/scripts/ScriptsPage.tsx'),
  script: () => import('../areas/scripts/ScriptPage.tsx'),
  newScript: () => import('../areas/scripts/NewScriptPage.tsx'),
  news: () => import('../areas/news/NewsPage.tsx'),
  newsItem: () => import('../areas/news/NewsItemPage.tsx'),
  services: () => import('../areas/catalogue/list/ServicesPage.tsx'),
  service: () => import('../areas/catalogue/service/ServiceViewPage.tsx'),
  serviceEdit: () => import('../areas/catalogue/service/ServiceEditPage.tsx'),
  serviceUsers: () => import('../areas/catalogue/service/ServiceUsersPage.tsx'),
  servicePrices: () => import('../areas/catalogue/service/ServicePricesPage.tsx'),
  serviceDuration: () => import('../areas/catalogue/service/ServiceDurationPage.tsx'),
  discounts: () => import('../areas/discounts/DiscountsPage.tsx'),
  newDiscount: () => import('../areas/discounts/NewDiscountPage.tsx'),
  discount: () => import('../areas/discounts/DiscountPage.tsx'),
  discountCheck: () => import('../areas/discounts/check/DiscountCheckPage.tsx'),
  discountApprovals: () => import('../areas/discounts/ApprovalsPage.tsx'),
  users: () => import('../areas/staff/users/UsersPage.tsx'),
  user: () => import('../areas/staff/users/UserPage.tsx'),
  staff: () => import('../areas/staff/users/UsersPage.tsx'),
  staffAccount: () => import('../areas/staff/users/UserPage.tsx'),
  roles: () => import('../areas/staff/roles/RolesPage.tsx'),
  profile: () => import('../areas/staff/profile/ProfilePage.tsx'),
  person: () => import('../areas/staff/profile/PersonPage.tsx'),
  mainSettings: () => import('../areas/settings/main/MainSettingsPage.tsx'),
  filials: () => import('../areas/filials/FilialsPage.tsx'),
  newFilial: () => import('../areas/filials/NewFilialPage.tsx'),
  filial: () => import('../areas/filials/FilialPage.tsx'),
  organizations: () => import('../areas/filials/OrganizationsPage.tsx'),
  consentTemplates: () => import('../areas/consents/TemplatesPage.tsx'),
  sequences: () => import('../areas/filials/SequencesPage.tsx'),
  socket: () => import('../areas/settings/socket/SocketPage.tsx'),
  incomingCall: () => import('../areas/calls/incoming/IncomingCallPage.tsx'),
  login: () => import('./LoginPage.tsx'),
  error: () => import('./ErrorPage.tsx'),
}

export const screenOf = (key: PageKey): Screen =>
  screens[key] ?? (() => import('../records/registry/RegistryScreen.tsx'))
