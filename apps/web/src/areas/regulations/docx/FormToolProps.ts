import type { DraftActs } from '../editor/useRegulationDraft.ts'

/** Props of tools in the form's header; they change the form by `acts`. */
export interface FormToolProps {
  acts: DraftActs
  /** The regulation is not saved yet. */
  isNew: boolean
}
