// Permissions of this area by the groups of `permissions.ts`, which joins them.

export const planReportPermissions = {
  viewCustomerPlansReport: 'Планы лечения: всех врачей и филиалов',
} as const

export const planPermissions = {
  viewPlans: 'Планы лечения: просмотр', // proposed
  editPlans: 'Планы лечения: составление', // proposed
  discountPlans: 'Планы лечения: свои цены и скидки', // proposed
  agreePlans: 'Планы лечения: согласование с пациентом', // proposed
} as const
