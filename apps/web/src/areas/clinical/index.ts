/** What other areas may use of clinical recommendations. */
import { part } from '#base/chunk.ts'

/** The block of an examination. */
export const ClinicalBlock = part(() => import('./ClinicalBlock.tsx'))
