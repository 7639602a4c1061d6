import { Text } from '@mantine/core'
import { can } from '@ordinator/model/access'
import type { Expanded, ExpandName } from '@ordinator/model/client'
import type { Create, Entity, Row } from '@ordinator/model/entity'
import { wordsOf } from '@ordinator/model/registry'
import { IconPencil, IconPlus, IconTrash } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { useActor } from '#base/session.ts'
import { ActionButton } from '#kit/ActionButton.tsx'
import { ErrorState } from '#kit/ErrorState.tsx'
import { IconButton } from '#kit/IconButton.tsx'
import { LinesSkeleton } from '#kit/Skeletons.tsx'
import { Block, HStack, VStack } from '#kit/Stacks.tsx'
import { useFocusBack } from '#kit/useFocusBack.ts'
import type { AnyRow } from '../fields/ui.ts'
import { RecordFields } from '../form/RecordFields.tsx'
import { RecordForm } from '../RecordForm.tsx'
import { asRows, useList } from '../reads.ts'
import { titleOf } from '../title.ts'
import { useRemove } from '../writes.ts'
import classes from './Registry.module.css'

/** The server's limit. */
const MAX_PARTS = 500

interface Props<E extends Entity, X extends ExpandName<E>> {
  entity: E
  /** The parent, as stored in the parts: `{ idCustomer: 5 }`. */
  of: Partial<Create<E>>
  /** Heading above the list. */
  title: string
  /** Fields of the form, in order. */
  fields: readonly (keyof E['fields'] & string)[]
  expand?: readonly X[]
  /** Renders one part. */
  face: (row: Expanded<E, X>) => ReactNode
  /** More actions for a part. */
  tools?: (row: Expanded<E, X>) => ReactNode
  /** In the form, below its fields. */
  beside?: ReactNode
}

/** A small list of a record's parts: created, edited and deleted in place, with undo. */
export function PartList<E extends Entity, X extends ExpandName<E> = never>(props: Props<E, X>) {
  const { entity, of, title, fields, expand, face, tools, beside } = props
  const actor = useActor()
  const [editing, setEditing] = useState<number | 'new'>()
  const root = useFocusBack<HTMLElement>(editing)
  const list = useList(entity as Entity, {
    filter: of as Record<string, number>,
    expand: expand as readonly string[] | undefined,
    limit: MAX_PARTS,
  })
  const remove = useRemove(entity as Entity)
  const words = wordsOf(entity)
  const rows = asRows<Row<E> & Expanded<E, X> & AnyRow>(list.data?.items)
  const mayEdit = can(actor, 'update', entity)
  const form = (row?: Row<E>) => (
    <Block framed p={12} bg="var(--ord-canvas)">
      <RecordForm
        entity={entity}
        record={row}
        fixed={of}
        draft={Object.entries(of).join()}
        saveLabel={row ? undefined : 'Добавить'}
        onSaved={() => setEditing(undefined)}
        onCancel={() => setEditing(undefined)}
      >
        <RecordFields names={fields} autoFocus />
        {beside}
      </RecordForm>
    </Block>
  )
  return (
    <section ref={root} aria-label={title} className={classes.parts}>
      <HStack justify="space-between" wrap mb={8}>
        <h2 className={classes.partsTitle}>{title}</h2>
        {can(actor, 'create', entity) && editing !== 'new' && (
          <ActionButton
            label={words.fresh}
            variant="default"
            size="compact-md"
            icon={IconPlus}
            data-opens="new"
            onClick={() => setEditing('new')}
          />
        )}
      </HStack>
      {list.isError ? (
        <ErrorState error={list.error} onRetry={() => void list.refetch()} />
      ) : list.isPending ? (
        <LinesSkeleton lines={2} />
      ) : (
        rows.length === 0 &&
        editing === undefined && <Text c="dimmed">{entity.registry?.empty.text ?? 'Пока пусто'}</Text>
      )}
      <VStack component="ul" gap={4}>
        {rows.map((row) =>
          editing === row.id ? (
            <li key={row.id}>{form(row)}</li>
          ) : (
            <HStack key={row.id} component="li" framed pl={12} pr={4} py={4} mih={40}>
              <Text component="div" miw={0} flex={1} className="breaks">
                {face(row)}
              </Text>
              {tools?.(row)}
              {mayEdit && (
                <>
                  <IconButton
                    icon={IconPencil}
                    data-opens={row.id}
                    label={`Изменить: ${titleOf(entity, row)}`}
                    onClick={() => setEditing(row.id)}
                  />
                  <IconButton
                    icon={IconTrash}
                    label={`Удалить: ${titleOf(entity, row)}`}
                    onClick={() => remove.mutate(row.id)}
                  />
                </>
              )}
            </HStack>
          ),
        )}
      </VStack>
      {editing === 'new' && <Block mt={rows.length ? 8 : 0}>{form()}</Block>}
    </section>
  )
}
