import { Box, SegmentedControl } from '@mantine/core'
import { Regulation } from '@ordinator/model/areas/regulations/regulation'
import { pageByKey } from '@ordinator/model/pages'
import { IconPlus } from '@tabler/icons-react'
import { ActionButton } from '#kit/ActionButton.tsx'
import { part } from '#kit/chunk.ts'
import { useHotkey } from '#kit/hotkeys.ts'
import { PageHead } from '#kit/PageHead.tsx'
import { useCan } from '#records/Can.tsx'
import { type RegulationList, regulationLists, useRegulationsAddress } from './address.ts'
import { MyRegulations } from './list/MyRegulations.tsx'
import { RegulationTable } from './list/RegulationTable.tsx'

const RegulationDialog = part(() => import('./RegulationDialog.tsx'))

const RunDialog = part(() => import('./runs/RunDialog.tsx'))

const page = pageByKey('regulations')

/** Регламенты: the list, and the open one over it. */
export default function RegulationsPage() {
  const [address, setAddress] = useRegulationsAddress()
  const mayCreate = useCan('create', Regulation)
  const create = () => setAddress({ mode: 'create', id: undefined })
  useHotkey('n', create, { enabled: mayCreate, label: 'Создать регламент', group: page.title })
  const isOpen = address.id !== undefined || (address.mode === 'create' && mayCreate)
  return (
    <>
      <PageHead
        title={page.title}
        help={page.help}
        actions={
          <>
            <SegmentedControl
              aria-label="Какие регламенты"
              data={Object.entries(regulationLists).map(([value, label]) => ({ value, label }))}
              value={address.list ?? 'all'}
              onChange={(value) =>
                setAddress({ list: value === 'all' ? undefined : (value as RegulationList), page: undefined })
              }
            />
            {mayCreate && <ActionButton label="Создать" icon={IconPlus} onClick={create} />}
          </>
        }
      />
      <Box px="var(--ord-page)" pb="var(--ord-page)">
        {address.list === 'mine' ? (
          <MyRegulations onOpen={(id) => setAddress({ id, mode: undefined })} />
        ) : (
          <RegulationTable address={address} setAddress={setAddress} onCreate={mayCreate ? create : undefined} />
        )}
      </Box>
      {isOpen && <RegulationDialog address={address} setAddress={setAddress} />}
      {address.run !== undefined && <RunDialog id={address.run} onClose={() => setAddress({ run: undefined })} />}
    </>
  )
}
