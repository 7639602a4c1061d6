import type { DraftActs } from '../editor/useRegulationDraft.ts'

/** Controls of the form's head; what they make is put into the form by its acts. */
export interface FormToolProps {
  acts: DraftActs
  /** The regulation is not there yet. */
  isNew: boolean
}
