import { Alert, List } from '@mantine/core'
import { type ChannelKind, ChatChannel, channelKinds } from '@ordinator/model/areas/chats/chatSettings'
import type { Row } from '@ordinator/model/entity'
import type { Page } from '@ordinator/model/page'
import { pageByKey } from '@ordinator/model/pages'
import { IconPlugConnected } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { api } from '#base/api.ts'
import { errorMessage } from '#base/apiError.ts'
import { ActionButton } from '#kit/ActionButton.tsx'
import { CopyField } from '#kit/CopyField.tsx'
import { formatDateTime } from '#kit/clock.ts'
import { notify } from '#kit/notify.tsx'
import { HStack, VStack } from '#kit/Stacks.tsx'
import { Fine, Muted } from '#kit/Words.tsx'
import { invalidateRecords } from '#records/keys.ts'
import { RegistryPage } from '#records/RegistryPage.tsx'
import type { RecordParts } from '#records/registry/RegistryRecord.tsx'

type Channel = Row<typeof ChatChannel>

const tabs: RecordParts<typeof ChatChannel>['tabs'] = {
  connection: { label: 'Связь', panel: (channel) => <Connection key={channel.id} channel={channel} /> },
}

/** Каналы чата: messenger bots with the state of their connection. */
export default function ChannelsPage() {
  return <ChannelsOf page={pageByKey('chatChannels')} />
}

/** @param kind limits it to one messenger */
export function ChannelsOf({
  page,
  kind,
  empty,
}: {
  page: Page
  kind?: ChannelKind
  empty?: { title: string; text: string }
}) {
  return (
    <RegistryPage
      page={page}
      entity={ChatChannel}
      tabs={tabs}
      isMuted={({ active }) => !active}
      empty={empty}
      {...(kind && { filter: { kind }, initial: { kind } })}
    />
  )
}

/** Setup hints of a messenger: source of the token, further requirements. */
const hints: Record<ChannelKind, { token: string; also?: string; limits?: ReactNode }> = {
  max: { token: 'Выдаёт платформа «MAX для бизнеса»: Чат-боты → Настройки.' },
  telegram: { token: 'Выдаёт @BotFather: команда /newbot или /token.' },
  vk: {
    token: 'Ключ сообщества: Управление → Работа с API → Ключи доступа, с правами на управление, сообщения и файлы.',
    also: 'В сообществе должны быть включены сообщения. Адрес и подтверждение ВКонтакте запишет само.',
  },
  whatsapp: {
    token: 'Выдаёт Meta для бизнеса: Системные пользователи → Создать токен, с правом whatsapp_business_messaging.',
    also: 'Номер отправителя и секрет приложения стоят в панели приложения Meta: WhatsApp → Настройка API и Основные настройки.',
    limits: (
      <List size="sm" spacing={4}>
        <List.Item>Доступ к WhatsApp в России ограничен: сообщения доходят с перебоями или не доходят вовсе.</List.Item>
        <List.Item>
          Переписка хранится за границей. О передаче персональных данных туда сначала уведомляют Роскомнадзор (152-ФЗ,
          статья 12), а пациента просят согласиться.
        </List.Item>
        <List.Item>
          Закон 41-ФЗ запрещает части организаций писать клиентам в иностранных мессенджерах. Проверьте, относится ли он
          к вам.
        </List.Item>
        <List.Item>
          Ответить можно в течение 24 часов после последнего сообщения пациента. Изменить или удалить отправленное
          нельзя.
        </List.Item>
      </List>
    ),
  },
}

function Connection({ channel }: { channel: Channel }) {
  const cache = useQueryClient()
  const [busy, setBusy] = useState(false)
  const [fault, setFault] = useState<string>()
  const messenger = channelKinds[channel.kind]
  const { token, also, limits } = hints[channel.kind]
  const connect = async () => {
    setBusy(true)
    setFault(undefined)
    try {
      const { account } = await api(
        'POST /live-assist/channels/:id/connect',
        { params: { id: channel.id } },
        { quiet: true },
      )
      notify.success(`${messenger} на связи: ${account}`)
    } catch (error) {
      setFault(errorMessage(error))
    }
    await invalidateRecords(cache, ChatChannel.path)
    setBusy(false)
  }
  return (
    <VStack gap={16}>
      {limits && (
        <Alert color="yellow" variant="light" title="Прежде чем включать">
          {limits}
        </Alert>
      )}
      <VStack gap={2}>
        <Muted>{channel.kind === 'whatsapp' ? 'Номер' : 'Бот'}</Muted>
        <span>{channel.account ?? 'ещё не известен'}</span>
        <Fine>
          {channel.dateChecked ? `Связь проверена ${formatDateTime(channel.dateChecked)}` : 'Связь ещё не проверяли'}
        </Fine>
      </VStack>
      <VStack gap={2}>
        <Muted>Токен</Muted>
        <span>
          {channel.dateToken
            ? `Задан ${formatDateTime(channel.dateToken)}`
            : 'Не задан: впишите его на вкладке «Данные»'}
        </span>
        <Fine>Показать его нельзя, только заменить. {token}</Fine>
      </VStack>
      {fault && (
        <Alert color="red" variant="light" role="alert" title="Связи нет">
          {fault}
        </Alert>
      )}
      <HStack>
        <ActionButton
          label="Проверить связь"
          icon={IconPlugConnected}
          loading={busy}
          disabled={!channel.dateToken}
          onClick={() => void connect()}
        />
      </HStack>
      <Fine component="p">
        При проверке {messenger} узнаёт адрес, на который присылать сообщения. Сервер должен быть виден из интернета по
        https. {also}
      </Fine>
      <CopyField label="Адрес для событий" value={`${location.origin}/live-assist/channels/${channel.key}/updates`} />
    </VStack>
  )
}
