import { Climate } from './climate.ts'
import { DocumentLine, WarehouseDocument } from './document.ts'
import { GoodsName, InventoryCount } from './inventory.ts'
import { MdlpCode, MdlpDocument } from './mdlp.ts'
import { Batch, Stock, StockMove } from './stock.ts'
import { Warehouse } from './warehouse.ts'

/** Entities of this area. */
export const entities = [
  Warehouse,
  WarehouseDocument,
  DocumentLine,
  Batch,
  Stock,
  StockMove,
  InventoryCount,
  GoodsName,
  Climate,
  MdlpDocument,
  MdlpCode,
] as const
