import { Badge, Text } from '@mantine/core'
import { Service, ServiceGroup } from '@ordinator/model/areas/catalogue/service'
import type { Expanded } from '@ordinator/model/client'
import { formatNumber } from '@ordinator/model/format'
import { pageByKey } from '@ordinator/model/pages'
import { IconArrowMerge, IconFileImport, IconPercentage, IconPlayerPause, IconPlayerPlay } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { ImportDialog } from '#areas/imports/index.ts'
import { useAddress } from '#base/address.ts'
import { api } from '#base/api.ts'
import { ActionButton } from '#kit/ActionButton.tsx'
import { ErrorState } from '#kit/ErrorState.tsx'
import { SidePane } from '#kit/SidePane.tsx'
import { LinesSkeleton } from '#kit/Skeletons.tsx'
import { Dot, HStack } from '#kit/Stacks.tsx'
import { Muted } from '#kit/Words.tsx'
import { useCan } from '#records/Can.tsx'
import { RegistryPage } from '#records/RegistryPage.tsx'
import { retries } from '#records/reads.ts'
import type { BulkAction } from '#records/table/BulkBar.tsx'
import type { ColumnSpec } from '#records/table/columns.ts'
import { bulkRecords, useBulkRun } from '#records/table/useBulkRun.ts'
import { GroupTree } from '#records/tree/GroupTree.tsx'
import { groupAction } from '#records/tree/groupAction.tsx'
import { pathOf, withSubgroups } from '#records/tree/groups.ts'
import { useGroups } from '#records/tree/useGroups.ts'
import { readCatalogue, serviceHref } from '../address.ts'
import { PriceChangeDialog } from '../prices/PriceChangeDialog.tsx'
import { DoublesDialog } from './DoublesDialog.tsx'
import { NewService } from './NewService.tsx'
import { serviceFilters } from './serviceFilters.ts'

const page = pageByKey('services')
const defaults = { limit: 50 }

type Line = Expanded<typeof Service, 'type'>

const columns: readonly ColumnSpec<Line>[] = [
  {
    key: 'nameService',
    width: 280,
    cell: ({ nameService, active }) => (
      <HStack component="span" gap={8} miw={0}>
        <Text span inherit truncate title={nameService}>
          {nameService}
        </Text>
        {!active && (
          <Badge color="gray" variant="light" flex="none">
            Не действует
          </Badge>
        )}
      </HStack>
    ),
  },
  { key: 'code', width: 104 },
  {
    key: 'idType',
    width: 136,
    cell: ({ type }) =>
      type && (
        <HStack component="span" gap={6} miw={0}>
          <Dot color={type.color} />
          <Text span inherit truncate>
            {type.nameServiceType}
          </Text>
        </HStack>
      ),
  },
  { key: 'currentPrice', label: 'Цена', width: 128, sort: false },
  {
    key: 'minutes',
    label: 'Минут',
    width: 88,
    align: 'right',
    sort: false,
    cell: ({ minutes }) => (minutes === null ? <Muted>—</Muted> : formatNumber(minutes)),
  },
  {
    key: 'performersCount',
    label: 'Врачей',
    width: 88,
    align: 'right',
    sort: false,
    hidden: true,
    cell: ({ performersCount }) => (performersCount ? formatNumber(performersCount) : <Muted>—</Muted>),
  },
  { key: 'performedBy', width: 172, sort: false },
  {
    key: 'remains',
    label: 'Свободно',
    width: 104,
    align: 'right',
    sort: false,
    cell: ({ remains, unit }) =>
      remains === null || remains === undefined ? <Muted>—</Muted> : `${formatNumber(remains)} ${unit ?? ''}`.trim(),
  },
  { key: 'idGroup', width: 168, hidden: true },
  { key: 'article', width: 120, hidden: true },
  { key: 'medicalCode', width: 150, hidden: true },
  { key: 'activeShop', hidden: true },
  { key: 'barcode', hidden: true },
]

/** Услуги и товары: the tree of groups, and the catalogue. */
export default function ServicesPage() {
  const [{ group }, setAddress] = useAddress(readCatalogue)
  const { list, groups } = useGroups(ServiceGroup)
  const { data: counts } = useQuery({
    queryKey: ['records', Service.path, 'counts'],
    queryFn: ({ signal }) => api('GET /services/counts', {}, { signal, forbidden: 'silent' }),
    retry: retries,
  })
  const mayEdit = useCan('update', Service)
  const [importing, setImporting] = useState(false)
  const [isJoining, setJoining] = useState(false)
  /** Selected services for a price change; 'shown': all of the open group. */
  const [pricing, setPricing] = useState<readonly Line[] | 'shown'>()
  const filter = useMemo(
    () =>
      group === undefined ? undefined : { idGroup: group === 'none' ? null : { in: withSubgroups(groups, group) } },
    [group, groups],
  )
  const open = groups.find(({ id }) => id === group)
  const actions = useBulkServices(groups, setPricing)
  return (
    <>
      <RegistryPage
        page={page}
        entity={Service}
        pageOf={serviceHref}
        create={NewService}
        columns={columns}
        expand={['type']}
        filter={filter}
        filters={serviceFilters}
        defaults={defaults}
        isMuted={({ active }) => !active}
        actions={mayEdit ? actions : undefined}
        tools={
          mayEdit && (
            <>
              <ActionButton
                label="Одинаковые"
                icon={IconArrowMerge}
                variant="default"
                onClick={() => setJoining(true)}
              />
              <ActionButton label="Импорт" variant="default" icon={IconFileImport} onClick={() => setImporting(true)} />
              <ActionButton
                label="Изменить цены"
                variant="default"
                icon={IconPercentage}
                onClick={() => setPricing('shown')}
              />
            </>
          )
        }
        layout={(services) => (
          <SidePane
            title="Группы услуг"
            label={group === 'none' ? 'Без группы' : open ? pathOf(groups, open, nameOf) : 'Все группы'}
            side={(close) =>
              list.isPending ? (
                <LinesSkeleton lines={8} />
              ) : list.isError ? (
                <ErrorState title="Группы не загрузились" error={list.error} onRetry={() => void list.refetch()} />
              ) : (
                <GroupTree
                  entity={ServiceGroup}
                  groups={groups}
                  counts={counts}
                  all="Весь каталог"
                  chosen={group}
                  onChoose={(chosen) => {
                    close()
                    setAddress({ group: chosen, page: undefined })
                  }}
                />
              )
            }
          >
            {services}
          </SidePane>
        )}
      />
      {isJoining && <DoublesDialog onClose={() => setJoining(false)} />}
      {importing && (
        <ImportDialog
          kind="services"
          title="Импорт услуг и цен"
          hint="CSV или XLSX до 10 000 строк, в первой строке — названия колонок; подходит и файл экспорта каталога"
          options={[
            {
              param: 'update',
              label: 'Обновлять услуги, код или название которых уже есть (без этого у них дописывается только цена)',
            },
            {
              param: 'toMainList',
              label: 'Цены — в основной прайс-лист, с сегодняшнего дня (без этого — в сами услуги)',
            },
            { param: 'createGroups', label: 'Создавать группы и виды, которых ещё нет' },
          ]}
          template
          onClose={() => setImporting(false)}
        />
      )}
      {pricing && (
        <PriceChangeDialog
          services={pricing === 'shown' ? undefined : pricing}
          group={pricing === 'shown' ? open : undefined}
          onClose={() => setPricing(undefined)}
        />
      )}
    </>
  )
}

const nameOf = ({ nameServiceGroup }: { nameServiceGroup: string }) => nameServiceGroup

function useBulkServices(
  groups: ReturnType<typeof useGroups<typeof ServiceGroup>>['groups'],
  price: (services: readonly Line[]) => void,
): BulkAction<Line>[] {
  const run = useBulkRun<Line>({
    forms: ['услуга', 'услуги', 'услуг'],
    nameOf: (service) => service.nameService,
    paths: [],
  })
  const update = (all: Line[], patch: { active: boolean } | { idGroup: number | null }, done: string) =>
    run(all, Service, done, async (services) => {
      const [field] = Object.keys(patch) as [keyof Line]
      const before = services.map((service) => ({ id: service.id, [field]: service[field] }))
      await bulkRecords.batch(Service, { update: services.map(({ id }) => ({ id, ...patch })) })
      return () => bulkRecords.batch(Service, { update: before })
    })
  return [
    {
      key: 'price',
      label: 'Изменить цены',
      icon: IconPercentage,
      run: (services) => {
        price(services)
        return false
      },
    },
    groupAction(groups, nameOf, (services, idGroup) => void update(services, { idGroup }, 'Группа изменена')),
    {
      key: 'on',
      label: 'Включить',
      icon: IconPlayerPlay,
      allowed: (services) => services.some(({ active }) => !active),
      run: (services) => update(services, { active: true }, 'Действуют'),
    },
    {
      key: 'off',
      label: 'Выключить',
      icon: IconPlayerPause,
      allowed: (services) => services.some(({ active }) => active),
      run: (services) => update(services, { active: false }, 'Больше не действуют'),
    },
  ]
}
