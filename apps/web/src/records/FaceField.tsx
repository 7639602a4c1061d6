import type { Entity } from '@ordinator/model/entity'
import { useMutation } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { errorMessage } from '#base/apiError.ts'
import { uploadFile } from '#base/apiUpload.ts'
import { FaceEditor } from '#kit/FaceEditor.tsx'
import { notify } from '#kit/notify.tsx'
import { useCan } from './Can.tsx'
import { rulesOf } from './uploads.ts'

interface Props {
  /** The entity of the record: users who may edit it may replace or remove the picture. */
  entity: Entity
  /** The entity of the stored files. */
  files: Entity
  /** The id of the current picture. */
  value: number | null
  /** Writes the id of another picture to the record. */
  onPut: (id: number | null) => Promise<unknown>
  /** The current avatar. */
  children: ReactNode
}

/** The picture of a record's person. */
export function FaceField({ entity, files, value, onPut, children }: Props) {
  const mayEdit = useCan('update', entity)
  const send = useMutation({
    mutationFn: async (file: File) => onPut((await uploadFile(files, file, { forbidden: 'toast' })).id),
    onSuccess: () => notify.success('Фотография обновлена'),
    onError: (error) => notify.error(errorMessage(error), { title: 'Фотография не сохранена' }),
  })
  const remove = useMutation({
    mutationFn: async () => {
      await onPut(null)
      return value
    },
    onSuccess: (before) => notify.undo('Фотография удалена', async () => void (await onPut(before))),
  })
  if (!mayEdit) return children
  return (
    <FaceEditor
      rules={rulesOf(files)}
      onChoose={(file) => send.mutate(file)}
      onRemove={value === null ? undefined : () => remove.mutate()}
    >
      {children}
    </FaceEditor>
  )
}
