/** Rights of the laboratory, shared by entities, calls and pages. */
import type { Permission } from '../../permissions.ts'

/** All orders; the second: only orders of partner laboratories (КДЛ). */
export const ordersView = ['viewLaboratoriesOrders', 'viewKdlModuleOrders'] as const
/** Rights to create orders; the second: only for partner laboratories. */
export const ordersEdit = ['orderLaboratory', 'editKdlModuleOrders'] as const
export const samplesEdit = ['takeLabSamples'] as const
/** Rights to see values before medical approval. */
export const resultsView = ['enterLabResults', 'approveLabResults'] as const

/**
 * Rights to read published values, their papers and the critical list: laboratory staff, medical staff, and those who hand
 * results over. Orders alone (price, state, readiness) need `ordersView`.
 */
export const publishedView = [...resultsView, 'viewExaminations', 'issueLabResults'] as const

/** Reports on terms and rejected tubes contain patients' names. */
export const laboratoryReports = [...resultsView, 'editLaboratories'] as const

export const catalogueAccess = {
  view: ['viewLaboratoriesOrders', 'viewKdlModuleOrders', 'orderLaboratory', 'editLaboratories', 'enterLabResults'],
  create: 'editLaboratories',
  update: 'editLaboratories',
  delete: 'editLaboratories',
} as const satisfies Record<string, Permission | readonly Permission[]>

export const deviceAccess = {
  view: ['editLaboratories', 'enterLabResults'],
  create: 'editLaboratories',
  update: 'editLaboratories',
  delete: 'editLaboratories',
} as const satisfies Record<string, Permission | readonly Permission[]>
