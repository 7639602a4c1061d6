import { Box, Button } from '@mantine/core'
import type { Funnel } from '@ordinator/model/areas/sales/funnel'
import { Lead } from '@ordinator/model/areas/sales/lead'
import type { Row } from '@ordinator/model/entity'
import { IconFilter, IconFilterOff, IconLayoutKanban } from '@tabler/icons-react'
import { useCallback, useEffect, useMemo } from 'react'
import { useGo } from '#base/address.ts'
import { errorMessage } from '#base/apiError.ts'
import { useCommands } from '#base/commands.ts'
import { usePreference } from '#base/preferences.ts'
import { useActor } from '#base/session.ts'
import { useRecordTitle } from '#base/title.ts'
import { part } from '#kit/chunk.ts'
import { BoardSkeleton } from '#kit/Skeletons.tsx'
import { VStack } from '#kit/Stacks.tsx'
import { StatePage } from '#kit/StatePage.tsx'
import { readLook } from '#records/board/boardLook.ts'
import { useRecord } from '#records/reads.ts'
import { type DealView, dealViews, useDealsAddress } from './address.ts'
import { DealBoard } from './board/DealBoard.tsx'
import { DealFilterBar } from './board/DealFilterBar.tsx'
import { DealsHead } from './board/DealsHead.tsx'
import { useFunnels, useMayEdit, useMaySetUp, useStages, useTotals } from './board/useFunnelData.ts'
import { dealFilters } from './dealFilters.ts'

const LeadDialog = part(() => import('./card/LeadDialog.tsx'))
const waiting = <Box flex={1} aria-busy="true" />
const DealList = part(() => import('./views/DealList.tsx'), waiting)
const DealTable = part(() => import('./views/DealTable.tsx'), waiting)

/** Сделки: a funnel as a board, a list or a table; a deal opens over it. */
export default function SalesPage() {
  const [address, setAddress] = useDealsAddress()
  const funnels = useFunnels()
  const [last, setLast] = usePreference('deals-funnel', readLast, 'device')
  const list = (funnels.data?.items ?? []) as Row<typeof Funnel>[]
  const byLead = useRecord(
    Lead,
    address.funnel === undefined ? address.lead : undefined,
    { fields: ['idFunnel'] },
    { forbidden: 'silent' },
  )
  const waitsForLead = address.funnel === undefined && address.lead !== undefined && byLead.isPending
  const wanted = address.funnel ?? byLead.data?.idFunnel ?? last.id
  const funnel =
    list.find(({ id }) => id === wanted) ?? (address.funnel === undefined && !waitsForLead ? list[0] : undefined)
  useEffect(() => {
    if (!funnel) return
    if (address.funnel !== funnel.id) setAddress({ funnel: funnel.id }, { replace: true })
    if (last.id !== funnel.id) setLast({ id: funnel.id })
  }, [funnel, address.funnel, last.id, setAddress, setLast])
  useRecordTitle(funnel?.name)

  if (funnels.isError)
    return (
      <StatePage
        icon={IconLayoutKanban}
        title="Воронки не загрузились"
        text={errorMessage(funnels.error)}
        actions={<Button onClick={() => void funnels.refetch()}>Повторить</Button>}
      />
    )
  if (funnels.isPending || waitsForLead) return <Waiting />
  if (list.length === 0) return <NoFunnels />
  if (!funnel)
    return (
      <StatePage
        icon={IconFilterOff}
        title="Воронка не найдена"
        text="Возможно, её удалили."
        actions={<Button onClick={() => setAddress({ funnel: list[0]?.id })}>К сделкам</Button>}
      />
    )
  return <OpenFunnel key={funnel.id} funnel={funnel} funnels={list} />
}

function OpenFunnel({ funnel, funnels }: { funnel: Row<typeof Funnel>; funnels: readonly Row<typeof Funnel>[] }) {
  const [address, setAddress] = useDealsAddress()
  const idUser = useActor().id as number
  const mayEdit = useMayEdit()
  const stages = useStages(funnel.id)
  const rows = stages.stages
  const view = address.view ?? 'board'
  const [look, setLook] = usePreference('board-look', readLook, 'device')
  const wanted = JSON.stringify(dealFilters.read(address))
  const limits = JSON.stringify(rows.map(({ id, daysLimit }) => ({ id, daysLimit })))
  const filter = useMemo(
    () => dealFilters.filter(JSON.parse(wanted), { idUser, stages: JSON.parse(limits), now: new Date() }) ?? {},
    [wanted, limits, idUser],
  )
  const totals = useTotals(funnel.id, filter)
  const open = useCallback((lead: number) => setAddress({ lead }), [setAddress])
  useCommands(
    (Object.keys(dealViews) as DealView[]).map((one) => ({
      id: `deals-${one}`,
      group: 'Вид сделок',
      label: dealViews[one],
      words: 'вид показать сделки',
      run: () => setAddress({ view: one === 'board' ? undefined : one }),
    })),
  )
  const shared = { idFunnel: funnel.id, stages: rows, filter, totals: totals.data, address, mayEdit, open }
  return (
    <VStack gap={0} h="100%" mih={0} data-compact={look.compact || undefined}>
      <DealsHead
        funnel={funnel}
        funnels={funnels}
        stages={rows}
        totals={totals.data}
        address={address}
        setAddress={setAddress}
        mayEdit={mayEdit}
      />
      <DealFilterBar
        idFunnel={funnel.id}
        address={address}
        setAddress={setAddress}
        compact={look.compact}
        onCompact={(compact) => setLook({ compact })}
      />
      {stages.isError ? (
        <StatePage
          size="block"
          icon={IconLayoutKanban}
          title="Этапы не загрузились"
          text={errorMessage(stages.error)}
          actions={<Button onClick={() => void stages.refetch()}>Повторить</Button>}
        />
      ) : stages.isPending ? (
        <BoardSkeleton />
      ) : rows.length === 0 ? (
        <StatePage
          size="block"
          icon={IconLayoutKanban}
          title="В воронке нет этапов"
          text="Добавьте их в настройках воронки."
        />
      ) : view === 'board' ? (
        <DealBoard {...shared} label={`Сделки воронки «${funnel.name}»`} />
      ) : view === 'list' ? (
        <DealList {...shared} />
      ) : (
        <DealTable {...shared} />
      )}
      {address.lead !== undefined && (
        <LeadDialog
          key={address.lead}
          idLead={address.lead}
          idFunnel={funnel.id}
          onClose={() => setAddress({ lead: undefined })}
        />
      )}
    </VStack>
  )
}

const readLast = (stored: unknown): { id?: number } => {
  const id = (stored as { id?: unknown } | null)?.id
  return Number.isSafeInteger(id) ? { id: id as number } : {}
}

function NoFunnels() {
  const go = useGo()
  const mayEdit = useMaySetUp()
  return (
    <StatePage
      icon={IconFilter}
      title="Воронок пока нет"
      text="Сделки идут по этапам воронки: от первого обращения до договора."
      actions={
        mayEdit && <Button onClick={() => void go({ page: 'funnels', search: { new: 1 } })}>Создать воронку</Button>
      }
    />
  )
}

function Waiting() {
  return (
    <VStack gap={0} h="100%" mih={0} aria-busy="true">
      <Box h={104} flex="none" />
      <BoardSkeleton />
    </VStack>
  )
}
