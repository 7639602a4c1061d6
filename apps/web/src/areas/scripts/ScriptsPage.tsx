import { Box } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { ScriptGroup } from '@ordinator/model/areas/scripts/script'
import { pageByKey } from '@ordinator/model/pages'
import { IconFolder, IconPlus } from '@tabler/icons-react'
import { useMemo, useState } from 'react'
import { useAddress, useGo } from '../../base/address.ts'
import { ActionButton } from '../../kit/ActionButton.tsx'
import { Drawer } from '../../kit/Drawer.tsx'
import { ErrorState } from '../../kit/ErrorState.tsx'
import { useHotkey } from '../../kit/hotkeys.ts'
import { PageHead } from '../../kit/PageHead.tsx'
import { LinesSkeleton } from '../../kit/Skeletons.tsx'
import { useList } from '../../records/reads.ts'
import { readAddress, type ScriptsAddress } from './address.ts'
import { ScriptTable } from './list/ScriptTable.tsx'
import classes from './ScriptsPage.module.css'
import { GroupTree } from './tree/GroupTree.tsx'
import { pathOf, underOf } from './tree/groups.ts'

const MAX_GROUPS = 500
const page = pageByKey('scripts')

/** Скрипты: the tree of groups on the left, the scripts of the chosen one on the right. */
export default function ScriptsPage() {
  const [{ group }, setAddress] = useAddress(readAddress)
  const [drawer, setDrawer] = useState(false)
  const narrow = useMediaQuery('(max-width: 62em)', undefined, { getInitialValueInEffect: false }) ?? false
  const go = useGo()
  const list = useList(ScriptGroup, { sort: 'order', limit: MAX_GROUPS })
  const groups = useMemo(() => list.data?.items ?? [], [list.data])
  const create = () => void go({ page: 'newScript', search: { group: typeof group === 'number' ? group : undefined } })
  useHotkey('n', create, { label: 'Новый скрипт', group: page.title })
  const filter = useMemo(
    () => (group === undefined ? undefined : { idGroup: group === 'none' ? null : { in: underOf(groups, group) } }),
    [group, groups],
  )
  const choose = (chosen: ScriptsAddress['group']) => {
    setDrawer(false)
    setAddress({ group: chosen, page: undefined })
  }
  const tree = list.isPending ? (
    <LinesSkeleton lines={6} />
  ) : list.isError ? (
    <ErrorState title="Группы не загрузились" error={list.error} onRetry={() => void list.refetch()} />
  ) : (
    <GroupTree groups={groups} chosen={group} onChoose={choose} />
  )
  const open = groups.find(({ id }) => id === group)
  return (
    <>
      <PageHead
        title={page.title}
        help={page.help}
        actions={<ActionButton label="Новый скрипт" icon={IconPlus} onClick={create} />}
      />
      <div className={classes.page}>
        {!narrow && <div className={classes.side}>{tree}</div>}
        <Box miw={0}>
          <ScriptTable
            filter={filter}
            groups={groups}
            onCreate={create}
            tools={
              narrow && (
                <ActionButton
                  label={group === 'none' ? 'Без группы' : open ? pathOf(groups, open) : 'Все группы'}
                  variant="default"
                  classNames={{ root: classes.groupButton }}
                  icon={IconFolder}
                  onClick={() => setDrawer(true)}
                />
              )
            }
          />
        </Box>
      </div>
      <Drawer opened={narrow && drawer} onClose={() => setDrawer(false)} title="Группы скриптов" size={320}>
        {tree}
      </Drawer>
    </>
  )
}
