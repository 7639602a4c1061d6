import { part } from '#kit/chunk.ts'
import type { ImportDialogProps } from './importCalls.ts'

const ImportDialog = part(() => import('./ImportDialog.tsx'))

/** Lazily loaded import wizard. */
export function ImportDialogLazy(props: ImportDialogProps) {
  return <ImportDialog {...props} />
}
