import { api } from '#base/api.ts'
import { ActionButton } from '#kit/ActionButton.tsx'
import { useAct } from '../movingCalls.ts'
import type { LoadedFile } from './loadedFile.ts'

/** Takes a file that is not loaded off the plan. */
export function DropButton({ file, onDropped }: { file: LoadedFile; onDropped: () => void }) {
  const drop = useAct(() => api('POST /moving/files/:id/drop', { params: { id: file.id } }))
  return (
    <ActionButton
      label="Убрать файл"
      variant="subtle"
      color="red"
      loading={drop.isPending}
      onClick={() => drop.mutate(undefined, { onSuccess: onDropped })}
    />
  )
}
