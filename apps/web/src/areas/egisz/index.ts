/** What other areas may use of the exchange with ЕГИСЗ. */
import { part } from '../../base/chunk.ts'

/** The block of the dashboard. */
export const ExchangeBlock = part(() => import('./ExchangeBlock.tsx'))
