/** What the area of messages publishes to others. */
import { lazy } from 'react'
import { loadChunk } from '../../base/chunk.ts'

/** Writes to many at once. */
export const MailDialog = lazy(() => loadChunk(() => import('./MailDialog.tsx')))

/** What a patient was written, for the card. */
export const CustomerMessages = lazy(() => loadChunk(() => import('./CustomerMessages.tsx')))
