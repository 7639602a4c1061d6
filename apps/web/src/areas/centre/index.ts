/** What the contact centre publishes to others. */

export { HandoverButton, HandoverDialog, SimulatorButton } from './Handover.tsx'
export { HandoverNotes } from './HandoverNotes.tsx'
export { RetentionCount } from './RetentionCount.tsx'
