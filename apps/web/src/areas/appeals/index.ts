/** What appeals publish to others. */

export { EndDialog, type Ending } from './EndDialog.tsx'
export { useBulkEnd } from './useBulkEnd.tsx'
