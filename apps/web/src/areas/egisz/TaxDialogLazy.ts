import { part } from '#kit/chunk.ts'

/** Certificate of a patient's payments, for the tax office. */
export const TaxDialog = part(() => import('./TaxDialog.tsx'), null)
