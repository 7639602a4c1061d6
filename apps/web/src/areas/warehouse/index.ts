/** What other areas may use of the warehouse. */
import { part } from '#base/chunk.ts'

/** Dashboard block. */
export const StockBlock = part(() => import('./StockBlock.tsx'))
