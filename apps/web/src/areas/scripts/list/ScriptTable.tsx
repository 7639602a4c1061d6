import { Button, Switch } from '@mantine/core'
import { OldScript, type ScriptGroup } from '@ordinator/model/areas/scripts/script'
import type { AnyFilter } from '@ordinator/model/client'
import type { Row } from '@ordinator/model/entity'
import { IconPencil, IconPlayerPause, IconPlayerPlay, IconTrash } from '@tabler/icons-react'
import { useMemo } from 'react'
import { useGo } from '#base/address.ts'
import { MenuItem } from '#kit/ActionMenu.tsx'
import { Muted } from '#kit/Words.tsx'
import { RecordTable } from '#records/RecordTable.tsx'
import type { BulkAction } from '#records/table/BulkBar.tsx'
import { bulkRecords, useBulkRun } from '#records/table/useBulkRun.ts'
import { groupAction } from '#records/tree/groupAction.tsx'
import { useSave } from '#records/writes.ts'
import { scriptHref } from '../address.ts'
import { ScriptMenu } from './ScriptMenu.tsx'
import { UsedBy } from './UsedBy.tsx'
import { useScriptActs } from './useScriptActs.ts'

type Script = Row<typeof OldScript>
type Group = Row<typeof ScriptGroup>

interface Props {
  /** Filter of the selected group. */
  filter: AnyFilter | undefined
  groups: readonly Group[]
  onCreate: () => void
}

/** Scripts of a group: active, length, usage. */
export function ScriptTable({ filter, groups, onCreate }: Props) {
  const go = useGo()
  const { mutate: save } = useSave(OldScript)
  const { remove } = useScriptActs()
  const actions = useBulkScripts(groups, remove)
  const columns = useMemo(
    () => [
      { key: 'name', width: 200 },
      { key: 'idGroup', width: 144 },
      {
        key: 'active',
        label: 'Действует',
        width: 128,
        cell: ({ id, name, active }: Script) => (
          <Switch
            checked={active}
            aria-label={`Действует: ${name}`}
            onChange={(event) => save({ id, active: event.currentTarget.checked })}
          />
        ),
      },
      { key: 'stepsCount', width: 80, sort: false as const },
      {
        key: 'funnelsCount',
        width: 96,
        sort: false as const,
        cell: ({ id, name, funnelsCount }: Script) => <Count id={id} count={funnelsCount} label={`Воронки: ${name}`} />,
      },
      {
        key: 'regulationStepsCount',
        label: 'Регламенты',
        width: 120,
        sort: false as const,
        cell: ({ id, name, regulationStepsCount }: Script) => (
          <Count id={id} count={regulationStepsCount} label={`Шаги регламентов: ${name}`} />
        ),
      },
      { key: 'dateChange', width: 148 },
      {
        key: 'menu',
        label: 'Действия',
        width: 96,
        actions: true,
        cell: (script: Script) => (
          <ScriptMenu script={script}>
            <MenuItem
              label="Изменить"
              icon={IconPencil}
              onClick={() => void go({ page: 'script', params: { id: script.id } })}
            />
          </ScriptMenu>
        ),
      },
    ],
    [go, save],
  )
  return (
    <RecordTable
      entity={OldScript}
      columns={columns}
      filter={filter}
      defaults={{ limit: 50 }}
      onOpen={({ id }) => void go({ page: 'script', params: { id } })}
      hrefOf={({ id }) => scriptHref(id)}
      isMuted={({ active }) => !active}
      actions={actions}
      removable={false}
      empty={{
        title: filter ? 'В группе нет скриптов' : 'Скриптов пока нет',
        text: 'Скрипт подсказывает, что говорить: текст и шаги разговора с ответами.',
        action: <Button onClick={onCreate}>Создать скрипт</Button>,
      }}
    />
  )
}

const Count = ({ id, count, label }: { id: number; count: number | null; label: string }) =>
  count ? (
    <UsedBy id={id} label={`${label}, ${count}`}>
      {count}
    </UsedBy>
  ) : (
    <Muted>0</Muted>
  )

function useBulkScripts(
  groups: readonly Group[],
  remove: (scripts: readonly Script[]) => Promise<boolean>,
): BulkAction<Script>[] {
  const run = useBulkRun<Script>({
    forms: ['скрипт', 'скрипта', 'скриптов'],
    nameOf: (script) => script.name,
    paths: [],
  })
  const update = (all: Script[], patch: { active: boolean } | { idGroup: number | null }, done: string) =>
    run(all, OldScript, done, async (scripts) => {
      const [field] = Object.keys(patch) as [keyof Script]
      const before = scripts.map((script) => ({ id: script.id, [field]: script[field] }))
      await bulkRecords.batch(OldScript, { update: scripts.map(({ id }) => ({ id, ...patch })) })
      return () => bulkRecords.batch(OldScript, { update: before })
    })
  return [
    groupAction(
      groups,
      ({ name }) => name,
      (scripts, idGroup) => void update(scripts, { idGroup }, 'Группа изменена'),
    ),
    {
      key: 'on',
      label: 'Включить',
      icon: IconPlayerPlay,
      run: (scripts) => update(scripts, { active: true }, 'Включено'),
    },
    {
      key: 'off',
      label: 'Выключить',
      icon: IconPlayerPause,
      run: (scripts) => update(scripts, { active: false }, 'Выключено'),
    },
    { key: 'remove', label: 'Удалить', icon: IconTrash, danger: true, run: (scripts) => remove(scripts) },
  ]
}
