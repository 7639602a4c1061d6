/** Public parts of the laboratory area. */
import { part } from '#kit/chunk.ts'

export { OrderTestsButton, OrderTestsItem } from './OrderTests.tsx'

/** Inserts a patient's latest values into a text. */
export const InsertResults = part(() => import('./InsertResults.tsx'))
/** Dashboard block. */
export const LaboratoryBlock = part(() => import('./WorkBlock.tsx'))
