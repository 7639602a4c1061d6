/** Public parts of the treatment plans area. */
import { createElement } from 'react'
import { part } from '#base/chunk.ts'
import { LinesSkeleton } from '#kit/Skeletons.tsx'

/** The plans of a patient, for the card. */
export const CustomerPlans = part(() => import('./CustomerPlans.tsx'), createElement(LinesSkeleton, { lines: 6 }))
