/** Public parts of the ЕГИСЗ area. */
import { part } from '#kit/chunk.ts'

/** Dashboard block. */
export const ExchangeBlock = part(() => import('./ExchangeBlock.tsx'))
