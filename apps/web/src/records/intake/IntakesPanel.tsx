import { Badge } from '@mantine/core'
import type { Entity, Row } from '@ordinator/model/entity'
import type { ReactNode } from 'react'
import { SidePanel } from '#kit/SidePanel.tsx'
import { EditableList } from '../EditableList.tsx'

interface Props<E extends Entity> {
  /** An entity of webhooks for outside senders: `name`, `isActive`, `key`, `hasSecret`. */
  entity: E
  title: string
  /** Purpose of a webhook, shown while there is none. */
  empty: string
  /** Fields of its form, in order. */
  fields: readonly string[]
  /** Beside the name: its kind. */
  about: (intake: Row<E>) => ReactNode
  /** Its addresses and secret. */
  children: (intake: Row<E>) => ReactNode
  onClose: () => void
}

/** Incoming webhooks: their addresses, secrets and settings. */
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
