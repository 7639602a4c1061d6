/** Public parts of the imports area. */

export { ImportDialogLazy as ImportDialog } from './ImportDialogLazy.tsx'
