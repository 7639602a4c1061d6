/** Public parts of the messages area. */
import { createElement } from 'react'
import { part } from '#base/chunk.ts'
import { LinesSkeleton } from '#kit/Skeletons.tsx'

/** Bulk messages. */
export const MailDialog = part(() => import('./MailDialog.tsx'))

/** Messages to a patient, for the card. */
export const CustomerMessages = part(() => import('./CustomerMessages.tsx'), createElement(LinesSkeleton, { lines: 5 }))
