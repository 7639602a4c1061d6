import { part } from '#kit/chunk.ts'

export const HandoverDialog = part(() => import('./HandoverDialog.tsx'))
