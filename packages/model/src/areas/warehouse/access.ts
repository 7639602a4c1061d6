import type { Allowed } from '../../access.ts'

/** Who sees documents and what lies where, of the warehouses that are theirs. */
export const warehouseView = ['warehouseDashboard', 'editWarehouse'] as const satisfies Allowed
export const stockView = [
  'warehouseDashboard',
  'editWarehouse',
  'viewStockReport',
  'viewConsumableReport',
] as const satisfies Allowed

export const documentAccess = {
  view: warehouseView,
  create: 'editWarehouse',
  update: 'editWarehouse',
  delete: 'editWarehouse',
} as const
