import { Tabs } from '@mantine/core'
import { Move } from '@ordinator/model/areas/moving/move'
import { movePrograms } from '@ordinator/model/areas/moving/tables'
import type { Row } from '@ordinator/model/entity'
import { pageByKey } from '@ordinator/model/pages'
import { useAddress } from '#base/address.ts'
import { ErrorState } from '#kit/ErrorState.tsx'
import { PageHead } from '#kit/PageHead.tsx'
import { LinesSkeleton } from '#kit/Skeletons.tsx'
import { Block } from '#kit/Stacks.tsx'
import { Fine } from '#kit/Words.tsx'
import { useList } from '#records/reads.ts'
import { FilePanel } from './FilePanel.tsx'
import { NewMove } from './NewMove.tsx'
import { PlanTab } from './PlanTab.tsx'
import { ProfilesTab } from './ProfilesTab.tsx'
import { ReconcileTab } from './ReconcileTab.tsx'

const page = pageByKey('moving')
const tabs = { plan: 'План', sums: 'Сверка', profiles: 'Профили колонок' } as const
type Tab = keyof typeof tabs

interface Address {
  tab?: Tab | undefined
  file?: number | undefined
}
const read = (search: Readonly<Record<string, unknown>>): Address => ({
  ...(typeof search.tab === 'string' && search.tab in tabs && { tab: search.tab as Tab }),
  ...(Number.isInteger(Number(search.file)) && Number(search.file) > 0 && { file: Number(search.file) }),
})

/** Переезд: the tables of another program in their order, how far each is, and whether the sums agree. */
export default function MovingPage() {
  const moves = useList(Move, { sort: '-id', limit: 1, expand: ['filial', 'organization'] })
  const [{ tab = 'plan', file }, go] = useAddress(read)
  const move = moves.data?.items[0]
  return (
    <>
      <PageHead
        title={page.title}
        help={move ? undefined : page.help}
        actions={move && <Told move={move as never} />}
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
      {move && file !== undefined && (
        <FilePanel key={file} move={move} id={file} onClose={() => go({ file: undefined })} />
      )}
    </>
  )
}

type Told = Row<typeof Move> & { filial?: { nameFilial: string } | null; organization?: { shortName: string } | null }

const Told = ({ move: { program, filial, organization } }: { move: Told }) => (
  <Fine>
    {[`из программы «${movePrograms[program]}»`, filial?.nameFilial, organization?.shortName]
      .filter(Boolean)
      .join(' · ')}
  </Fine>
)
