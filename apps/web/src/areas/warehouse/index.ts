/** What other areas may use of the warehouse. */
import { part } from '../../base/chunk.ts'

/** The block of the dashboard. */
export const StockBlock = part(() => import('./StockBlock.tsx'))
