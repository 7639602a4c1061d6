import { type Entity, keptBecause } from '@ordinator/model/entity'
import { IconTrash } from '@tabler/icons-react'
import { useActor } from '../base/session.ts'
import { MenuItem } from '../kit/ActionMenu.tsx'

interface Props {
  entity: Entity
  /** With the fields that `kept` of the entity reads. */
  row: object
  label?: string
  onRemove: () => void
}

/** Deletes a record, from its menu; where it can be deleted by nobody it says why before the click. */
export function RemoveItem({ entity, row, label = 'Удалить', onRemove }: Props) {
  const kept = keptBecause(entity, row, useActor())
  return (
    <MenuItem
      // The words stand in the menu itself: who is told by a tooltip alone is told nothing on a phone.
      label={kept ?? label}
      maw={WIDTH}
      style={{ whiteSpace: 'normal' }}
      danger
      icon={IconTrash}
      disabled={kept !== undefined}
      onClick={onRemove}
    />
  )
}

/** Pixels, over which the words of a reason take another line. */
const WIDTH = 320
