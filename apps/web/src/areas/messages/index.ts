/** Public parts of the messages area. */
import { part } from '#base/chunk.ts'

/** Bulk messages. */
export const MailDialog = part(() => import('./MailDialog.tsx'))
