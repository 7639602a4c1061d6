import { advertisingPermissions } from './areas/advertising/permissions.ts'
import { appealPermissions } from './areas/appeals/permissions.ts'
import { attachmentPermissions } from './areas/attachment/permissions.ts'
import { callPermissions } from './areas/calls/permissions.ts'
import { cataloguePermissions } from './areas/catalogue/permissions.ts'
import { chatPermissions, chatSetUpPermissions } from './areas/chats/permissions.ts'
import { clinicalReportPermissions } from './areas/clinical/permissions.ts'
import { accessLogPermissions, customerPermissions } from './areas/customers/permissions.ts'
import { discountPermissions } from './areas/discounts/permissions.ts'
import { egiszReportPermissions } from './areas/egisz/permissions.ts'
import { elnPermissions } from './areas/eln/permissions.ts'
import {
  examinationPermissions,
  examinationReportPermissions,
  examinationSetUpPermissions,
} from './areas/examinations/permissions.ts'
import { expensePermissions } from './areas/expenses/permissions.ts'
import { handoverPermissions } from './areas/handover/permissions.ts'
import { kpiPermissions } from './areas/kpi/permissions.ts'
import { laboratoryPermissions } from './areas/laboratory/permissions.ts'
import { membershipPermissions } from './areas/memberships/permissions.ts'
import { messagePermissions, messageSetUpPermissions } from './areas/messages/permissions.ts'
import { metrikaPermissions } from './areas/metrika/permissions.ts'
import { moneyPermissions } from './areas/money/permissions.ts'
import { newsPermissions } from './areas/news/permissions.ts'
import { payerPermissions } from './areas/payers/permissions.ts'
import { payrollPermissions } from './areas/payroll/permissions.ts'
import { planPermissions, planReportPermissions } from './areas/plans/permissions.ts'
import { promptPermissions } from './areas/prompts/permissions.ts'
import { referrerPermissions } from './areas/referrers/permissions.ts'
import { regulationReportPermissions } from './areas/regulations/permissions.ts'
import { reportPermissions } from './areas/reports/permissions.ts'
import { salesPermissions } from './areas/sales/permissions.ts'
import { scriptPermissions } from './areas/scripts/permissions.ts'
import { settingsPermissions, socketPermissions } from './areas/settings/permissions.ts'
import { signaturePermissions } from './areas/signatures/permissions.ts'
import { sitePermissions } from './areas/site/permissions.ts'
import { staffPermissions } from './areas/staff/permissions.ts'
import { taskPermissions } from './areas/tasks/permissions.ts'
import { visitPermissions } from './areas/visits/permissions.ts'
import { warehousePermissions } from './areas/warehouse/permissions.ts'

/**
 * Every permission of the product: names from the specification (spec §6), and proposed ones where it has none (marked by
 * `proposed`), in the groups of the screen of roles. A role is a set of permissions.
 */
const groups = {
  Задачи: { ...taskPermissions },
  Клиенты: { ...customerPermissions, ...messagePermissions },
  'Чаты и звонки': { ...chatPermissions, ...callPermissions, ...chatSetUpPermissions, ...promptPermissions },
  Обращения: { ...appealPermissions },
  Продажи: { ...salesPermissions, ...discountPermissions, ...advertisingPermissions },
  Контент: { ...newsPermissions, ...scriptPermissions, ...sitePermissions },
  Отчёты: {
    ...egiszReportPermissions,
    ...clinicalReportPermissions,
    ...metrikaPermissions,
    ...planReportPermissions,
    ...reportPermissions,
    ...kpiPermissions,
    ...regulationReportPermissions,
    ...examinationReportPermissions,
  },
  Медицина: {
    ...elnPermissions,
    ...attachmentPermissions,
    ...examinationSetUpPermissions,
    ...planPermissions,
    ...examinationPermissions,
  },
  'Расписание и записи': { ...visitPermissions },
  Лаборатория: { ...laboratoryPermissions },
  Склад: { ...warehousePermissions },
  Деньги: {
    ...moneyPermissions,
    ...membershipPermissions,
    ...payerPermissions,
    ...referrerPermissions,
    ...payrollPermissions,
    ...expensePermissions,
  },
  Управление: {
    ...settingsPermissions,
    ...handoverPermissions,
    ...staffPermissions,
    ...cataloguePermissions,
    ...messageSetUpPermissions,
    ...signaturePermissions,
    ...accessLogPermissions,
    ...socketPermissions,
  },
} as const

type Groups = typeof groups
export type Permission = { [G in keyof Groups]: keyof Groups[G] }[keyof Groups] & string

export interface PermissionInfo {
  name: Permission
  label: string
  group: string
}

export const permissionList: readonly PermissionInfo[] = Object.entries(groups).flatMap(([group, names]) =>
  Object.entries(names).map(([name, label]) => ({ name: name as Permission, label, group })),
)

export const permissionNames: readonly Permission[] = permissionList.map((p) => p.name)

export const permissionLabels = Object.fromEntries(permissionList.map((p) => [p.name, p.label])) as Record<
  Permission,
  string
>
export const permissionLabel = (name: Permission): string => permissionLabels[name] ?? name
