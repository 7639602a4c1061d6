/** Public parts of the clinical recommendations area. */
import { part } from '#kit/chunk.ts'

/** Block in an examination. */
export const ClinicalBlock = part(() => import('./ClinicalBlock.tsx'))
