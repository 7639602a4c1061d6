/** Public parts of the examinations area. */
import { createElement } from 'react'
import { part } from '#base/chunk.ts'
import { RevealDelay } from '#kit/RevealTogether.tsx'
import { LinesSkeleton } from '#kit/Skeletons.tsx'

/** Examinations of a patient, for the card. */
export const CustomerExaminations = part(
  () => import('./CustomerExaminations.tsx'),
  createElement(LinesSkeleton, { lines: 5 }),
)
/** Examinations of a visit, for its panel. */
export const VisitExaminations = part(() => import('./VisitExaminations.tsx'), createElement(RevealDelay))

export { loadTerms } from './editor/loadTerms.ts'
