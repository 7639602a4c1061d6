/** Public parts of the sick leaves area. */
import { createElement } from 'react'
import { part } from '#base/chunk.ts'
import { LinesSkeleton } from '#kit/Skeletons.tsx'

/** Sick leaves of a patient, for the card. */
export const CustomerSickLeaves = part(
  () => import('./CustomerSickLeaves.tsx'),
  createElement(LinesSkeleton, { lines: 6 }),
)

/** Search for the СНИЛС of a card. */
export const SnilsHistory = part(() => import('./SnilsHistory.tsx'), null)

export { Notice } from './Notice.tsx'

/** Dashboard block. */
export const LeaveBlock = part(() => import('./LeaveBlock.tsx'))
