/** Public parts of the sick leaves area. */
import { part } from '#kit/chunk.ts'

export { Notice } from './Notice.tsx'

/** Dashboard block. */
export const LeaveBlock = part(() => import('./LeaveBlock.tsx'))
