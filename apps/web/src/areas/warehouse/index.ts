/** Public parts of the warehouse area. */
import { part } from '#kit/chunk.ts'

/** Dashboard block. */
export const StockBlock = part(() => import('./StockBlock.tsx'))
