import { Select, Tabs } from '@mantine/core'
import { Move } from '@ordinator/model/areas/moving/move'
import { movePrograms } from '@ordinator/model/areas/moving/tables'
import type { Row } from '@ordinator/model/entity'
import { pageByKey } from '@ordinator/model/pages'
import { IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { useAddress } from '#base/address.ts'
import { Dialog } from '#kit/Dialog.tsx'
import { ErrorState } from '#kit/ErrorState.tsx'
import { IconButton } from '#kit/IconButton.tsx'
import { PageHead } from '#kit/PageHead.tsx'
import { LinesSkeleton } from '#kit/Skeletons.tsx'
import { Block } from '#kit/Stacks.tsx'
import { Fine } from '#kit/Words.tsx'
import { useList } from '#records/reads.ts'
import { FilePanel } from './file/FilePanel.tsx'
import { MoveForm, NewMove } from './NewMove.tsx'
import { PlanTab } from './PlanTab.tsx'
import { ProfilesTab } from './ProfilesTab.tsx'
import { ReconcileTab } from './ReconcileTab.tsx'

const page = pageByKey('moving')
const tabs = { plan: 'План', sums: 'Сверка', profiles: 'Профили колонок' } as const
type Tab = keyof typeof tabs

interface Address {
  tab?: Tab | undefined
  file?: number | undefined
  /** Of several moves the one that is shown; absent: the last. */
  move?: number | undefined
}
const read = (search: Readonly<Record<string, unknown>>): Address => ({
  ...(typeof search.tab === 'string' && search.tab in tabs && { tab: search.tab as Tab }),
  ...(Number.isInteger(Number(search.move)) && Number(search.move) > 0 && { move: Number(search.move) }),
  ...(Number.isInteger(Number(search.file)) && Number(search.file) > 0 && { file: Number(search.file) }),
})

/** Переезд: the tables of another program in their order, how far each is, and whether the sums agree. */
export default function MovingPage() {
  const moves = useList(Move, { sort: '-id', limit: 20, expand: ['filial', 'organization'] })
  const [isStarting, setStarting] = useState(false)
  const [{ tab = 'plan', file, move: shown }, go] = useAddress(read)
  const all = moves.data?.items ?? []
  const move = all.find(({ id }) => id === shown) ?? all[0]
  return (
    <>
      <PageHead
        title={page.title}
        help={move ? undefined : page.help}
        actions={
          move && (
            <>
              {all.length > 1 ? (
                <Select
                  aria-label="Какой переезд показать"
                  w={300}
                  allowDeselect={false}
                  data={all.map(({ id, name, program }) => ({
                    value: String(id),
                    label: `${name} · ${movePrograms[program]}`,
                  }))}
                  value={String(move.id)}
                  onChange={(value) => go({ move: Number(value), file: undefined })}
                />
              ) : (
                <MoveRow move={move} />
              )}
              <IconButton icon={IconPlus} label="Начать другой переезд" onClick={() => setStarting(true)} />
            </>
          )
        }
      />
      {move ? (
        <Tabs
          value={tab}
          onChange={(value) => go({ tab: value === 'plan' ? undefined : (value as Tab) })}
          keepMounted={false}
        >
          <Tabs.List px="var(--ord-page)">
            {(Object.keys(tabs) as Tab[]).map((one) => (
              <Tabs.Tab key={one} value={one}>
                {tabs[one]}
              </Tabs.Tab>
            ))}
          </Tabs.List>
          <Tabs.Panel value="plan">
            <PlanTab move={move} onOpen={(id) => go({ file: id })} />
          </Tabs.Panel>
          <Tabs.Panel value="sums">
            <ReconcileTab move={move} />
          </Tabs.Panel>
          <Tabs.Panel value="profiles">
            <ProfilesTab />
          </Tabs.Panel>
        </Tabs>
      ) : moves.data ? (
        <NewMove onMade={() => void moves.refetch()} />
      ) : moves.isError ? (
        <ErrorState title="Переезд не прочитан" error={moves.error} onRetry={() => void moves.refetch()} />
      ) : (
        <Block px="var(--ord-page)" maw={820}>
          <LinesSkeleton lines={10} />
        </Block>
      )}
      {isStarting && (
        <Dialog onClose={() => setStarting(false)} title="Другой переезд" size={520}>
          <MoveForm
            onMade={(id) => {
              setStarting(false)
              go({ move: id, tab: undefined, file: undefined })
            }}
          />
        </Dialog>
      )}
      {move && file !== undefined && (
        <FilePanel key={file} move={move} id={file} onClose={() => go({ file: undefined })} />
      )}
    </>
  )
}

type MoveRow = Row<typeof Move> & {
  filial?: { nameFilial: string } | null
  organization?: { shortName: string } | null
}

const MoveRow = ({ move: { program, filial, organization } }: { move: MoveRow }) => (
  <Fine>
    {[`из программы «${movePrograms[program]}»`, filial?.nameFilial, organization?.shortName]
      .filter(Boolean)
      .join(' · ')}
  </Fine>
)
