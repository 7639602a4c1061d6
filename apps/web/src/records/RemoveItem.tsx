import { type Entity, keptBecause } from '@ordinator/model/entity'
import { IconTrash } from '@tabler/icons-react'
import { useActor } from '#base/session.ts'
import { MenuItem } from '#kit/ActionMenu.tsx'

interface Props {
  entity: Entity
  /** Includes the fields that `kept` of the entity uses. */
  row: object
  label?: string
  onRemove: () => void
}

/** Menu item that deletes a record; if it cannot be deleted, it shows the reason before the click. */
export function RemoveItem({ entity, row, label = 'Удалить', onRemove }: Props) {
  const kept = keptBecause(entity, row, useActor())
  return (
    <MenuItem
      // The reason is the label itself: a phone has no tooltips.
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

/** Pixels after which a long reason wraps. */
const WIDTH = 320
