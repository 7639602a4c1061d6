import { BookingChannel } from '@ordinator/model/areas/outside/channel'
import type { Row } from '@ordinator/model/entity'
import { pageByKey } from '@ordinator/model/pages'
import { IconKey, IconPlugConnectedX } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '#base/api.ts'
import { ActionButton } from '#kit/ActionButton.tsx'
import { CopyField } from '#kit/CopyField.tsx'
import { formatDateTime } from '#kit/clock.ts'
import { confirm } from '#kit/confirm.ts'
import { HStack, VStack } from '#kit/Stacks.tsx'
import { Fine, Muted } from '#kit/Words.tsx'
import { invalidateRecords } from '#records/keys.ts'
import { RegistryPage } from '#records/RegistryPage.tsx'
import type { RecordParts } from '#records/registry/RegistryRecord.tsx'

type Channel = Row<typeof BookingChannel>

const tabs: RecordParts<typeof BookingChannel>['tabs'] = {
  key: { label: 'Ключ', panel: (channel) => <Key key={channel.id} channel={channel} /> },
}

/** Where each kind of seller calls, below the address of the product. */
const addresses: Readonly<Record<Channel['kind'], string>> = { open: '/booking/v1', medflex: '/booking/medflex' }

/** Площадки записи: sellers of free times, with the key of each. */
export default function BookingChannelsPage() {
  return (
    <RegistryPage
      page={pageByKey('bookingChannels')}
      entity={BookingChannel}
      tabs={tabs}
      isMuted={({ active }) => !active}
    />
  )
}

function Key({ channel }: { channel: Channel }) {
  const cache = useQueryClient()
  const [token, setToken] = useState<string>()
  const params = { id: channel.id }
  const address = `${location.origin}${addresses[channel.kind]}`
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
