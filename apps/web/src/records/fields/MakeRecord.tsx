import { declaredAt, type Entity } from '@ordinator/model/entity'
import { wordsOf } from '@ordinator/model/registry'
import { SidePanel } from '#kit/SidePanel.tsx'
import { RegistryForm } from '../registry/RegistryRecord.tsx'
import type { AnyRow } from './ui.ts'

interface Props {
  /** Path of an entity with a loaded declaration. */
  to: string
  initial: object
  onMade: (row: AnyRow) => void
  onClose: () => void
}

/** A form for a new record of another entity, over the form that needs it. */
export default function MakeRecord({ to, initial, onMade, onClose }: Props) {
  const entity = declaredAt(to) as Entity
  return (
    <SidePanel opened onClose={onClose} title={wordsOf(entity).fresh}>
      <RegistryForm
        entity={entity}
        initial={initial}
        draft="in place"
        onMade={(row) => onMade(row as AnyRow)}
        onCancel={onClose}
      />
    </SidePanel>
  )
}
