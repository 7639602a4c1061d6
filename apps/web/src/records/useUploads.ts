import { useEffect, useMemo, useSyncExternalStore } from 'react'
import { type Upload, uploads } from './uploads.ts'

/** Uploads in progress of a target. */
export function useUploads(key: string): readonly Upload[] {
  const every = useSyncExternalStore(uploads.subscribe, uploads.all)
  useEffect(() => uploads.watch(key), [key])
  return useMemo(() => every.filter((one) => one.key === key), [every, key])
}
