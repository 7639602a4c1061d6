/** Public parts of the clinical recommendations area. */
import { part } from '#base/chunk.ts'

/** Block in an examination. */
export const ClinicalBlock = part(() => import('./ClinicalBlock.tsx'))
