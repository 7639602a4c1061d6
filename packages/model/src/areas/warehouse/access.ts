import type { Allowed } from '../../access.ts'

/** Rights to see documents and stock of the user's warehouses. */
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
