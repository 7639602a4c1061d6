import type { Screens } from '#base/screens.ts'

/** Screens of the pages of this area; `app/screens.ts` joins them. */
export const screens = {
  warehouse: () => import('./WarehousePage.tsx'),
  warehouseGoods: () => import('./goods/GoodsPage.tsx'),
  warehouseDocuments: () => import('./DocumentsPage.tsx'),
  warehouseDocument: () => import('./document/DocumentPage.tsx'),
  inventory: () => import('./inventory/InventoryPage.tsx'),
  inventoryCount: () => import('./inventory/CountPage.tsx'),
  batches: () => import('./BatchesPage.tsx'),
  mdlp: () => import('./mdlp/MdlpPage.tsx'),
  pkuJournal: () => import('./PkuPage.tsx'),
  stockBalance: () => import('./StockBalancePage.tsx'),
} satisfies Screens
