/** Public parts of the contact centre area. */

export { DutiesDialog } from './Duties.tsx'
export { HandoverButton, HandoverDialog, SimulatorButton } from './Handover.tsx'
export { HandoverNotes } from './HandoverNotes.tsx'
export { RetentionCount } from './RetentionCount.tsx'
