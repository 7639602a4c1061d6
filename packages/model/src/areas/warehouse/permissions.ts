/** Permissions of this area by the groups of `permissions.ts`, which joins them. */
export const warehousePermissions = {
  warehouseDashboard: 'Склад',
  viewStockReport: 'Остатки',
  viewConsumableReport: 'Расходные материалы',
  editWarehouse: 'Склад: документы и инвентаризации', // proposed
  viewAllWarehouses: 'Склад: все склады', // proposed
  editMdlp: 'МДЛП: приёмка, выдача, вскрытие коробов', // proposed
} as const
