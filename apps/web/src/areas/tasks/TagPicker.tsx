import { TaskTag } from '@ordinator/model/areas/tasks/task'
import { useMemo } from 'react'
import { distinctTags, type NamedTag, TagPicker as Picker } from '#kit/TagPicker.tsx'
import { useList } from '#records/reads.ts'
import type { CardTag } from './cards.ts'

interface Props {
  idBoard: number
  tags: readonly CardTag[]
  onToggle: (tag: NamedTag) => void
}

/** Tag picker of a task, with the tags of its workspace. */
export function TagPicker({ idBoard, ...rest }: Props) {
  return <Picker known={useBoardTags(idBoard)} {...rest} />
}

/** Distinct tags of the workspace, with their latest colour and icon. */
export function useBoardTags(idBoard: number, enabled = true): NamedTag[] {
  const list = useList(
    TaskTag,
    { filter: { 'task.assigned.column.idBoard': idBoard }, sort: '-id', limit: 500, fields: ['name', 'color', 'icon'] },
    { enabled, forbidden: 'silent' },
  )
  return useMemo(() => distinctTags(list.data?.items ?? []), [list.data])
}
