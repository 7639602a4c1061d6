/** Public parts of the appeals area. */

export { CustomerPromises, useCustomerPromises } from './CustomerPromises.tsx'
export { EndDialog, type Ending } from './EndDialog.tsx'
export { useBulkEnd } from './useBulkEnd.tsx'
