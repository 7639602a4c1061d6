import { Menu, Text, UnstyledButton } from '@mantine/core'
import { can } from '@ordinator/model/access'
import type { Entity, Row } from '@ordinator/model/entity'
import { wordsOf } from '@ordinator/model/registry'
import { IconFolderPlus, IconPencil, IconTrash } from '@tabler/icons-react'
import { useMemo, useState } from 'react'
import { useActor } from '#base/session.ts'
import { ActionButton } from '#kit/ActionButton.tsx'
import { MenuItem } from '#kit/ActionMenu.tsx'
import { Dialog } from '#kit/Dialog.tsx'
import { OrderedRow } from '#kit/OrderedRow.tsx'
import { VStack } from '#kit/Stacks.tsx'
import type { SortPlace } from '#kit/useSortable.ts'
import { RecordForm } from '../RecordForm.tsx'
import { titleOf } from '../title.ts'
import { useMove, useRemove, useSave } from '../writes.ts'
import classes from './GroupTree.module.css'
import { type Chosen, type Group, treeOf, withSubgroups } from './groups.ts'

/** Number of records per group, without those of its subgroups. */
export type GroupCounts = readonly { idGroup: number | null; count: number }[]

interface Props<E extends Entity> {
  /** The entity of groups: with `idParentGroup` and a position. */
  entity: E
  groups: readonly (Row<E> & Group)[]
  counts: GroupCounts | undefined
  /** «Все скрипты» */
  all: string
  chosen: Chosen
  onChoose: (group: Chosen) => void
}

/** The tree of groups: selection and reordering. */
export function GroupTree<E extends Entity>({ entity, groups, counts, all, chosen, onChoose }: Props<E>) {
  type G = Row<E> & Group
  const actor = useActor()
  /** The group whose form is open; a new one has no id. */
  const [form, setForm] = useState<G | { idParentGroup: number | null }>()
  const tree = useMemo(() => treeOf(groups), [groups])
  const count = (idGroup?: number | null) => counts && countOf(counts, groups, idGroup)
  const move = useMove(entity)
  const save = useSave<Entity>(entity)
  const remove = useRemove(entity as Entity)
  const mayEdit = can(actor, 'update', entity)
  const mayCreate = can(actor, 'create', entity)
  const words = wordsOf(entity)
  /** The server refuses to delete a non-empty group. */
  const isFilled = (id: number) => withSubgroups(groups, id).length > 1 || (count(id) ?? 0) > 0
  const put = async (id: number, place: SortPlace) => {
    const beside = groups.find((one) => one.id === (place.before ?? place.after))
    const moved = groups.find((one) => one.id === id)
    if (!beside || !moved || withSubgroups(groups, id).includes(beside.id)) return
    const parent = beside.idParentGroup
    if (parent === moved.idParentGroup) return move.mutate({ id, ...place })
    if (parent !== null) return move.mutate({ id, ...place, to: { idParentGroup: parent } })
    // A move needs the number of the target group; moving to the top level is an update.
    await save.mutateAsync({ id, idParentGroup: null })
    move.mutate({ id, ...place })
  }
  return (
    <VStack component="nav" gap={2} miw={0} aria-label={`Дерево ${entity.label[2]}`}>
      <Line text={all} count={count()} chosen={chosen === undefined} onChoose={() => onChoose(undefined)} />
      <Line text="Без группы" count={count(null)} chosen={chosen === 'none'} onChoose={() => onChoose('none')} />
      <ul className={classes.groups}>
        {tree.map(({ group, depth, beside }) => (
          <OrderedRow
            key={group.id}
            kind={entity.path}
            row={group}
            rows={beside}
            name={titleOf(entity, group)}
            mayEdit={mayEdit}
            onPut={(id, place) => void put(id, place)}
            menu={
              <>
                <Menu.Divider />
                <MenuItem label="Изменить или переместить" icon={IconPencil} onClick={() => setForm(group)} />
                <MenuItem
                  label="Новая подгруппа"
                  icon={IconFolderPlus}
                  onClick={() => setForm({ idParentGroup: group.id })}
                />
                <MenuItem
                  label={isFilled(group.id) ? 'Удалить можно только пустую группу' : 'Удалить'}
                  icon={IconTrash}
                  danger
                  disabled={isFilled(group.id)}
                  onClick={() =>
                    remove.mutate(group.id, {
                      onSuccess: () => group.id === chosen && onChoose(undefined),
                    })
                  }
                />
              </>
            }
          >
            <Line
              text={titleOf(entity, group)}
              depth={depth}
              count={count(group.id)}
              chosen={group.id === chosen}
              onChoose={() => onChoose(group.id)}
            />
          </OrderedRow>
        ))}
      </ul>
      {mayCreate && (
        <ActionButton
          label="Новая группа"
          className={classes.add}
          variant="subtle"
          size="compact-md"
          icon={IconFolderPlus}
          onClick={() => setForm({ idParentGroup: null })}
        />
      )}
      {form && (
        <Dialog onClose={() => setForm(undefined)} title={'id' in form ? entity.label[0] : words.fresh} size={440}>
          <RecordForm<Entity>
            entity={entity}
            record={'id' in form ? form : undefined}
            initial={{ idParentGroup: form.idParentGroup }}
            onSaved={() => setForm(undefined)}
            onCancel={() => setForm(undefined)}
          />
        </Dialog>
      )}
    </VStack>
  )
}

interface LineProps {
  text: string
  depth?: number
  count: number | undefined
  chosen: boolean
  onChoose: () => void
}

const Line = ({ text, depth = 0, count, chosen, onChoose }: LineProps) => (
  <UnstyledButton
    className={classes.line}
    data-chosen={chosen || undefined}
    aria-current={chosen || undefined}
    style={{ paddingInlineStart: 8 + depth * INDENT }}
    onClick={onChoose}
  >
    <Text span inherit miw={0} flex={1} className="breaks">
      {text}
    </Text>
    <span className={`${classes.count} tabular`}>{count}</span>
  </UnstyledButton>
)

/** Pixels. */
const INDENT = 16

/** Number of records of a group including subgroups, of none (null), or in total. */
function countOf(counts: GroupCounts, groups: readonly Group[], idGroup?: number | null): number {
  const under = idGroup ? withSubgroups(groups, idGroup) : []
  return counts
    .filter((one) => idGroup === undefined || one.idGroup === idGroup || (one.idGroup && under.includes(one.idGroup)))
    .reduce((sum, { count }) => sum + count, 0)
}
