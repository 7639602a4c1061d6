/** What other areas may use of the exchange with ЕГИСЗ. */
import { part } from '#base/chunk.ts'

/** The certificate of what a patient has paid, for the tax office. */
export const TaxDialog = part(() => import('./TaxDialog.tsx'), null)

/** Dashboard block. */
export const ExchangeBlock = part(() => import('./ExchangeBlock.tsx'))
