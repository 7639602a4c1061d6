import { Menu, Text, UnstyledButton } from '@mantine/core'
import { OldScript, ScriptGroup } from '@ordinator/model/areas/scripts/script'
import type { Row } from '@ordinator/model/entity'
import { IconFolderPlus, IconPencil, IconTrash } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { api } from '../../../base/api.ts'
import { ActionButton } from '../../../kit/ActionButton.tsx'
import { MenuItem } from '../../../kit/ActionMenu.tsx'
import { Dialog } from '../../../kit/Dialog.tsx'
import { OrderedRow } from '../../../kit/OrderedRow.tsx'
import { VStack } from '../../../kit/Stacks.tsx'
import type { SortPlace } from '../../../kit/useSortable.ts'
import { RecordForm } from '../../../records/RecordForm.tsx'
import { retries } from '../../../records/reads.ts'
import { useMove, useRemove, useSave } from '../../../records/writes.ts'
import type { ScriptsAddress } from '../address.ts'
import classes from './GroupTree.module.css'
import { treeOf, underOf } from './groups.ts'

type Group = Row<typeof ScriptGroup>

interface Props {
  groups: readonly Group[]
  chosen: ScriptsAddress['group']
  onChoose: (group: ScriptsAddress['group']) => void
}

/** The tree of groups: choosing one, and putting them in order. */
export function GroupTree({ groups, chosen, onChoose }: Props) {
  /** The group whose form is open; a new one has no id. */
  const [form, setForm] = useState<Group | { idParentGroup: number | null }>()
  const tree = useMemo(() => treeOf(groups), [groups])
  const count = useCounts(groups)
  const move = useMove(ScriptGroup)
  const save = useSave(ScriptGroup)
  const remove = useRemove(ScriptGroup)
  const put = async (id: number, place: SortPlace) => {
    const beside = groups.find((one) => one.id === (place.before ?? place.after))
    const moved = groups.find((one) => one.id === id)
    if (!beside || !moved || underOf(groups, id).includes(beside.id)) return
    const parent = beside.idParentGroup
    if (parent === moved.idParentGroup) return move.mutate({ id, ...place })
    if (parent !== null) return move.mutate({ id, ...place, to: { idParentGroup: parent } })
    // A move names the group it goes to by a number; out of all groups it goes by a change.
    await save.mutateAsync({ id, idParentGroup: null })
    move.mutate({ id, ...place })
  }
  return (
    <VStack component="nav" gap={2} miw={0} aria-label="Группы скриптов">
      <Line text="Все скрипты" count={count()} chosen={chosen === undefined} onChoose={() => onChoose(undefined)} />
      <Line text="Без группы" count={count(null)} chosen={chosen === 'none'} onChoose={() => onChoose('none')} />
      <ul>
        {tree.map(({ group, depth, beside }) => (
          <OrderedRow
            key={group.id}
            kind="script-groups"
            row={group}
            rows={beside}
            name={group.name}
            mayEdit
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
                  label="Удалить"
                  icon={IconTrash}
                  danger
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
              text={group.name}
              depth={depth}
              count={count(group.id)}
              chosen={group.id === chosen}
              onChoose={() => onChoose(group.id)}
            />
          </OrderedRow>
        ))}
      </ul>
      <ActionButton
        label="Новая группа"
        className={classes.add}
        variant="subtle"
        size="compact-md"
        icon={IconFolderPlus}
        onClick={() => setForm({ idParentGroup: null })}
      />
      {form && (
        <Dialog onClose={() => setForm(undefined)} title={'id' in form ? 'Группа скриптов' : 'Новая группа'} size={440}>
          <RecordForm
            entity={ScriptGroup}
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

/** Scripts of a group with all under it, of none (null), and all of them. */
function useCounts(groups: readonly Group[]): (idGroup?: number | null) => number | undefined {
  const { data } = useQuery({
    queryKey: ['records', OldScript.path, 'counts'],
    queryFn: ({ signal }) => api('GET /old-scripts/counts', {}, { signal, forbidden: 'silent' }),
    retry: retries,
  })
  return (idGroup) => {
    if (!data) return undefined
    const under = idGroup ? underOf(groups, idGroup) : []
    return data
      .filter((one) => idGroup === undefined || one.idGroup === idGroup || (one.idGroup && under.includes(one.idGroup)))
      .reduce((sum, { count }) => sum + count, 0)
  }
}
