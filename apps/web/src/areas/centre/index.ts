/** What the contact centre publishes to others. */

export { HandoverButton, HandoverDialog } from './Handover.tsx'
export { HandoverNotes } from './HandoverNotes.tsx'
