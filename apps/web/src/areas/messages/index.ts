/** Public parts of the messages area. */
import { part } from '#kit/chunk.ts'

/** Bulk messages. */
export const MailDialog = part(() => import('./MailDialog.tsx'))
