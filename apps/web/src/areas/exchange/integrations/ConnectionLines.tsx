import { Badge, Text } from '@mantine/core'
import { allowed } from '@ordinator/model/access'
import { adapterModes, adapterStates } from '@ordinator/model/areas/exchange/integration'
import { IconPlugConnected, IconSend } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '#base/api.ts'
import { errorMessage } from '#base/apiError.ts'
import { useActor } from '#base/session.ts'
import { ActionButton } from '#kit/ActionButton.tsx'
import { formatDateTime } from '#kit/clock.ts'
import { notify } from '#kit/notify.tsx'
import { HStack, VStack } from '#kit/Stacks.tsx'
import { Dotted, Fine } from '#kit/Words.tsx'
import type { Integration } from './IntegrationCard.tsx'

const EVERY_MS = 10_000
const colors: Record<Integration['state'], string> = { works: 'teal', fails: 'red', unknown: 'gray', off: 'gray' }
/** Systems that support a test message to oneself. */
const tested = { sms: 'sms', mail: 'email' } as const
const testWords = { sms: 'Проверочное СМС себе', email: 'Проверочное письмо себе' } as const

interface Props {
  /** Selects systems by key. */
  of: (key: string) => boolean
}

/** State of the systems configured on this page: mode, last message, errors, and a check. */
export function ConnectionLines({ of }: Props) {
  const { data, refetch } = useQuery({
    queryKey: ['integrations'],
    queryFn: ({ signal }) => api('GET /integrations', {}, { signal, quiet: true, forbidden: 'silent' }),
    refetchInterval: EVERY_MS,
    retry: false,
  })
  const items = data?.items.filter(({ key, state }) => of(key) && state !== 'off') ?? []
  return (
    <VStack gap={8}>
      {items.map((item) => (
        <ConnectionLine key={item.key} item={item} onChecked={() => refetch()} />
      ))}
    </VStack>
  )
}

function ConnectionLine({ item, onChecked }: { item: Integration; onChecked: () => Promise<unknown> }) {
  const { key, name, state, mode, error, note, warnings, dateSuccess, dateFailing } = item
  const mayTest = allowed(useActor(), 'editMessageTemplates')
  const [busy, setBusy] = useState<'check' | 'test'>()
  const channel = (tested as Partial<Record<string, 'sms' | 'email'>>)[key]
  const act = async (what: 'check' | 'test', work: () => Promise<void>) => {
    setBusy(what)
    try {
      await work()
    } catch (failure) {
      notify.error(errorMessage(failure))
    }
    await onChecked()
    setBusy(undefined)
  }
  const check = () =>
    act('check', async () => {
      const { isAnswering, error: fault } = await api('POST /integrations/:key/check', { params: { key } })
      if (isAnswering) notify.success(`${name}: связь есть`)
      else notify.error(`${name}: ${fault}`)
    })
  const test = () =>
    act('test', async () => {
      const { to, isUnknown } = await api('POST /message-templates/test', {
        body: { event: 'custom', text: 'Проверка связи из программы клиники', channel: channel ?? 'sms' },
      })
      if (isUnknown) notify.info(`Отправили на ${to}, но ответа не было: дошло ли, неизвестно`)
      else notify.success(`Отправили на ${to}`)
    })
  return (
    <VStack component="section" framed p={12} gap={8} aria-label={`Связь: ${name}`}>
      <HStack justify="space-between" align="flex-start" wrap>
        <Text fw={600} miw={0} style={{ overflowWrap: 'anywhere' }}>
          {name}
        </Text>
        <Badge color={colors[state]} variant="light" tt="none" fw={500}>
          {adapterStates[state]}
        </Badge>
      </HStack>
      <Fine component="div">
        <Dotted>
          {adapterModes[mode]}
          {dateSuccess ? `последний успех ${formatDateTime(dateSuccess)}` : 'успеха ещё не было'}
          {dateFailing && `не работает с ${formatDateTime(dateFailing)}`}
          {note}
        </Dotted>
      </Fine>
      {error && (
        <Text c="var(--mantine-color-error)" size="sm">
          {error}
        </Text>
      )}
      {warnings.map((words) => (
        <Text key={words} size="sm" fw={500}>
          {words}
        </Text>
      ))}
      <HStack wrap gap={8}>
        <ActionButton
          label="Проверить"
          aria-label={`Проверить: ${name}`}
          icon={IconPlugConnected}
          size="compact-sm"
          variant="default"
          loading={busy === 'check' || item.isChecking}
          onClick={() => void check()}
        />
        {channel && mayTest && (
          <ActionButton
            label={testWords[channel]}
            icon={IconSend}
            size="compact-sm"
            variant="default"
            loading={busy === 'test'}
            onClick={() => void test()}
          />
        )}
      </HStack>
    </VStack>
  )
}
