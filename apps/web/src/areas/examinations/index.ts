/** What the area of examinations publishes to others. */
import { createElement } from 'react'
import { part } from '#base/chunk.ts'
import { Hold } from '#kit/Holding.tsx'
import { LinesSkeleton } from '#kit/Skeletons.tsx'

/** The examinations of a patient, for the card. */
export const CustomerExaminations = part(
  () => import('./CustomerExaminations.tsx'),
  createElement(LinesSkeleton, { lines: 5 }),
)
/** Those of a visit, for its panel. */
export const VisitExaminations = part(() => import('./VisitExaminations.tsx'), createElement(Hold))

export { loadTerms } from './editor/loadTerms.ts'
