/** What the area of messages publishes to others. */
import { createElement } from 'react'
import { part } from '#base/chunk.ts'
import { LinesSkeleton } from '#kit/Skeletons.tsx'

/** Writes to many at once. */
export const MailDialog = part(() => import('./MailDialog.tsx'))

/** What a patient was written, for the card. */
export const CustomerMessages = part(() => import('./CustomerMessages.tsx'), createElement(LinesSkeleton, { lines: 5 }))
