/** Public parts of the warehouse area. */
import { part } from '#base/chunk.ts'

/** Dashboard block. */
export const StockBlock = part(() => import('./StockBlock.tsx'))
