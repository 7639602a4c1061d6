import { part } from '#base/chunk.ts'

export const HandoverDialog = part(() => import('./HandoverDialog.tsx'))
