import { Alert, Anchor, Box, Select } from '@mantine/core'
import { type AccessAction, accessActions } from '@ordinator/model/areas/customers/access'
import type { AccessAlert } from '@ordinator/model/areas/customers/calls'
import { Customer } from '@ordinator/model/areas/customers/customer'
import { User } from '@ordinator/model/areas/staff/user'
import { counted } from '@ordinator/model/format'
import { pageByKey } from '@ordinator/model/pages'
import { IconEyeSearch } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useAddress } from '#base/address.ts'
import { day, id, word } from '#base/addressValues.ts'
import { api } from '#base/api.ts'
import type { Search } from '#base/redirect.ts'
import { dayOf, formatDateTime, midnight } from '#kit/clock.ts'
import { PageHead } from '#kit/PageHead.tsx'
import { Revealed, RevealTogether, useRevealDelay } from '#kit/RevealTogether.tsx'
import { LinesSkeleton } from '#kit/Skeletons.tsx'
import { Tiles, VStack } from '#kit/Stacks.tsx'
import { PersonName } from '#kit/UserLink.tsx'
import { RefSelect } from '#records/fields/RefSelect.tsx'
import { Days } from '#records/filters/period.tsx'
import { FamilyTabs } from '#records/registry/FamilyTabs.tsx'
import { AccessLines } from './AccessLines.tsx'

const page = pageByKey('accessLog')
const SHOWN_ALERTS = 5

const read = (search: Search) => ({
  user: id(search.user),
  customer: id(search.customer),
  action: word(accessActions, search.action) as AccessAction | undefined,
  from: day(search.from),
  to: day(search.to),
})

/** Журнал доступа: accesses to patients' data, with anomalies for the supervisor. */
export default function AccessLogPage() {
  const [address, setAddress] = useAddress(read)
  const { user, customer, action, from, to } = address
  const set = (patch: Partial<typeof address>) => setAddress(patch, { replace: true })
  return (
    <RevealTogether>
      <PageHead title={page.title} help={page.help}>
        <FamilyTabs page={page} />
      </PageHead>
      <Box px="var(--ord-page)" pb="var(--ord-page)">
        <Alerts onOpen={({ idUser, dt }) => set({ user: idUser, from: dayOf(dt), to: dayOf(dt) })} />
        <Revealed fallback={<LinesSkeleton lines={8} />}>
          <Tiles tile={200} gap={12} mb={12}>
            <RefSelect
              to={User.path}
              label="Сотрудник"
              placeholder="Любой"
              clearable
              value={user ?? null}
              onChange={(chosen) => set({ user: chosen ?? undefined })}
            />
            <RefSelect
              to={Customer.path}
              label="Клиент"
              placeholder="Любой"
              clearable
              value={customer ?? null}
              onChange={(chosen) => set({ customer: chosen ?? undefined })}
            />
            <Select
              label="Действие"
              placeholder="Любое"
              clearable
              data={Object.entries(accessActions).map(([value, label]) => ({ value, label }))}
              value={action ?? null}
              onChange={(chosen) => set({ action: (chosen as AccessAction | null) ?? undefined })}
            />
          </Tiles>
          <Box maw={420} mb={16}>
            <Days
              label="С"
              from={from}
              to={to}
              onFrom={(value) => set({ from: value })}
              onTo={(value) => set({ to: value })}
            />
          </Box>
          <AccessLines
            filter={{
              idUser: user,
              idCustomer: customer,
              action,
              from: from && midnight(from),
              to: to && midnight(to, 1),
            }}
          />
        </Revealed>
      </Box>
    </RevealTogether>
  )
}

/** Anomalies of the last week. */
function Alerts({ onOpen }: { onOpen: (one: AccessAlert) => void }) {
  const alerts = useQuery({
    queryKey: ['access-log', 'alerts'],
    queryFn: ({ signal }) => api('GET /access-log/alerts', {}, { signal, forbidden: 'silent' }),
  })
  useRevealDelay(alerts.isPending)
  const items = alerts.data?.items ?? []
  if (items.length === 0) return null
  return (
    <Alert color="yellow" variant="light" icon={<IconEyeSearch size={18} />} title="Обратите внимание" mb={16}>
      <VStack gap={2} align="flex-start">
        {items.slice(0, SHOWN_ALERTS).map((one) => (
          <Anchor
            key={`${one.kind}${one.idUser}${one.dt}`}
            inherit
            c="inherit"
            underline="always"
            component="button"
            type="button"
            ta="left"
            mih={24}
            onClick={() => onOpen(one)}
          >
            {formatDateTime(one.dt)} · <PersonName user={{ id: one.idUser, shortFio: one.user }} />:{' '}
            {alertWords[one.kind](one)}
          </Anchor>
        ))}
        {items.length > SHOWN_ALERTS && <span>и ещё {items.length - SHOWN_ALERTS} за неделю</span>}
      </VStack>
    </Alert>
  )
}

const alertWords: Record<AccessAlert['kind'], (alert: AccessAlert) => string> = {
  many: ({ count }) => `${counted(count, ['карта', 'карты', 'карт'])} за час`,
  export: ({ what }) => (what ? `выгрузка клиентов: ${what}` : 'выгрузка клиентов'),
  unusual: ({ count }) => `${counted(count, ['выгрузка', 'выгрузки', 'выгрузок'])} за день, втрое больше обычного`,
  secret: ({ what }) => `карта с ограниченным доступом: ${what}`,
  link: ({ what }) => `личная ссылка пациента открыта с того же адреса, где её дали: ${what}`,
  phone: ({ what }) => `вход в кабинет пациента по только что изменённому телефону: ${what}`,
}
