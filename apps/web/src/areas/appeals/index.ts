/** Public parts of the appeals area. */

export { EndDialog, type Ending } from './EndDialog.tsx'
export { useBulkEnd } from './useBulkEnd.tsx'
