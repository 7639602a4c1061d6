import { OldScript, ScriptGroup } from '@ordinator/model/areas/scripts/script'
import { pageByKey } from '@ordinator/model/pages'
import { IconPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useAddress, useGo } from '#base/address.ts'
import { api } from '#base/api.ts'
import { ActionButton } from '#kit/ActionButton.tsx'
import { ErrorState } from '#kit/ErrorState.tsx'
import { useHotkey } from '#kit/hotkeys.ts'
import { PageHead } from '#kit/PageHead.tsx'
import { SidePane } from '#kit/SidePane.tsx'
import { LinesSkeleton } from '#kit/Skeletons.tsx'
import { retries } from '#records/reads.ts'
import { GroupTree } from '#records/tree/GroupTree.tsx'
import { pathOf, withSubgroups } from '#records/tree/groups.ts'
import { useGroups } from '#records/tree/useGroups.ts'
import { readAddress } from './address.ts'
import { ScriptTable } from './list/ScriptTable.tsx'

const page = pageByKey('scripts')

/** Скрипты: tree of groups, and scripts of the selected one. */
export default function ScriptsPage() {
  const [{ group }, setAddress] = useAddress(readAddress)
  const go = useGo()
  const { list, groups } = useGroups(ScriptGroup)
  const { data: counts } = useQuery({
    queryKey: ['records', OldScript.path, 'counts'],
    queryFn: ({ signal }) => api('GET /old-scripts/counts', {}, { signal, forbidden: 'silent' }),
    retry: retries,
  })
  const create = () => void go({ page: 'newScript', search: { group: typeof group === 'number' ? group : undefined } })
  useHotkey('n', create, { label: 'Новый скрипт', group: page.title })
  const filter = useMemo(
    () =>
      group === undefined ? undefined : { idGroup: group === 'none' ? null : { in: withSubgroups(groups, group) } },
    [group, groups],
  )
  const open = groups.find(({ id }) => id === group)
  return (
    <>
      <PageHead
        title={page.title}
        help={page.help}
        actions={<ActionButton label="Новый скрипт" icon={IconPlus} onClick={create} />}
      />
      <SidePane
        title="Группы скриптов"
        label={group === 'none' ? 'Без группы' : open ? pathOf(groups, open, ({ name }) => name) : 'Все группы'}
        side={(close) =>
          list.isPending ? (
            <LinesSkeleton lines={6} />
          ) : list.isError ? (
            <ErrorState title="Группы не загрузились" error={list.error} onRetry={() => void list.refetch()} />
          ) : (
            <GroupTree
              entity={ScriptGroup}
              groups={groups}
              counts={counts}
              all="Все скрипты"
              chosen={group}
              onChoose={(chosen) => {
                close()
                setAddress({ group: chosen, page: undefined })
              }}
            />
          )
        }
      >
        <ScriptTable filter={filter} groups={groups} onCreate={create} />
      </SidePane>
    </>
  )
}
