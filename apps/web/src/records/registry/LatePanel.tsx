import type { Entity } from '@ordinator/model/entity'
import { useEffect, useState } from 'react'
import { loadChunk } from '#base/chunk.ts'
import type { PanelProps, RegistryPanel } from './RegistryPanel.tsx'

let loaded: typeof RegistryPanel | undefined

/** Loads the panel of a record with its form: half of what a list itself needs. */
async function loadPanel(): Promise<void> {
  loaded ??= (await loadChunk(() => import('./RegistryPanel.tsx'))).RegistryPanel
}

/** Loads it with the user's first movement or key on the page, before a record is opened. */
export function useLoadAhead(): void {
  useEffect(() => {
    const ahead = () => {
      stop()
      loadPanel().catch(() => {})
    }
    const stop = () => {
      for (const deed of deeds) removeEventListener(deed, ahead)
    }
    for (const deed of deeds) addEventListener(deed, ahead)
    return stop
  }, [])
}

const deeds = ['pointermove', 'pointerdown', 'keydown'] as const

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
