import { RegulationFile } from '@ordinator/model/areas/regulations/step'
import type { Row } from '@ordinator/model/entity'
import { useEffect, useId } from 'react'
import { type UploadTarget, uploads } from '#records/uploads.ts'
import { useUploads } from '#records/useUploads.ts'

/** A stored file, as in the upload's response. */
export type StoredFile = Pick<Row<typeof RegulationFile>, 'id' | 'url' | 'name' | 'size' | 'extension'>

/** Uploads of a step; cancelled when the form closes. */
export function useStepUploads(onStored: (file: StoredFile) => void) {
  const key = `regulation-step:${useId()}`
  const going = useUploads(key)
  useEffect(
    () => () => {
      for (const one of uploads.all()) if (one.key === key) uploads.cancel(one.id)
    },
    [key],
  )
  const target: UploadTarget = {
    key,
    stored: RegulationFile,
    take: async (file: StoredFile) => onStored(file),
    whereToLook: 'Откройте регламент, чтобы повторить.',
  }
  return { going, send: (files: File[]) => uploads.add(target, files) }
}
