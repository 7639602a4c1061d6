export { base64Of } from './base64.ts'
export { SignDialog } from './SignDialog.tsx'
export type { ToSign } from './signAll.ts'
