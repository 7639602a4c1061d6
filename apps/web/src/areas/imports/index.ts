/** What the imports area publishes to others. */

export { ImportDialogLazy as ImportDialog } from './ImportDialogLazy.tsx'
