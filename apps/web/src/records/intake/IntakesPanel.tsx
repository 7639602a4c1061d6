import { Badge } from '@mantine/core'
import type { Entity, Row } from '@ordinator/model/entity'
import type { ReactNode } from 'react'
import { SidePanel } from '../../kit/SidePanel.tsx'
import { EditableList } from '../EditableList.tsx'

interface Props<E extends Entity> {
  /** An entity of doors that the outside world posts by: `name`, `isActive`, `key`, `hasSecret`. */
  entity: E
  title: string
  /** Says what a door is for while there is none. */
  empty: string
  /** Names of the fields of its form, in their order. */
  fields: readonly string[]
  /** Beside the name: of what kind it is. */
  about: (intake: Row<E>) => ReactNode
  /** Its addresses and its secret. */
  children: (intake: Row<E>) => ReactNode
  onClose: () => void
}

/** The doors by which something comes in from outside: their addresses, secrets and words. */
export function IntakesPanel<E extends Entity>({ entity, title, empty, fields, about, children, onClose }: Props<E>) {
  return (
    <SidePanel opened onClose={onClose} title={title}>
      <EditableList
        entity={entity}
        label={title}
        fields={fields}
        add="Новый приём"
        empty={{ title: 'Приёмов нет', text: empty }}
        removed={(name) => `Приём «${name}» удалён`}
        about={(intake) => (
          <>
            <span>{about(intake)}</span>
            {!(intake as { isActive?: boolean }).isActive && <Badge color="gray">Выключен</Badge>}
          </>
        )}
      >
        {children}
      </EditableList>
    </SidePanel>
  )
}
