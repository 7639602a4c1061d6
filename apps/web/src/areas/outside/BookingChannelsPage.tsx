import { Alert, Badge, Text } from '@mantine/core'
import { askingKinds, BookingChannel, keyedKinds, pushStates } from '@ordinator/model/areas/outside/channel'
import type { Row } from '@ordinator/model/entity'
import { formatMoney, formatNumber } from '@ordinator/model/format'
import { pageByKey } from '@ordinator/model/pages'
import { IconKey, IconPlugConnectedX } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '#base/api.ts'
import { ActionButton } from '#kit/ActionButton.tsx'
import { CopyField } from '#kit/CopyField.tsx'
import { formatDateTime } from '#kit/clock.ts'
import { confirm } from '#kit/confirm.ts'
import { ErrorState } from '#kit/ErrorState.tsx'
import { LinesSkeleton } from '#kit/Skeletons.tsx'
import { HStack, VStack } from '#kit/Stacks.tsx'
import { Fine, Muted } from '#kit/Words.tsx'
import { invalidateRecords } from '#records/keys.ts'
import { RegistryPage } from '#records/RegistryPage.tsx'
import type { RecordParts } from '#records/registry/RegistryRecord.tsx'
import type { ColumnSpec } from '#records/table/columns.ts'
import { Matching } from './Matching.tsx'

type Channel = Row<typeof BookingChannel>

const tabs: RecordParts<typeof BookingChannel>['tabs'] = {
  offer: { label: 'Что видно', panel: (channel) => <Offer key={channel.id} channel={channel} /> },
  matches: { label: 'Сопоставление', panel: (channel) => <Matching key={channel.id} channel={channel} /> },
  link: { label: 'Связь', panel: (channel) => <Link key={channel.id} channel={channel} /> },
}

/** Where the kinds that ask the clinic call, below the address of the product. */
const addresses: Readonly<Record<(typeof askingKinds)[number], string>> = {
  open: '/booking/v1',
  medflex: '/booking/medflex',
}
const asks = (kind: Channel['kind']): kind is (typeof askingKinds)[number] =>
  (askingKinds as readonly string[]).includes(kind)
const isKeyed = (kind: Channel['kind']): boolean => (keyedKinds as readonly string[]).includes(kind)

const colors: Readonly<Record<Channel['pushState'], string>> = {
  off: 'gray',
  waits: 'blue',
  works: 'teal',
  late: 'blue',
  fails: 'red',
}

const columns: readonly ColumnSpec<Channel>[] = [
  { key: 'name', width: 220 },
  { key: 'kind', width: 220 },
  { key: 'idFilial', width: 180 },
  {
    key: 'pushState',
    width: 190,
    cell: ({ kind, pushState }) =>
      isKeyed(kind) ? (
        <Badge color={colors[pushState]} variant="light">
          {pushStates[pushState]}
        </Badge>
      ) : (
        <Muted>Спрашивает сама</Muted>
      ),
  },
  { key: 'datePushed', width: 150 },
  { key: 'dateBooked', width: 150 },
  { key: 'booked', width: 110, align: 'right' },
  { key: 'refused', width: 110, align: 'right' },
]

/** Площадки записи: sellers of free times, with the key of each. */
export default function BookingChannelsPage() {
  return (
    <RegistryPage
      page={pageByKey('bookingChannels')}
      entity={BookingChannel}
      tabs={tabs}
      columns={columns}
      isMuted={({ active }) => !active}
    />
  )
}

/** What is sent to the seller and what it depends on: in words, with what to do. */
function Link({ channel }: { channel: Channel }) {
  const { kind } = channel
  return (
    <VStack gap={20}>
      {isKeyed(kind) && <PushState channel={channel} />}
      {kind === 'yandex' && (
        <VStack gap={2}>
          <CopyField label="Адрес фида" value={`${location.origin}/booking/yandex/${channel.id}/feed.xml`} />
          <Fine>
            Добавьте его в Яндекс Вебмастере: раздел «Врачи». Пациент выберет время на странице записи клиники
          </Fine>
        </VStack>
      )}
      {asks(kind) && <Key channel={channel} path={addresses[kind]} />}
    </VStack>
  )
}

/** State of what is sent to the seller. */
function PushState({
  channel: { kind, active, isAgreed, hasSellerKey, pushState, datePushed, pushError },
}: {
  channel: Channel
}) {
  const need = !active
    ? 'Площадка выключена'
    : kind === 'yandex' && !isAgreed
      ? 'Отметьте, что договор с площадкой действует: без него ничего не передаём'
      : !hasSellerKey
        ? 'Впишите ключ, который дала площадка'
        : undefined
  return (
    <VStack gap={4}>
      <Muted>Расписание у площадки</Muted>
      <HStack gap={8} wrap>
        <Badge color={colors[pushState]} variant="light">
          {pushStates[pushState]}
        </Badge>
        {datePushed && <span>{formatDateTime(datePushed)}</span>}
      </HStack>
      {pushError && pushState !== 'off' && <Text c="red">{pushError}</Text>}
      {need && <Fine>{need}</Fine>}
    </VStack>
  )
}

/** The key by which a seller calls the clinic. */
function Key({ channel, path }: { channel: Channel; path: string }) {
  const cache = useQueryClient()
  const [token, setToken] = useState<string>()
  const params = { id: channel.id }
  const address = `${location.origin}${path}`
  const issue = async () => {
    const isAgreed =
      !channel.dateToken ||
      (await confirm({
        title: 'Выдать новый ключ?',
        message: 'Прежний перестанет действовать сразу: пока площадка не получит новый, она никого не запишет.',
        confirm: 'Выдать',
      }))
    if (!isAgreed) return
    const { token: made } = await api('POST /booking-channels/:id/token', { params })
    setToken(made)
    await invalidateRecords(cache, BookingChannel.path)
  }
  const revoke = async () => {
    const isAgreed = await confirm({
      title: 'Отозвать ключ?',
      message: 'Площадка больше никого не запишет. Те, кто уже записан, остаются.',
      confirm: 'Отозвать',
      danger: true,
    })
    if (!isAgreed) return
    await api('POST /booking-channels/:id/revoke', { params })
    setToken(undefined)
    await invalidateRecords(cache, BookingChannel.path)
  }
  return (
    <VStack gap={16}>
      <CopyField label="Адрес, по которому площадка записывает" value={address} />
      {token ? (
        <VStack gap={2}>
          <CopyField label="Ключ" value={token} />
          <Fine>Показывается один раз: передайте его площадке сейчас</Fine>
        </VStack>
      ) : (
        <VStack gap={2}>
          <Muted>Ключ</Muted>
          <span>{channel.dateToken ? `Выдан ${formatDateTime(channel.dateToken)}` : 'Ещё не выдан'}</span>
        </VStack>
      )}
      <HStack wrap>
        <ActionButton
          label={channel.dateToken ? 'Выдать новый' : 'Выдать ключ'}
          icon={IconKey}
          variant={channel.dateToken ? 'default' : 'filled'}
          onClick={issue}
        />
        {channel.dateToken && (
          <ActionButton label="Отозвать" icon={IconPlugConnectedX} variant="default" onClick={revoke} />
        )}
      </HStack>
      <Fine>Как записывать через открытый приём, описано в документации API: раздел «Запись с площадок»</Fine>
    </VStack>
  )
}

/** What the seller is shown at this moment, with what it will not show or match. */
function Offer({ channel: { id } }: { channel: Channel }) {
  const found = useQuery({
    queryKey: ['records', BookingChannel.path, id, 'offer'],
    queryFn: ({ signal }) => api('GET /booking-channels/:id/offer', { params: { id } }, { signal }),
  })
  if (found.isError)
    return <ErrorState title="Список не получен" error={found.error} onRetry={() => void found.refetch()} />
  if (!found.data) return <LinesSkeleton lines={6} />
  const { doctors, services, lacks } = found.data
  return (
    <VStack gap={16}>
      {lacks.length > 0 && (
        <Alert color="yellow" title="Чего не хватает">
          <VStack gap={4} component="ul">
            {lacks.map((one) => (
              <li key={one}>{one}</li>
            ))}
          </VStack>
        </Alert>
      )}
      <VStack gap={8}>
        <Muted>Врачи: {doctors.length}</Muted>
        {doctors.map(({ id: idUser, name, speciality, service, free }) => (
          <HStack key={idUser} justify="space-between" gap={12}>
            <span>
              {name} <Fine>{[speciality, service].filter(Boolean).join(' · ')}</Fine>
            </span>
            <Muted>{free > 0 ? `свободно ${formatNumber(free)}` : 'нет времени'}</Muted>
          </HStack>
        ))}
      </VStack>
      <VStack gap={8}>
        <Muted>Услуги: {services.length}</Muted>
        {services.map(({ id: idService, name, code, price }) => (
          <HStack key={idService} justify="space-between" gap={12}>
            <span>
              {name} {code && <Fine>{code}</Fine>}
            </span>
            <Muted>{price === null ? 'без цены' : formatMoney(price)}</Muted>
          </HStack>
        ))}
      </VStack>
    </VStack>
  )
}
