import {
  IconBuildingWarehouse,
  IconFileInvoice,
  IconListCheck,
  IconPackages,
  IconQrcode,
  IconStack2,
  IconTemperature,
} from '@tabler/icons-react'
import type { Area } from '#base/area.ts'

/** Icons and screens of the pages of this area; `app/webAreas.ts` lists the areas. */
export const warehouse = {
  icons: {
    warehouse: IconBuildingWarehouse,
    stockDocuments: IconFileInvoice,
    inventory: IconListCheck,
    goods: IconPackages,
    mdlp: IconQrcode,
    batches: IconStack2,
    climate: IconTemperature,
  },
  screens: {
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
  },
} satisfies Area
