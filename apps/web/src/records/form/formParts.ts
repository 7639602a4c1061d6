/** Parts of a form that are saved after its record: pictures, lines. */
export interface FormParts {
  dirty: boolean
  /** Reason why the form cannot be saved yet. */
  wait?: string
  /** Saves the parts. On an exception the record stays saved, the form stays open, and saving again resumes here. */
  save: (idRecord: number) => Promise<void>
  /** Reverts to the saved state. */
  discard: () => void
}
