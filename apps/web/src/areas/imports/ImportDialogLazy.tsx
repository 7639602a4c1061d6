import { lazy, Suspense } from 'react'
import type { ImportDialogProps } from './importCalls.ts'

const ImportDialog = lazy(() => import('./ImportDialog.tsx'))

/** The import of a file, step by step; its code comes when it is first shown. */
export function ImportDialogLazy(props: ImportDialogProps) {
  return (
    <Suspense>
      <ImportDialog {...props} />
    </Suspense>
  )
}
