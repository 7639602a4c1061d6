/** What other areas may use of electronic documents. */
import { part } from '../../base/chunk.ts'

/** The certificate of what a patient has paid, for the tax office. */
export const TaxDialog = part(() => import('./TaxDialog.tsx'), null)
