import { Box, SegmentedControl } from '@mantine/core'
import { Intake, LeadRequest } from '@ordinator/model/areas/sales/intake'
import { totalOf } from '@ordinator/model/client'
import { formatNumber } from '@ordinator/model/format'
import { pageByKey } from '@ordinator/model/pages'
import { IconSettings } from '@tabler/icons-react'
import { useState } from 'react'
import { useAddress } from '#base/address.ts'
import type { Search } from '#base/redirect.ts'
import { usePageTitle } from '#base/title.ts'
import { ActionButton } from '#kit/ActionButton.tsx'
import { EmptyState } from '#kit/EmptyState.tsx'
import { ErrorState } from '#kit/ErrorState.tsx'
import frame from '#kit/framedRows.module.css'
import { PageHead } from '#kit/PageHead.tsx'
import { LinesSkeleton } from '#kit/Skeletons.tsx'
import { useCan } from '#records/Can.tsx'
import { useEndlessList, useList } from '#records/reads.ts'
import { FamilyTabs } from '#records/registry/FamilyTabs.tsx'
import { IntakePanel } from './IntakePanel.tsx'
import { RequestItem } from './RequestItem.tsx'

const PORTION = 30
const page = pageByKey('dealRequests')

interface Address {
  /** Default: unsorted requests. */
  show?: 'sorted'
}
const read = ({ show }: Search): Address => ({ show: show === 'sorted' ? 'sorted' : undefined })

/** Неразобранное: requests from forms and webhooks that are not deals yet. */
export default function RequestsPage() {
  const [{ show }, setAddress] = useAddress(read)
  const [opened, setOpened] = useState<number>()
  const [settings, setSettings] = useState(false)
  const mayEdit = useCan('update', Intake)
  const waiting = useList(LeadRequest, { filter: { state: 'new' }, limit: 1, count: true, fields: ['id'] })
  const total = totalOf(waiting.data?._meta)
  usePageTitle(total ? `(${formatNumber(total)}) ${page.title}` : undefined)
  const list = useEndlessList(
    LeadRequest,
    {
      filter: { state: show === 'sorted' ? { neq: 'new' } : 'new' },
      // Intakes are visible only to their managers.
      expand: ['source', 'lead', 'user', ...(mayEdit ? (['intake'] as const) : [])],
      sort: show === 'sorted' ? '-dateSorted' : '-id',
      limit: PORTION,
    },
    {},
  )
  const requests = list.items
  return (
    <>
      <PageHead
        title={page.title}
        help={page.help}
        actions={
          mayEdit && (
            <ActionButton
              label="Приём заявок"
              variant="default"
              icon={IconSettings}
              onClick={() => setSettings(true)}
            />
          )
        }
      >
        <FamilyTabs page={page} />
        <SegmentedControl
          aria-label="Какие заявки показать"
          data={[
            { value: 'new', label: total ? `Ждут разбора: ${formatNumber(total)}` : 'Ждут разбора' },
            { value: 'sorted', label: 'Разобранные' },
          ]}
          value={show ?? 'new'}
          onChange={(value) => setAddress({ show: value === 'sorted' ? 'sorted' : undefined })}
        />
      </PageHead>
      <Box px="var(--ord-page)" pb="var(--ord-page)" maw={960}>
        {list.isPending ? (
          <LinesSkeleton lines={6} />
        ) : list.isError ? (
          <ErrorState title="Заявки не загрузились" error={list.error} onRetry={() => void list.refetch()} />
        ) : requests.length === 0 ? (
          <EmptyState
            title={show === 'sorted' ? 'Разобранных заявок нет' : 'Всё разобрано'}
            text={
              show === 'sorted'
                ? 'Здесь будут принятые, отклонённые и присоединённые заявки.'
                : 'Новые заявки с сайта и из других систем появятся здесь сами.'
            }
          />
        ) : (
          <ul className={frame.list} aria-label={page.title}>
            {requests.map((request) => (
              <RequestItem
                key={request.id}
                request={request}
                mayEdit={mayEdit}
                opened={opened === request.id}
                onToggle={() => setOpened(opened === request.id ? undefined : request.id)}
              />
            ))}
          </ul>
        )}
        {list.hasNextPage && (
          <ActionButton
            label="Показать ещё"
            variant="default"
            mt={12}
            loading={list.isFetchingNextPage}
            onClick={() => void list.fetchNextPage()}
          />
        )}
      </Box>
      {settings && <IntakePanel onClose={() => setSettings(false)} />}
    </>
  )
}
