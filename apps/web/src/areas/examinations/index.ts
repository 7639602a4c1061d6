/** Public parts of the examinations area. */
import { createElement } from 'react'
import { part } from '#kit/chunk.ts'
import { RevealDelay } from '#kit/RevealTogether.tsx'

/** Examinations of a visit, for its panel. */
export const VisitExaminations = part(() => import('./VisitExaminations.tsx'), createElement(RevealDelay))
