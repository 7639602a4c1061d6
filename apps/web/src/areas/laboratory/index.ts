/** Public parts of the laboratory area. */
import { createElement } from 'react'
import { part } from '#base/chunk.ts'
import { LinesSkeleton } from '#kit/Skeletons.tsx'

export { OrderTestsButton, OrderTestsItem } from './OrderTests.tsx'

/** Published values of a patient, for the card. */
export const CustomerResults = part(() => import('./CustomerResults.tsx'), createElement(LinesSkeleton, { lines: 6 }))
/** Inserts a patient's latest values into a text. */
export const InsertResults = part(() => import('./InsertResults.tsx'))
/** Dashboard block. */
export const LaboratoryBlock = part(() => import('./WorkBlock.tsx'))
