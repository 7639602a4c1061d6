/** Who may do what in the laboratory; one place for the entities, the calls and the pages. */
import type { Permission } from '../../permissions.ts'

/** All orders, or those of partner laboratories alone (КДЛ). */
export const ordersView = ['viewLaboratoriesOrders', 'viewKdlModuleOrders'] as const
/** Who makes orders; of partner laboratories the second. */
export const ordersEdit = ['orderLaboratory', 'editKdlModuleOrders'] as const
export const samplesEdit = ['takeLabSamples'] as const
/** Who sees values before a doctor has confirmed them. */
export const resultsView = ['enterLabResults', 'approveLabResults'] as const

/** Reports on terms and refused tubes name patients. */
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
