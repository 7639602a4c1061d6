import type { Entity } from '@ordinator/model/entity'
import { useEffect, useState } from 'react'
import { loadChunk } from '#kit/chunk.ts'
import type { PanelProps, RegistryPanel } from './RegistryPanel.tsx'

let loaded: typeof RegistryPanel | undefined

/** Loads the panel of a record with its form: half of what a list itself needs. */
export async function loadPanel(): Promise<void> {
  loaded ??= (await loadChunk(() => import('./RegistryPanel.tsx'))).RegistryPanel
}

/** The panel of a record, once its code is there. Not a `part`, which would lose the type of the entity. */
export function LatePanel<E extends Entity>(props: PanelProps<E>) {
  const [Panel, setPanel] = useState(() => loaded)
  const [error, setError] = useState<unknown>()
  useEffect(() => {
    if (!Panel)
      loadPanel().then(
        () => setPanel(() => loaded),
        (reason) => setError(reason),
      )
  }, [Panel])
  if (error) throw error
  return Panel ? <Panel {...props} /> : null
}
