import { part } from '#base/chunk.ts'
import type { ImportDialogProps } from './importCalls.ts'

const ImportDialog = part(() => import('./ImportDialog.tsx'))

/** The import of a file, step by step; its code comes when it is first shown. */
export function ImportDialogLazy(props: ImportDialogProps) {
  return <ImportDialog {...props} />
}
