import { ActionIcon, Badge, Button, Group } from '@mantine/core'
import type { Entity, Row } from '@ordinator/model/entity'
import { IconPencil, IconPlus, IconTrash } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { EmptyState } from '../../kit/EmptyState.tsx'
import { ErrorState } from '../../kit/ErrorState.tsx'
import { SidePanel } from '../../kit/SidePanel.tsx'
import { LinesSkeleton } from '../../kit/Skeletons.tsx'
import type { AnyRow } from '../fields/ui.ts'
import { RecordField } from '../form/RecordField.tsx'
import { RecordForm } from '../RecordForm.tsx'
import { useList } from '../reads.ts'
import { useRemove } from '../writes.ts'
import classes from './Intakes.module.css'

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
  const [editing, setEditing] = useState<number | 'new'>()
  const list = useList(entity, { sort: 'name' as never, limit: 100 }, { forbidden: 'silent' })
  const intakes = (list.data?.items ?? []) as unknown as (Row<E> & Intake)[]
  const form = (intake?: Row<E>) => (
    <div className={classes.form}>
      <RecordForm
        entity={entity}
        record={intake}
        onSaved={() => setEditing(undefined)}
        onCancel={() => setEditing(undefined)}
      >
        {fields.map((name, at) => (
          <RecordField key={name} name={name} autoFocus={at === 0} />
        ))}
      </RecordForm>
    </div>
  )
  return (
    <SidePanel opened onClose={onClose} title={title}>
      {list.isPending && <LinesSkeleton lines={4} />}
      {list.isError && (
        <ErrorState title="Приёмы не загрузились" error={list.error} onRetry={() => void list.refetch()} />
      )}
      {list.isSuccess && intakes.length === 0 && editing === undefined && (
        <EmptyState title="Приёмов нет" text={empty} />
      )}
      <ul className={classes.list} aria-label={title}>
        {intakes.map((intake) =>
          editing === intake.id ? (
            <li key={intake.id}>{form(intake)}</li>
          ) : (
            <IntakeItem
              key={intake.id}
              entity={entity}
              intake={intake}
              about={about(intake)}
              onEdit={() => setEditing(intake.id)}
            >
              {children(intake)}
            </IntakeItem>
          ),
        )}
      </ul>
      {editing === 'new' ? (
        form()
      ) : (
        <Button mt="md" variant="default" leftSection={<IconPlus size={16} />} onClick={() => setEditing('new')}>
          Новый приём
        </Button>
      )}
    </SidePanel>
  )
}

type Intake = AnyRow & { name: string; isActive: boolean }

interface ItemProps {
  entity: Entity
  intake: Intake
  about: ReactNode
  onEdit: () => void
  children: ReactNode
}

function IntakeItem({ entity, intake, about, onEdit, children }: ItemProps) {
  const remove = useRemove(entity, { message: `Приём «${intake.name}» удалён` })
  return (
    <li className={classes.item}>
      <div className={classes.face}>
        <div className={classes.who}>
          <strong className={classes.name}>{intake.name}</strong>
          <span className={classes.meta}>
            <span>{about}</span>
            {!intake.isActive && <Badge color="gray">Выключен</Badge>}
          </span>
        </div>
        <Group gap={4}>
          <ActionIcon variant="subtle" color="gray" aria-label={`Изменить: ${intake.name}`} onClick={onEdit}>
            <IconPencil size={16} />
          </ActionIcon>
          <ActionIcon
            variant="subtle"
            color="gray"
            aria-label={`Удалить: ${intake.name}`}
            onClick={() => remove.mutate(intake.id)}
          >
            <IconTrash size={16} />
          </ActionIcon>
        </Group>
      </div>
      {children}
    </li>
  )
}
