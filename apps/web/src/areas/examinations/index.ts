/** What the area of examinations publishes to others. */
import { lazy } from 'react'
import { loadChunk } from '../../base/chunk.ts'

/** The examinations of a patient, for the card. */
export const CustomerExaminations = lazy(() => loadChunk(() => import('./CustomerExaminations.tsx')))
/** Those of a visit, for its panel. */
export const VisitExaminations = lazy(() => loadChunk(() => import('./VisitExaminations.tsx')))
