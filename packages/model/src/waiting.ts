/**
 * What is stored already and read by nobody until its area is there. The screen where it is set says so; a test
 * (scripts/stored.test.ts) finds what is stored in vain and does not stand here, and what stands here though it works.
 */
import type { UserSettingGroup, UserSettingGroups } from './areas/settings/userSettings.ts'
import type { Permission } from './permissions.ts'
import type { Module } from './tariff.ts'

/** Areas of the house that are yet to come. */
export const laterAreas = {
  advertising: 'Реклама',
  calls: 'Звонки',
  chats: 'Чаты',
  documents: 'Документы',
  exchange: 'ЕГИСЗ и больничные',
  laboratory: 'Лаборатория',
  messages: 'Сообщения пациентам',
  money: 'Зарплата и расходы',
  online: 'Онлайн-прикрепление',
  prompts: 'Подсказки',
  reports: 'Отчёты',
  shop: 'Магазин',
  warehouse: 'Склад',
} as const
export type LaterArea = keyof typeof laterAreas

/** What stands beside it where it is set; undefined: it works. */
export const waitsFor = (area: LaterArea | undefined): string | undefined =>
  area && `Появится с разделом «${laterAreas[area]}»`

type OwnSetting = { [G in UserSettingGroup]: `${G}.${keyof UserSettingGroups[G] & string}` }[UserSettingGroup]

export const waitingOwnSettings: { readonly [S in OwnSetting]?: LaterArea } = {}

export const waitingModules: { readonly [M in Module]?: LaterArea } = {
  clinicalRecommendations: 'reports',
  omnichannel: 'chats',
  documentManagement: 'documents',
  callPrompts: 'prompts',
  callTranscript: 'calls',
  protocolPrompts: 'prompts',
}

export const waitingPermissions: { readonly [P in Permission]?: LaterArea } = {
  editDialogs: 'chats',
  iiProtocolPrompt: 'prompts',
  iiCallPrompt: 'prompts',
  viewAppealAnalytics: 'reports',
  viewAdvertising: 'advertising',
  createAdvertising: 'advertising',
  viewReportEgiszOperationsLog: 'exchange',
  viewReportEgiszMessages: 'exchange',
  viewReportClinicalRecommendations: 'reports',
  viewMetrikaGoalsReport: 'reports',
  viewRevenueByDiscountsReport: 'reports',
  viewRevenueByCustomerSourcesReport: 'reports',
  viewKpiReport: 'reports',
  viewExaminationsReport: 'reports',
  viewElnList: 'exchange',
  check_applications: 'online',
  viewKdlModuleOrders: 'laboratory',
  editKdlModuleOrders: 'laboratory',
  viewLaboratoriesOrders: 'laboratory',
  editLaboratories: 'laboratory',
  warehouseDashboard: 'warehouse',
  viewStockReport: 'warehouse',
  viewConsumableReport: 'warehouse',
  payroll: 'money',
  viewExpenses: 'money',
  editExpenses: 'money',
  manageSignatures: 'documents',
}

/** Entities whose records are kept, counted and referred to, and have no screen of their own as yet. */
export const waitingEntities: Readonly<Record<string, LaterArea>> = {
  calls: 'calls',
}

/** Single fields of entities that are there. */
export const waitingFields: Readonly<Record<string, LaterArea>> = {
  'services-groups.groupCode': 'shop',
  'services-groups.servicesGroupsType': 'shop',
}
