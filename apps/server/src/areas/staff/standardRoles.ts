import { Role } from '@ordinator/model/areas/staff/role'
import { type Permission, permissionNames } from '@ordinator/model/permissions'
import type { Records } from '#records/records.ts'

interface StandardRole {
  name: string
  description: string
  permissions: readonly Permission[]
  /** Percent of manual discount allowed without approval. */
  maxDiscount?: number
}

/** Permissions for administrators only: their misuse cannot be undone. */
const adminOnly: ReadonlySet<Permission> = new Set(['mainSettings', 'editUsers', 'testSocket', 'bypassTaskRights'])

/**
 * Initial roles of every clinic; all but «Полный доступ» can be changed. The role of all rights is not called
 * «Администратор»: in a clinic that is the receptionist.
 */
export const standardRoles = {
  admin: {
    name: 'Полный доступ',
    description: 'Полный доступ: настройки, сотрудники и права, все задачи',
    permissions: permissionNames,
    maxDiscount: 100,
  },
  manager: {
    name: 'Руководитель',
    description: 'Все разделы и отчёты, кроме настроек программы и управления правами',
    permissions: permissionNames.filter((name) => !adminOnly.has(name)),
    maxDiscount: 20,
  },
  operator: {
    name: 'Оператор колл-центра',
    description: 'Звонки, чаты, обращения, запись пациентов и сделки',
    permissions: [
      'viewTasksManagement',
      'viewCustomers',
      'editCustomers',
      'supportOperator',
      'onlineChat',
      'displayTableLiveAssist',
      'displayTableServiceOnline',
      'viewCallJournal',
      'iiCallPrompt',
      'viewMessages',
      'viewAppeals',
      'editAppeals',
      'viewSalesManagement',
      'editSalesManagement',
      'viewDiscounts',
      'displayTableNews',
      'check_applications',
      'viewCalendar',
      'viewAllAppointments',
      'createAppointments',
      'editAppointments',
      'viewPlans',
      'viewCustomerPlansReport',
      'viewLaboratoriesOrders',
      'orderLaboratory',
      'viewServices',
      'viewAdvertising',
    ],
  },
  registrar: {
    name: 'Регистратор',
    description: 'Запись и приём пациентов своего филиала, их карты, касса',
    maxDiscount: 5,
    permissions: [
      'viewTasksManagement',
      'viewCustomers',
      'editCustomers',
      'viewCallJournal',
      'viewMessages',
      'viewAppeals',
      'editAppeals',
      'viewDiscounts',
      'displayTableNews',
      'check_applications',
      'viewCalendar',
      'createAppointments',
      'editAppointments',
      'overbookAppointments',
      'markAbsence',
      'viewPlans',
      'agreePlans',
      'viewLaboratoriesOrders',
      'orderLaboratory',
      'issueLabResults',
      'viewServices',
      'viewCashDesk',
      'takePayments',
      'refundPayments',
      'cashInOut',
      'viewMemberships',
    ],
  },
  doctor: {
    name: 'Врач',
    description: 'Приёмы, осмотры, больничные листы, результаты анализов, переписка с пациентами',
    permissions: [
      'viewTasksManagement',
      'viewCustomers',
      'editCustomers',
      'onlineChat',
      'editDialogs',
      'iiProtocolPrompt',
      'displayTableNews',
      'viewElnList',
      'editEln',
      'viewExaminations',
      'editExaminations',
      'examinationTemplatesSettings',
      'viewForeignExaminationTemplates',
      'viewCalendar',
      'createAppointments',
      'viewLaboratoriesOrders',
      'orderLaboratory',
      'issueLabResults',
      'viewReportClinicalRecommendations',
      'viewPlans',
      'editPlans',
      'agreePlans',
      'viewServices',
      'manageSignatures',
    ],
  },
  nurse: {
    name: 'Медсестра',
    description: 'Помощь врачу: осмотры, забор биоматериала, списание расходных материалов',
    permissions: [
      'viewTasksManagement',
      'viewCustomers',
      'displayTableNews',
      'viewExaminations',
      'editExaminations',
      'foreignExaminationDrafts',
      'viewCalendar',
      'viewLaboratoriesOrders',
      'takeLabSamples',
      'viewKdlModuleOrders',
      'warehouseDashboard',
      'viewConsumableReport',
      'editWarehouse',
      'viewServices',
    ],
  },
  storekeeper: {
    name: 'Кладовщик',
    description: 'Склад: приход, расход, остатки, инвентаризация',
    permissions: [
      'viewTasksManagement',
      'displayTableNews',
      'warehouseDashboard',
      'viewStockReport',
      'viewConsumableReport',
      'editWarehouse',
      'viewAllWarehouses',
      'editMdlp',
      'viewServices',
    ],
  },
  laboratory: {
    name: 'Лаборант',
    description: 'Заказы лаборатории, пробы и результаты',
    permissions: [
      'viewTasksManagement',
      'viewCustomers',
      'displayTableNews',
      'viewLaboratoriesOrders',
      'editLaboratories',
      'orderLaboratory',
      'takeLabSamples',
      'enterLabResults',
      'approveLabResults',
      'issueLabResults',
      'viewKdlModuleOrders',
      'editKdlModuleOrders',
      'viewConsumableReport',
      'viewServices',
    ],
  },
  accountant: {
    name: 'Бухгалтер',
    description: 'Оплаты, зарплата, расходы и денежные отчёты',
    permissions: [
      'viewTasksManagement',
      'viewCustomers',
      'displayTableNews',
      'payroll',
      'viewExpenses',
      'editExpenses',
      'viewPaymentsReport',
      'viewCashDesk',
      'viewAllCashDesks',
      'refundAbove',
      'correctReceipts',
      'editAccount',
      'viewRevenueByDiscountsReport',
      'viewRevenueByCustomerSourcesReport',
      'viewStockReport',
      'viewDiscounts',
      'viewServices',
    ],
  },
} as const satisfies Record<string, StandardRole>

export type StandardRoleKey = keyof typeof standardRoles

/** Creates the standard roles. @returns their ids */
export async function createStandardRoles(records: Records): Promise<Record<StandardRoleKey, number>> {
  const ids: Record<string, number> = {}
  for (const [key, { name, description, permissions, maxDiscount }] of Object.entries<StandardRole>(standardRoles)) {
    ids[key] = (
      await records.asSystem.create(Role, {
        ...{ name, description, maxDiscount: maxDiscount ?? null },
        permissions: [...permissions],
        isSystem: true,
      })
    ).id
  }
  return ids as Record<StandardRoleKey, number>
}
